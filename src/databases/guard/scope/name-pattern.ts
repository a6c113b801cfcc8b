import type { Column, Table } from '../../../core/catalog.ts'
import type { Dialect } from '../../../core/dialect.ts'

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
  matchesPattern(schema, table.schema ?? table.home ?? defaultSchemas[dialect])

/** The schema that a table is in where none is given and the catalog knows no other. */
export const defaultSchemas: Readonly<Record<Dialect, string>> = {
  postgres: 'public',
  sqlite: 'main',
  duckdb: 'main',
  mysql: '',
}

const matchesPattern = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.toLowerCase().split('*').map(escaped).join('.*')}$`, 'su').test(name.toLowerCase())

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
