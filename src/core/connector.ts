import type { Catalog } from './catalog.ts'
import type { Dialect } from './dialect.ts'
import type { GuardedSql } from './guarded-sql.ts'
import type { ResultTable, RunLimits } from './result.ts'
import type { SafeguardResults } from './wall-trials.ts'

/** Options of one statement: the caps, and the signal that cancels it in the database, not only here. */
export interface RunOptions extends RunLimits {
  readonly signal?: AbortSignal
}

/**
 * One kind of database behind one small contract. Every implementation is a folder of the same shape and passes
 * `test/contracts/connector.ts`. All statements run read-only; failures throw `SqlError`.
 */
export interface Connector {
  readonly dialect: Dialect
  /** Reads tables, columns, comments and keys. Profiles are null: measuring is the catalog's work. */
  introspect(options?: { signal?: AbortSignal }): Promise<Catalog>
  /** The plan as the database prints it. Throws `SqlError` where the statement does not plan. */
  explain(sql: GuardedSql, options: RunOptions): Promise<string>
  /** Streams rows until done or a cap is reached; duplicate column names and big integers stay intact. */
  run(sql: GuardedSql, options: RunOptions): Promise<ResultTable>
  /** Tries, with the guard out of the way, whether a write fails, the time limit fires and cancelling frees the server. */
  checkSafeguards(options?: { signal?: AbortSignal }): Promise<SafeguardResults>
  close(): Promise<void>
}

/**
 * Runs one guarded statement under the house's caps. `evenIfHeavy`: somebody has said that it may read as much as it does;
 * else one that would read too much rejects with `ExpensiveQueryError`.
 */
export type RunQuery = (
  sql: GuardedSql,
  options?: { readonly signal?: AbortSignal; readonly evenIfHeavy?: boolean },
) => Promise<ResultTable>
