import { assumptionText } from '../../../src/domain/answer-wording/assumptions.ts'
import type { Draft } from '../../../src/domain/candidate.ts'
import type { Catalog, Table } from '../../../src/domain/catalog.ts'
import type { NewestRowsLimit, Understanding } from '../../../src/domain/question-context.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { databaseDialect } from '../../../src/sql/dialects.ts'
import { type SqlToken, sqlTokens } from '../../../src/sql/parse/sql-tokens.ts'
import { quoteIdentifier } from '../../../src/sql/render/quote.ts'
import { selectBlocks } from '../repair/select-blocks.ts'
import { applyEdits, type Edit } from '../repair/statement.ts'
import { type AskedQuestion, questionText } from '../state.ts'

/** The part of a table that its newest rows are, and how a question says it. */
interface NewestRows {
  readonly words: string
  /** What ends a SELECT of the table to mean it. */
  readonly rest: string
  readonly key: string
}

/**
 * The newest rows of a table, by a key of one number: it has an index, and it grows with every new row. Null if there
 * is no such key. Postgres tells in its plan that a limit ends the reading; the others tell it of a range of the key,
 * which is as many rows where no number was left out, and never more.
 */
export const newestRows = (table: Table, dialect: Dialect, rows: number): NewestRows | null => {
  const [key, second] = table.primaryKey
  const column = table.columns.find(({ name }) => name === key)
  if (key === undefined || second !== undefined || column?.kind !== 'integer') return null
  const name = quoteIdentifier(key, dialect)
  const from = table.schema === null ? '' : `${quoteIdentifier(table.schema, dialect)}.`
  return {
    words: `, looking only at the newest ${rows.toLocaleString('en-US')} rows of ${nameInWords(table.name)}`,
    rest: databaseDialect(dialect).plan.showsLimit
      ? `ORDER BY ${name} DESC LIMIT ${rows}`
      : `WHERE ${name} > (SELECT MAX(${name}) FROM ${from}${quoteIdentifier(table.name, dialect)}) - ${rows}`,
    key,
  }
}

/** Buttons that were posted by an earlier version say it without `looking`. */
const NEWEST = /(?:\s+|,\s*looking )only (?:at )?the newest ([\d,]+) rows of ([\p{L}\p{N} ]+?)[\s?.!]*$/iu

/** A question that is limited to newest rows: the limit, and the question without the words that say it. */
interface NewestRowsRequest {
  readonly plain: string
  readonly newestRows: NewestRowsLimit
}

/** Whether it is worth opening the catalog to see if a question asks for newest rows. */
export const mayRequestNewestRows = (question: string): boolean => NEWEST.test(question)

/** Null if a question asks for no newest rows, or for those of no table that has any. */
export const parseNewestRowsRequest = (
  question: string,
  { tables, dialect }: Pick<Catalog, 'tables' | 'dialect'>,
): NewestRowsRequest | null => {
  const [, number = '', named = ''] = NEWEST.exec(question) ?? []
  const rows = Number(number.replaceAll(',', ''))
  const table = tables.find(({ name }) => nameInWords(name) === named.toLowerCase())
  if (!table || !Number.isSafeInteger(rows) || rows < 1 || newestRows(table, dialect, rows) === null)
    return null
  return { plain: question.replace(NEWEST, '?'), newestRows: { table: table.name, rows } }
}

/** The newest rows that an understood question is limited to. Contexts of an earlier version do not say; the text does. */
export const newestRowsOf = (
  understanding: Pick<Understanding, 'newestRows'>,
  question: AskedQuestion,
  catalog: Pick<Catalog, 'tables' | 'dialect'>,
): NewestRowsLimit | null =>
  understanding.newestRows === undefined
    ? (parseNewestRowsRequest(questionText(question), catalog)?.newestRows ?? null)
    : understanding.newestRows

