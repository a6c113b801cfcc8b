import type { Catalog, Column, Table } from '../../../domain/catalog.ts'
import type { ReadScope } from '../../../domain/database.ts'
import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { sqlTokens } from '../../../sql/parse/sql-tokens.ts'
import { foldName } from './name-lookup.ts'

/** Whether a column may be read, only counted and joined, or not be named at all. */
export type Access = 'open' | 'masked' | 'hidden'

/** A column that is known by name. */
export interface KnownColumn {
  readonly name: string
  readonly access: Access
  /** True for one that `*` leaves out. */
  readonly unlisted?: true
}

/** A table of a catalog under a scope. */
export interface ScopedTable {
  readonly table: Table
  /** False where the lists leave the table out. */
  readonly isListed: boolean
  /** True for a view that is named in the list of tables, without a `*`: whatever it reads, it was meant. */
  readonly isNamed: boolean
  /** In the order of the table. */
  readonly columns: readonly KnownColumn[]
}

/** What the lists of a scope say of every table, before anybody looks into views. */
export const scopedTables = (catalog: Catalog, scope: ReadScope): readonly ScopedTable[] => {
  const { dialect } = catalog
  const { tables, columns } = scope
  const listed = catalog.tables.map(table => {
    const means = (pattern: string): boolean => matchesTable(pattern, table, dialect)
    const access = (column: Column): Access => {
      const meansIt = (pattern: string): boolean => matchesColumn(pattern, table, column, dialect)
      return columns.exclude.some(meansIt) ? 'hidden' : columns.mask.some(meansIt) ? 'masked' : 'open'
    }
    const isIn = (list: readonly string[]): boolean => list.length === 0 || list.some(means)
    const isNamedIn = (list: readonly string[]): boolean =>
      list.some(pattern => !pattern.includes('*') && means(pattern))
    return {
      table,
      isListed: isIn(tables.include) && isIn(tables.within ?? []) && !tables.exclude.some(means),
      isNamed: isNamedIn(tables.include) && (tables.within === undefined || isNamedIn(tables.within)),
      columns: columnsOf(table, access, dialect),
    }
  })
  return followInheritance(listed, dialect)
}

/**
 * A table that inherits holds rows of its parent: what is closed or hidden in one is so in the other. One that the lists
 * name in full is open all the same.
 */
const followInheritance = (tables: readonly ScopedTable[], dialect: Dialect): readonly ScopedTable[] => {
  const pairs = tables.flatMap(({ table }, child) =>
    (table.parents ?? []).flatMap(called =>
      tables.flatMap((one, parent) => (isCalled(one.table, called) ? [{ child, parent }] : [])),
    ),
  )
  const current = [...tables]
  const follow = (from: number, to: number): void => {
    const [a, b] = [current[from], current[to]]
    if (a === undefined || b === undefined) return
    const accesses = new Map(a.columns.map(({ name, access }) => [name, access]))
    const columns = b.columns.map(column => ({
      ...column,
      access: stricter(accesses.get(column.name), column.access),
    }))
    // What is generated from a column follows it.
    current[to] = {
      ...b,
      isListed: b.isListed && (a.isListed || b.isNamed),
      columns: columnsOf(
        b.table,
        ({ name }) => columns.find(column => column.name === name)?.access ?? 'hidden',
        dialect,
      ),
    }
  }
  for (const _ of pairs)
    for (const { child, parent } of pairs) {
      follow(parent, child)
      follow(child, parent)
    }
  return current
}

/** Whether this is what keys call a table. */
export const isCalled = ({ schema, name }: Table, called: string): boolean =>
  called === name || called === `${schema}.${name}`

/** The columns of a table with those that `*` leaves out, which search or rank by all the others. */
const columnsOf = (
  table: Table,
  accessOf: (column: Column) => Access,
  dialect: Dialect,
): readonly KnownColumn[] => {
  const columns = followGenerated(
    table.columns.map(column => ({ ...column, access: accessOf(column) })),
    dialect,
  )
  const access = columns.every(column => column.access === 'open') ? 'open' : 'hidden'
  const hidden = (table.hiddenColumns ?? []).map(name => ({ name, access, unlisted: true }) as const)
  return [...columns, ...hidden]
}

/**
 * A generated column shows what it is made from. Any name in its expression counts, whatever it stands for there, and
 * one column may be made from another that comes later.
 */
const followGenerated = (
  columns: readonly (KnownColumn & Pick<Column, 'generatedFrom'>)[],
  dialect: Dialect,
): readonly KnownColumn[] => {
  const accesses = columns.map(({ access }) => access)
  const generated = columns.flatMap(({ generatedFrom }, at) =>
    generatedFrom === undefined ? [] : [{ at, from: namesIn(generatedFrom, dialect) }],
  )
  for (const _ of generated)
    for (const { at, from } of generated)
      for (const [other, { name }] of columns.entries())
        if (from === null || from.has(foldName(name, dialect)))
          accesses[at] = stricter(accesses[at], accesses[other] ?? 'hidden')
  return columns.map(({ name }, at) => ({ name, access: accesses[at] ?? 'hidden' }))
}

/** All names in an expression, folded; null if it cannot be read. */
const namesIn = (expression: string, dialect: Dialect): ReadonlySet<string> | null => {
  const cut = sqlTokens(expression, dialect)
  if (!cut.ok) return null
  const named = cut.tokens.filter(({ kind }) => kind === 'word' || kind === 'quoted')
  return new Set(named.map(({ value }) => foldName(value, dialect)))
}

const order: readonly Access[] = ['open', 'masked', 'hidden']

/** Of two columns that a name can mean, what holds for both. */
export const stricter = (a: Access | undefined, b: Access): Access =>
  a !== undefined && order.indexOf(a) > order.indexOf(b) ? a : b

/** Does a pattern of a table (`orders`, `hr.*`) mean this one? A pattern without a schema means every schema. */
export const matchesTable = (pattern: string, table: Table, dialect: Dialect): boolean => {
  const parts = pattern.split('.')
  const name = parts.pop() ?? ''
  const schema = parts.pop()
  return (
    parts.length === 0 &&
    matchesPattern(name, table.name) &&
    (schema === undefined || matchesSchema(schema, table, dialect))
  )
}

/** Does a pattern of a column (`customers.email`, `*.ssn`, `hr.salaries.*`) mean this column of this table? */
export const matchesColumn = (pattern: string, table: Table, column: Column, dialect: Dialect): boolean => {
  const dot = pattern.lastIndexOf('.')
  return (
    dot > 0 &&
    matchesPattern(pattern.slice(dot + 1), column.name) &&
    matchesTable(pattern.slice(0, dot), table, dialect)
  )
}

const matchesSchema = (schema: string, table: Table, dialect: Dialect): boolean =>
  matchesPattern(schema, table.schema ?? table.home ?? databaseDialect(dialect).names.defaultSchema)

const matchesPattern = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.toLowerCase().split('*').map(escaped).join('.*')}$`, 'su').test(name.toLowerCase())

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
