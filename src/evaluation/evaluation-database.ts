import pLimit from 'p-limit'
import type { ModelUsage } from '../domain/operations/usage.ts'
import type { ResultTable, RunLimits } from '../domain/result.ts'
import type { Dialect } from '../domain/sql.ts'
import type { QuestionLine } from './questions-file.ts'
import type { RenderPair } from './training-pairs.ts'

/** Limits of an evaluation: BIRD's time limit, and sizes far above any gold, since a result that was cut cannot be compared. */
export const evaluationLimits: RunLimits = { timeoutMs: 30_000, maxRows: 1_000_000, maxBytes: 500_000_000 }

/** How the system under evaluation took one question. */
export interface SystemAnswer {
  readonly outcome: 'answered' | 'clarified' | 'refused' | 'failed'
  /** The answer's statement; null without an answer. */
  readonly sql: string | null
  /** The statement that is shown, which may have more columns; the answer's own if left out. */
  readonly shownSql?: string
  /** Probability of being right, 0 to 1; null if the system does not say. */
  readonly confidence: number | null
  /** Every statement that it considered, best first. */
  readonly candidates: readonly string[]
  readonly usage: ModelUsage
  readonly milliseconds: number
  /** Why it failed, if it did. */
  readonly error?: string
}

/** A database opened for evaluation, indexed. Knows the system; the loop knows neither graphs nor connectors. */
export interface EvaluationDatabase {
  readonly dialect: Dialect
  ask(line: QuestionLine, options: { readonly signal: AbortSignal }): Promise<SystemAnswer>
  /** Runs a statement. Throws `SqlError`; the signal stops it in the database. */
  execute(sql: string, options: { readonly signal: AbortSignal }): Promise<ResultTable>
  /** What a judge is told about two statements; without it there is no training data. */
  readonly renderPair?: RenderPair
  readonly indexMilliseconds: number
  close(): Promise<void>
}

/** Opens and indexes the database that questions name by `db_id`. */
export type OpenForEvaluation = (
  dbId: string,
  options: { readonly signal: AbortSignal },
) => Promise<EvaluationDatabase>

/** A statement that ran, or why it did not. */
export type StatementResult = { readonly table: ResultTable } | { readonly error: string }

/** Runs a statement for scoring; rejects only when the whole evaluation is stopped. */
export type RunStatement = (sql: string) => Promise<StatementResult>

interface RunOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** Makes the runner of one question: each text is run once. */
export const makeCachedRunStatement = (
  database: Pick<EvaluationDatabase, 'execute'>,
  options: RunOptions,
): RunStatement => {
  const runs = new Map<string, Promise<StatementResult>>()
  const run = makeUncachedRunStatement(database, options)
  return sql => {
    const known = runs.get(sql) ?? run(sql)
    runs.set(sql, known)
    return known
  }
}

/**
 * Makes a runner that runs whatever it is given, under the time limit. A result that was cut short is an error, because
 * rows that nobody saw cannot be compared.
 */
export const makeUncachedRunStatement =
  (database: Pick<EvaluationDatabase, 'execute'>, { signal, timeoutMs }: RunOptions): RunStatement =>
  async sql => {
    const limit = AbortSignal.timeout(timeoutMs)
    const overTime = { error: `ran longer than ${timeoutMs / 1000} s` }
    try {
      const table = await database.execute(sql, { signal: AbortSignal.any([signal, limit]) })
      if (table.milliseconds > timeoutMs) return overTime
      if (table.truncated !== null) return { error: `the result was cut at the cap on ${table.truncated}` }
      return { table }
    } catch (error) {
      signal.throwIfAborted()
      if (limit.aborted) return overTime
      return { error: error instanceof Error ? error.message : String(error) }
    }
  }

/**
 * Does the work for every item, at most `concurrency` at a time. After a failure no further item is begun, and the items
 * that were begun settle before it rejects, since the caller then closes what they use.
 */
export const forEachConcurrently = async <T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const limit = pLimit({ concurrency, rejectOnClear: true })
  const runs = items.map(item =>
    limit(async () => {
      try {
        await work(item)
      } catch (error) {
        limit.clearQueue()
        throw error
      }
    }),
  )
  const failure = (await Promise.allSettled(runs)).find(result => result.status === 'rejected')
  if (failure) throw failure.reason
}