/** Whether an understood question is limited to newest rows. */
export const requestsNewestRows = (
  { newestRows }: Pick<Understanding, 'newestRows'>,
  question: AskedQuestion,
): boolean => (newestRows === undefined ? mayRequestNewestRows(questionText(question)) : newestRows !== null)

/** Has a draft of any path read only the newest rows of a table. A draft that does not read the table stays as it is. */
export const limitToNewest = (
  draft: Draft,
  limit: NewestRowsLimit | null,
  { tables, dialect }: Pick<Catalog, 'tables' | 'dialect'>,
): Draft => {
  const table = tables.find(({ name }) => name === limit?.table)
  const newest = table && limit ? newestRows(table, dialect, limit.rows) : null
  if (!table || !limit || !newest) return draft
  const sql = narrowTable(draft.sql, dialect, { table: table.name, rest: newest.rest })
  if (sql === null) return draft
  const assumption = assumptionText({
    kind: 'newest-rows',
    table: nameInWords(table.name),
    rows: limit.rows,
    by: nameInWords(newest.key),
  })
  return { ...draft, sql, assumptions: [...draft.assumptions, assumption] }
}

/** A name as people say it. */
export const nameInWords = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

/** Words that may follow a table in FROM and are no alias of it. */
const AFTER_TABLE = new Set([
  ...[
    'on',
    'using',
    'join',
    'inner',
    'left',
    'right',
    'full',
    'cross',
    'natural',
    'lateral',
    'straight_join',
  ],
  ...['where', 'group', 'having', 'window', 'order', 'limit', 'offset', 'fetch', 'for', 'union', 'intersect'],
  ...['except', 'tablesample', 'indexed', 'not', 'use', 'force', 'ignore', 'partition', 'select'],
])

/**
 * A statement that reads only a part of a table, wherever it reads it: the table becomes a subquery that `rest` ends, for
 * instance `WHERE kind = 'a'`, under the name it had. Null if the table is not found in any FROM.
 */
export const narrowTable = (
  sql: string,
  dialect: Dialect,
  { table, rest }: { readonly table: string; readonly rest: string },
): string | null => {
  const read = sqlTokens(sql, dialect)
  if (!read.ok) return null
  const { tokens } = read
  const edits = selectBlocks(sql, tokens, dialect).flatMap(({ own, clauses: { from } }): Edit[] => {
    if (!from) return []
    return own
      .filter(at => from.from < at && at < from.to && isTable(tokens, at, table))
      .map(at => {
        const name = tokens[at] as SqlToken
        const start = firstOfName(tokens, at).start
        const inner = `(SELECT * FROM ${sql.slice(start, name.end)} ${rest})`
        return { start, end: name.end, text: hasAlias(tokens, at) ? inner : `${inner} AS ${name.text}` }
      })
  })
  return edits.length === 0 ? null : applyEdits(sql, edits)
}

const isTable = (tokens: readonly SqlToken[], at: number, table: string): boolean => {
  const [token, next] = [tokens[at] as SqlToken, tokens[at + 1]]
  if (token.kind !== 'word' && token.kind !== 'quoted') return false
  if (token.value.toLowerCase() !== table.toLowerCase() || next?.text === '.' || next?.text === '(')
    return false
  const first = tokens.indexOf(firstOfName(tokens, at))
  return ['from', 'join', ',', '('].includes(tokens[first - 1]?.value ?? '')
}

/** The first token of a name with a schema before it. */
const firstOfName = (tokens: readonly SqlToken[], at: number): SqlToken => {
  const qualifier = tokens[at - 1]?.text === '.' ? tokens[at - 2] : undefined
  return qualifier === undefined ? (tokens[at] as SqlToken) : firstOfName(tokens, at - 2)
}

const hasAlias = (tokens: readonly SqlToken[], at: number): boolean => {
  const next = tokens[at + 1]
  if (next === undefined) return false
  return next.kind === 'quoted' || (next.kind === 'word' && !AFTER_TABLE.has(next.value))
}
