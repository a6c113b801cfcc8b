import type { Catalog, Column, Table } from '../../../domain/catalog.ts'
import type { ReadScope } from '../../../domain/database.ts'
import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import {
  generatedColumns,
  inheritedColumns,
  inheritingTables,
  keyColumns,
  type TableColumn,
} from './copied-columns.ts'

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
  const accesses = new Map(
    catalog.tables.map(table => {
      const access = (column: Column): Access => {
        const meansIt = (pattern: string): boolean => matchesColumn(pattern, table, column, dialect)
        return columns.exclude.some(meansIt) ? 'hidden' : columns.mask.some(meansIt) ? 'masked' : 'open'
      }
      return [table, new Map(table.columns.map(column => [column, access(column)]))] as const
    }),
  )
  followCopies(catalog, accesses)
  const listed = catalog.tables.map((table): ScopedTable => {
    const means = (pattern: string): boolean => matchesTable(pattern, table, dialect)
    const isIn = (list: readonly string[]): boolean => list.length === 0 || list.some(means)
    const isNamedIn = (list: readonly string[]): boolean =>
      list.some(pattern => !pattern.includes('*') && means(pattern))
    return {
      table,
      isListed: isIn(tables.include) && isIn(tables.within ?? []) && !tables.exclude.some(means),
      isNamed: isNamedIn(tables.include) && (tables.within === undefined || isNamedIn(tables.within)),
      columns: columnsOf(table, accesses.get(table) ?? new Map()),
    }
  })
  return closeRelatives(listed, catalog)
}

/**
 * What shows values of a masked or hidden column is masked or hidden too: a column that is generated from it, and the
 * same column of a table that inherits, in both directions. A declared foreign key holds the values of the key it leads
 * to: if one is masked, so is the other.
 */
const followCopies = (catalog: Catalog, accesses: ReadonlyMap<Table, Map<Column, Access>>): void => {
  const generated = catalog.tables.flatMap(table =>
    generatedColumns(table, catalog.dialect).map(one => ({ ...one, table })),
  )
  const [inherited, keys] = [inheritedColumns(catalog), keyColumns(catalog)]
  const accessOf = ({ table, column }: TableColumn): Access => accesses.get(table)?.get(column) ?? 'hidden'
  let isStable = false
  const raise = (to: TableColumn, access: Access): void => {
    const before = accessOf(to)
    if (stricter(before, access) === before) return
    accesses.get(to.table)?.set(to.column, access)
    isStable = false
  }
  while (!isStable) {
    isStable = true
    for (const { table, column, from } of generated)
      for (const one of from) raise({ table, column }, accessOf({ table, column: one }))
    for (const [one, other] of inherited) {
      raise(one, accessOf(other))
      raise(other, accessOf(one))
    }
    for (const [one, other] of keys) {
      if (accessOf(one) === 'masked') raise(other, 'masked')
      if (accessOf(other) === 'masked') raise(one, 'masked')
    }
  }
}

/**
 * A table that inherits holds rows of its parent: if one is closed, so is the other. One that the lists name in full is
 * open all the same.
 */
const closeRelatives = (tables: readonly ScopedTable[], catalog: Catalog): readonly ScopedTable[] => {
  const pairs = inheritingTables(catalog)
  const current = new Map(tables.map(one => [one.table, one]))
  const follow = (from: Table, to: Table): void => {
    const [a, b] = [current.get(from), current.get(to)]
    if (a === undefined || b === undefined) return
    current.set(to, { ...b, isListed: b.isListed && (a.isListed || b.isNamed) })
  }
  for (const _ of pairs)
    for (const { child, parent } of pairs) {
      follow(parent, child)
      follow(child, parent)
    }
  return tables.map(one => current.get(one.table) ?? one)
}

/** The columns of a table with those that `*` leaves out, which search or rank by all the others. */
const columnsOf = (table: Table, accesses: ReadonlyMap<Column, Access>): readonly KnownColumn[] => {
  const columns = table.columns.map(column => ({
    name: column.name,
    access: accesses.get(column) ?? 'hidden',
  }))
  const access = columns.every(column => column.access === 'open') ? 'open' : 'hidden'
  const hidden = (table.hiddenColumns ?? []).map(name => ({ name, access, unlisted: true }) as const)
  return [...columns, ...hidden]
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
