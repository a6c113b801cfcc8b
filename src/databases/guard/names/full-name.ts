import type { Table } from '../../../domain/catalog.ts'
import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { quoteSchema } from '../../../sql/render/quote.ts'

/** A table's name with its schema, and its catalog where it has one: no query of WITH can be meant by it. */
export const fullName = (table: Table, dialect: Dialect): string => {
  const { names } = databaseDialect(dialect)
  const schema = table.schema ?? table.home ?? names.defaultSchema
  const name = names.quote(table.name)
  return schema === '' ? name : `${quoteSchema(schema, dialect)}.${name}`
}
