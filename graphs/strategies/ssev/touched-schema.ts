import { type Catalog, nameTables } from '../../../src/domain/catalog.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { LinkedSchema, WidenSchema } from '../../../src/domain/question-context.ts'
import { namesIn } from '../../answer/repair/named-schema.ts'
import { readStatement } from '../../answer/repair/statement.ts'

/**
 * The union of the tables and columns that statements use (SSEV 3.1.1), read off their trees, with the keys of the tables
 * and those that join them. A table of which no column is named is kept whole. Null if no statement can be read or none
 * names anything that exists.
 */
export const touchedSchema = (
  statements: readonly string[],
  database: Pick<Database, 'dialect' | 'catalog' | 'findValues'>,
  widenSchema: WidenSchema,
): LinkedSchema | null => {
  const { catalog } = database
  const wanted = statements.flatMap(sql => {
    const statement = readStatement(sql, database)
    return statement === null || statement.scopes.length === 0 ? [] : namesIn(statement)
  })
  const touched = widenSchema({ catalog, linked: { tables: [] }, wanted })
  return touched.tables.length === 0 ? null : withPrimaryKeys(touched, catalog)
}

const withPrimaryKeys = ({ tables }: LinkedSchema, catalog: Pick<Catalog, 'tables'>): LinkedSchema => {
  const byName = new Map([...nameTables(catalog)].map(([table, name]) => [name, table]))
  return {
    tables: tables.map(({ table, keep }) => {
      const known = byName.get(table)
      if (keep === 'all' || known === undefined) return { table, keep }
      const kept = new Set([...keep, ...known.primaryKey])
      return { table, keep: known.columns.map(({ name }) => name).filter(name => kept.has(name)) }
    }),
  }
}
