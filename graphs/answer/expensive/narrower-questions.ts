import type { Outcome } from '../../../src/domain/answer.ts'
import type { Candidate } from '../../../src/domain/candidate.ts'
import type { Table } from '../../../src/domain/catalog.ts'
import type { Database } from '../../../src/domain/database.ts'
import { SqlError } from '../../../src/domain/errors.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { sqlReferences } from '../../../src/sql/analyze/sql-scopes.ts'
import { sqlTokens } from '../../../src/sql/parse/sql-tokens.ts'
import { aggregateNames } from '../../../src/sql/tree/query-tree.ts'
import type { NodeRun } from '../deps.ts'
import { type NarrowOption, newestOptions, periodOptions, valueOptions } from './narrow-options.ts'
import { narrowTable } from './newest-rows.ts'

type Refused = Extract<Outcome, { status: 'refused' }>

/** The most that are offered. */
const MOST_OFFERED = 3

/** What narrowing looks at. `heavyRows`: without it every estimate passes. */
type EstimateSource = Pick<Database, 'catalog' | 'dialect' | 'guard' | 'estimate' | 'heavyRows'>

/**
 * Narrower questions to ask instead of an expensive one, each with the rows that its own plan reads, and
 * only what may be read unasked: the same over less time, where the table has dates and the question names no period
 * itself; else about one of its kinds; else of its newest rows, where the statement lists rows.
 */
export const offerNarrowerQuestions = async (
  given: {
    readonly heavy: Pick<Candidate, 'sql'>
    readonly question: string
    readonly namesPeriod: boolean
    /** The day of the question where it was asked, `YYYY-MM-DD`. */
    readonly today: string
    readonly database: EstimateSource
  },
  { signal }: Pick<NodeRun, 'signal'> = {},
): Promise<Refused> => {
  const { heavy, question, namesPeriod, today, database } = given
  const { dialect } = database
  const table = await mostExpensiveTable(heavy.sql, database, signal)
  const used = new Set(sqlReferences(heavy.sql, dialect)?.columns.map(({ column }) => column.toLowerCase()))
  const kinds: readonly (readonly NarrowOption[])[] =
    table === null
      ? []
      : [
          namesPeriod ? [] : periodOptions(table, dialect, today),
          valueOptions(table, dialect, used),
          aggregatesRows(heavy.sql, dialect) ? [] : newestOptions(table, dialect, database.heavyRows ?? null),
        ]
  for (const options of kinds) {
    const offered =
      table === null ? [] : await affordableOptions(options, { sql: heavy.sql, table }, database, signal)
    if (offered.length === 0) continue
    const asked = offered.map(({ words, rows }) => ({
      question: formatNarrowerQuestion(question, words),
      rows,
    }))
    return {
      status: 'refused',
      why: { code: 'narrower', offered: asked },
      nearest: asked.map(({ question }) => question),
    }
  }
  return { status: 'refused', why: { code: 'narrower', offered: [] }, nearest: [] }
}

/** The first options that may be read unasked, with what they would read. */
const affordableOptions = async (
  options: readonly NarrowOption[],
  of: { readonly sql: string; readonly table: Table },
  database: EstimateSource,
  signal: AbortSignal | undefined,
): Promise<readonly { readonly words: string; readonly rows: number }[]> => {
  const offered: { readonly words: string; readonly rows: number }[] = []
  for (const option of options) {
    if (offered.length === MOST_OFFERED) break
    // Where there is nothing, nothing is to be had.
    const rows = option.share === 0 ? null : await rowsOf(option, of, database, signal)
    if (rows !== null && rows <= (database.heavyRows ?? Number.POSITIVE_INFINITY))
      offered.push({ words: option.words, rows })
  }
  return offered
}

/** The table that most of what a statement reads is of: the one the plan names, else the largest it reads. */
const mostExpensiveTable = async (
  sql: string,
  database: EstimateSource,
  signal: AbortSignal | undefined,
): Promise<Table | null> => {
  const { tables } = database.catalog
  const named = (await estimateOf(sql, database, signal))?.table?.toLowerCase()
  const read = new Set(sqlReferences(sql, database.dialect)?.tables.map(({ name }) => name.toLowerCase()))
  const [largest = null] = tables
    .filter(({ name, type }) => type === 'table' && read.has(name.toLowerCase()))
    .sort((a, b) => (b.rowCount ?? 0) - (a.rowCount ?? 0))
  return tables.find(({ name }) => name.toLowerCase() === named) ?? largest
}

/**
 * What a part would read: by its plan, and no less than the part has by the profile, since SQLite's plans do not tell how
 * many rows an index finds. Null if the plan does not tell.
 */
const rowsOf = async (
  { rest, share }: NarrowOption,
  { sql, table }: { readonly sql: string; readonly table: Table },
  database: EstimateSource,
  signal: AbortSignal | undefined,
): Promise<number | null> => {
  const narrowed = narrowTable(sql, database.dialect, { table: table.name, rest })
  if (narrowed === null) return null
  const rows = (await estimateOf(narrowed, database, signal))?.rows ?? null
  return rows === null ? null : Math.max(rows, Math.ceil((share ?? 0) * (table.rowCount ?? 0)))
}

const estimateOf = async (
  sql: string,
  { guard, estimate }: EstimateSource,
  signal: AbortSignal | undefined,
) => {
  const verdict = guard(sql)
  if (verdict.verdict === 'refuse' || !estimate) return null
  try {
    return await estimate(verdict.guarded, signal ? { signal } : {})
  } catch (error) {
    signal?.throwIfAborted()
    // What does not plan is not offered.
    if (error instanceof SqlError) return null
    throw error
  }
}

/** What a person has called off, or nobody has agreed to. */
export const refuseUnapproved = (isExpired: boolean): Refused => ({
  status: 'refused',
  why: { code: 'not-run', isExpired },
})

/**
 * If somebody was asked already, and the new words are as expensive. A question is asked back once, so what was meant is
 * offered as a question of its own, which asks before it is run.
 */
export const refuseStillExpensive = (expensive: Pick<Candidate, 'run'>, question: string): Refused => ({
  status: 'refused',
  why: {
    code: 'still-expensive',
    message: expensive.run?.status === 'failed' ? expensive.run.message : null,
  },
  nearest: [question],
})

const ASKS =
  /^(?:how|what|which|who|whose|when|where|why|is|are|was|were|do|does|did|has|have|can|could|will)\b/i

/**
 * A question with the words of a narrower one at its end, as somebody would write it: a question ends in its sign, and what
 * somebody is told to do ends in none.
 */
export const formatNarrowerQuestion = (question: string, words: string): string => {
  const said = question.trim()
  const plain = said.replace(/[\s.?!]+$/, '')
  const isAsked = said.endsWith('?') || ASKS.test(plain)
  return `${plain}${words.startsWith(',') ? '' : ' '}${words}${isAsked ? '?' : ''}`
}

/**
 * Whether a statement puts rows together anywhere: aggregates, groups, or lists what differs. What it says of some rows
 * that happen to be the newest says nothing of the question. True of a text that cannot be read.
 */
const aggregatesRows = (sql: string, dialect: Dialect): boolean => {
  const read = sqlTokens(sql, dialect)
  if (!read.ok) return true
  return read.tokens.some(({ kind, value }, i) => {
    const next = read.tokens[i + 1]?.value
    if (kind !== 'word') return false
    return (
      value === 'distinct' ||
      (value === 'group' && next === 'by') ||
      (next === '(' && aggregateNames.has(value))
    )
  })
}
