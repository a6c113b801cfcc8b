import type { Table } from '../../../src/core/catalog.ts'
import type { Database } from '../../../src/core/database.ts'
import { parseSql } from '../../../src/sql/parse-sql.ts'
import type { QueryScope } from '../../../src/sql/query-scope.ts'
import { sqlScopes } from '../../../src/sql/sql-scopes.ts'
import { type SqlToken, sqlTokens } from '../../../src/sql/sql-tokens.ts'
import { type SelectBlock, selectBlocks } from './select-blocks.ts'

/** A statement that went wrong, taken apart: its tokens, and its SELECTs where it parses (else none). */
export interface Statement {
  readonly sql: string
  readonly database: Pick<Database, 'dialect' | 'catalog' | 'findValues'>
  readonly tokens: readonly SqlToken[]
  readonly scopes: readonly QueryScope[]
  /** Its SELECTs as they stand in the text, also where it does not parse. */
  readonly blocks: readonly SelectBlock[]
}

/** Takes a statement apart; null when not even its tokens can be told. */
export const readStatement = (sql: string, database: Statement['database']): Statement | null => {
  const cut = sqlTokens(sql, database.dialect)
  if (!cut.ok) return null
  const parsed = parseSql(sql, database.dialect)
  return {
    sql,
    database,
    tokens: cut.tokens,
    scopes: parsed.ok ? sqlScopes(parsed.tree) : [],
    blocks: selectBlocks(sql, cut.tokens, database.dialect),
  }
}

/** Whether two names are one to the database. Postgres compares what is left after folding; the others ignore case. */
export const sameName = (a: string, b: string, { database }: Pick<Statement, 'database'>): boolean =>
  database.dialect === 'postgres' ? a === b : a.toLowerCase() === b.toLowerCase()

/** The table that a FROM clause means by a name; null when the catalog has none. */
export const tableNamed = (name: string, statement: Statement): Table | null =>
  statement.database.catalog.tables.find(table => sameName(table.name, name, statement)) ?? null

/** Whether a token is this name, with or without quotes. */
export const isName = (token: SqlToken | undefined, name: string, statement: Statement): boolean =>
  (token?.kind === 'word' || token?.kind === 'quoted') && sameName(token.value, name, statement)

/** Whether a token is one of these key words, bare. */
export const isWord = (token: SqlToken | undefined, ...words: readonly string[]): boolean =>
  token?.kind === 'word' && words.includes(token.value)

/** The text of the tokens in [from, to). */
export const textBetween = ({ sql, tokens }: Statement, from: number, to: number): string =>
  sql.slice(tokens[from]?.start ?? sql.length, tokens[to - 1]?.end ?? sql.length)
