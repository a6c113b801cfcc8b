import { type Catalog, type Column, nameTables, type Table } from '../../../domain/catalog.ts'
import type { Dialect } from '../../../domain/sql.ts'
import { sqlTokens } from '../../../sql/parse/sql-tokens.ts'
import { foldName } from './name-lookup.ts'

/** A column of a table. */
export interface TableColumn {
  readonly table: Table
  readonly column: Column
}

/** A generated column, and the columns of its table that it may be made from. */
export interface GeneratedColumn {
  readonly column: Column
  readonly from: readonly Column[]
}

/** Two columns of which each holds values of the other. */
export type EqualColumns = readonly [TableColumn, TableColumn]

/**
 * The generated columns of a table. Any name in the expression counts, whatever it stands for there. An expression that
 * cannot be read may name every column.
 */
export const generatedColumns = ({ columns }: Table, dialect: Dialect): readonly GeneratedColumn[] =>
  columns.flatMap(column => {
    if (column.generatedFrom === undefined) return []
    const names = namesIn(column.generatedFrom, dialect)
    const from = columns.filter(
      one => one !== column && (names === null || names.has(foldName(one.name, dialect))),
    )
    return [{ column, from }]
  })

/** All names in an expression, folded; null if it cannot be read. */
const namesIn = (expression: string, dialect: Dialect): ReadonlySet<string> | null => {
  const cut = sqlTokens(expression, dialect)
  if (!cut.ok) return null
  const named = cut.tokens.filter(({ kind }) => kind === 'word' || kind === 'quoted')
  return new Set(named.map(({ value }) => foldName(value, dialect)))
}

/** A table and one that it inherits from. All rows of a child are rows of its parent too. */
export interface Inheritance {
  readonly child: Table
  readonly parent: Table
}

/** All tables that inherit, each with every parent of its own. */
export const inheritingTables = ({ tables }: Pick<Catalog, 'tables'>): readonly Inheritance[] =>
  tables.flatMap(child =>
    (child.parents ?? []).flatMap(called =>
      tables.flatMap(parent => (isCalled(parent, called) ? [{ child, parent }] : [])),
    ),
  )

/** Whether this is what keys call a table. */
export const isCalled = ({ schema, name }: Table, called: string): boolean =>
  called === name || called === `${schema}.${name}`

/** Columns that a child has from its parent, as pairs. */
export const inheritedColumns = (catalog: Pick<Catalog, 'tables'>): readonly EqualColumns[] =>
  inheritingTables(catalog).flatMap(({ child, parent }) =>
    child.columns.flatMap((column): EqualColumns[] =>
      parent.columns
        .filter(({ name }) => name === column.name)
        .map(from => [
          { table: child, column },
          { table: parent, column: from },
        ]),
    ),
  )

/** The two columns at each place of every declared foreign key: a value of the first is one of the second. */
export const keyColumns = (
  catalog: Pick<Catalog, 'dialect' | 'tables' | 'foreignKeys'>,
): readonly EqualColumns[] => {
  const fold = (name: string): string => foldName(name, catalog.dialect)
  const byName = Map.groupBy(nameTables(catalog), ([, name]) => fold(name))
  const columnsAt = (called: string, name: string | undefined): readonly TableColumn[] =>
    (byName.get(fold(called)) ?? []).flatMap(([table]) =>
      table.columns
        .filter(column => name !== undefined && fold(column.name) === fold(name))
        .map(column => ({ table, column })),
    )
  return catalog.foreignKeys
    .filter(({ source }) => source === 'declared')
    .flatMap(({ from, to }) =>
      from.columns.flatMap((name, at) =>
        columnsAt(from.table, name).flatMap(one =>
          columnsAt(to.table, to.columns[at]).map((other): EqualColumns => [one, other]),
        ),
      ),
    )
}
