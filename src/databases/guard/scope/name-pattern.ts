import type { Column, Table } from '../../../core/catalog.ts'
import type { Dialect } from '../../../core/dialect.ts'

/** Does a pattern of a table (`orders`, `hr.*`) mean this one? A pattern without a schema means every schema. */
export const meansTable = (pattern: string, table: Table, dialect: Dialect): boolean => {
  const parts = pattern.split('.')
  const name = parts.pop() ?? ''
  const schema = parts.pop()
  return (
    parts.length === 0 &&
    fits(name, table.name) &&
    (schema === undefined || meansSchema(schema, table, dialect))
  )
}

/** Does a pattern of a column (`customers.email`, `*.ssn`, `hr.salaries.*`) mean this column of this table? */
export const meansColumn = (pattern: string, table: Table, column: Column, dialect: Dialect): boolean => {
  const dot = pattern.lastIndexOf('.')
  return (
    dot > 0 && fits(pattern.slice(dot + 1), column.name) && meansTable(pattern.slice(0, dot), table, dialect)
  )
}

const meansSchema = (schema: string, table: Table, dialect: Dialect): boolean =>
  fits(schema, table.schema ?? table.home ?? plainSchemas[dialect])

/** The schema that a table is in where none is given and the catalog knows no other. */
export const plainSchemas: Readonly<Record<Dialect, string>> = {
  postgres: 'public',
  sqlite: 'main',
  duckdb: 'main',
  mysql: '',
}

const fits = (pattern: string, name: string): boolean =>
  new RegExp(`^${pattern.toLowerCase().split('*').map(escaped).join('.*')}$`, 'su').test(name.toLowerCase())

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
