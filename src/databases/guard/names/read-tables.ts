import type { Dialect } from '../../../domain/sql.ts'
import { unaccountedToken } from '../../../sql/analyze/unread-token.ts'
import { maxRenderedLength, parseSql } from '../../../sql/parse/parse-sql.ts'
import { readQuery } from '../../../sql/parse/read-statements.ts'
import { tablesIn } from '../../../sql/tree/tables-in.ts'

/** The tables that SQL reads in FROM, each as often as it is named; null if it cannot be read to the end. */
export interface ReadTables {
  readonly ofStatement: (sql: string) => readonly string[] | null
  /** Of an item of FROM: a name, or a query in brackets. Remembered, since there are few of them. */
  readonly ofSource: (sql: string) => readonly string[] | null
}

/** Makes the reader of a dialect. */
export const makeReadTables = (dialect: Dialect): ReadTables => {
  const ofStatement: ReadTables['ofStatement'] = sql => {
    const parsed = parseSql(sql, dialect, maxRenderedLength)
    const query = parsed.ok && unaccountedToken(parsed.tree) === null ? readQuery(parsed.tree) : null
    return query === null
      ? null
      : tablesIn(query).map(({ catalog, schema, name }) => JSON.stringify([catalog, schema, name]))
  }
  const sources = new Map<string, readonly string[] | null>()
  return {
    ofStatement,
    ofSource: sql => {
      const known = sources.get(sql)
      if (known !== undefined) return known
      const read = ofStatement(`SELECT 1 FROM ${sql}${sql.startsWith('(') ? ' AS q0' : ''}`)
      sources.set(sql, read)
      return read
    },
  }
}
