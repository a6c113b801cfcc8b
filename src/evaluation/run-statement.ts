import type { ResultTable } from '../core/result.ts'
import type { EvaluationDatabase } from './evaluation-database.ts'

/** A statement that ran, or why it did not. */
export type StatementResult = { readonly table: ResultTable } | { readonly error: string }

/** Runs a statement for scoring; rejects only when the whole evaluation is stopped. */
export type RunStatement = (sql: string) => Promise<StatementResult>

interface RunLimits {
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** Makes the runner of one question: each text is run once. */
export const makeCachedRunStatement = (
  database: Pick<EvaluationDatabase, 'execute'>,
  limits: RunLimits,
): RunStatement => {
  const runs = new Map<string, Promise<StatementResult>>()
  const run = makeUncachedRunStatement(database, limits)
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
  (database: Pick<EvaluationDatabase, 'execute'>, { signal, timeoutMs }: RunLimits): RunStatement =>
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
