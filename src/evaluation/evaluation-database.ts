import type { Dialect } from '../core/dialect.ts'
import type { ResultTable } from '../core/result.ts'
import type { ModelUsage } from '../core/usage.ts'
import type { QuestionLine } from './question-line.ts'

/** How the system under evaluation took one question. */
export interface SystemAnswer {
  readonly outcome: 'answered' | 'clarified' | 'refused' | 'failed'
  /** The answer's statement; null without an answer. */
  readonly sql: string | null
  /** Probability of being right, 0 to 1; null where the system does not say. */
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
  readonly indexMilliseconds: number
  close(): Promise<void>
}

/** Opens and indexes the database that questions name by `db_id`. */
export type OpenForEvaluation = (
  dbId: string,
  options: { readonly signal: AbortSignal },
) => Promise<EvaluationDatabase>
