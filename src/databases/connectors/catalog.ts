import { createHash } from 'node:crypto'
import type { Catalog } from '../../domain/catalog.ts'
import { cutTokens } from '../../sql/parse/cut-tokens.ts'
import type { LexicalRules } from '../../sql/sql-dialect.ts'

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * SHA-256 (hex) of a canonical listing: schemas, tables, columns in their order, types, nullability and keys.
 * Neither rows, counts nor comments enter it, nor the order in which the server lists tables.
 */
export const fingerprintCatalog = (catalog: Omit<Catalog, 'fingerprint'>): string => {
  const tables = catalog.tables
    .map(table =>
      JSON.stringify([
        table.schema,
        table.name,
        table.type,
        table.columns.map(column => [column.name, column.type, column.kind, column.nullable]),
        table.primaryKey,
      ]),
    )
    .sort(compareText)
  const keys = catalog.foreignKeys
    .map(key => JSON.stringify([key.from.table, key.from.columns, key.to.table, key.to.columns, key.source]))
    .sort(compareText)
  return createHash('sha256')
    .update(JSON.stringify([catalog.dialect, tables, keys]))
    .digest('hex')
}

/** The query in `CREATE VIEW name (columns) AS query`; null if the text is anything else. */
export const viewDefinition = (statement: string, rules: LexicalRules): string | null => {
  const cut = cutTokens(statement, rules)
  if (!cut.ok || cut.tokens[0]?.value !== 'create') return null
  const as = cut.tokens.findIndex(token => token.kind === 'word' && token.value === 'as')
  const first = as < 0 ? undefined : cut.tokens[as + 1]
  return first === undefined ? null : statement.slice(first.start)
}
