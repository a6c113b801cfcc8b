import type { ParseDialect } from './dialect.ts'
import type { RunLimits } from './result.ts'
import type { RunContext } from './run-context.ts'
import type { SqlError, SqlErrorClass } from './sql-error.ts'

/**
 * What became of a statement. `started` stays where the process died before it was known: it may have run. `cut` ran, and
 * a cap cut its rows. `refused` was never sent: the guard or a budget was against it, or it would have read
 * too much unasked.
 */
export const statementVerdicts = [
  'started',
  'ran',
  'cut',
  'refused',
  'failed',
  'timed-out',
  'cancelled',
] as const
export type StatementVerdict = (typeof statementVerdicts)[number]

/**
 * `run` gives rows, `explain` a plan, `schema` reads tables, columns and keys from the system's own catalogs, and `trial`
 * tries the walls (core/wall-trials.ts).
 */
export type StatementKind = 'run' | 'explain' | 'schema' | 'trial'

/** A statement as it is sent to a database that people ask about. */
export interface AuditedStatement {
  readonly database: string
  readonly dialect: ParseDialect
  readonly kind: StatementKind
  /** Statements that measure a database are booked as such, whoever's question made it necessary. */
  readonly purpose: 'people' | 'index'
  readonly sql: string
  /** What it may use at most; left out for what knows no caps, which then reserves nothing. */
  readonly caps?: StatementCaps
}

/** Caps on what is counted against budgets. A plan has no rows that count. */
export type StatementCaps = Pick<RunLimits, 'maxRows' | 'timeoutMs'>

/** A statement that may be sent: called with its end. */
export interface StartedStatement {
  (end: StatementEnd): void
  /**
   * Narrower caps than it was to have, where no more is left of a budget, and what is said when its time is over; left
   * out where it has those that it was to have.
   */
  readonly allowed?: StatementCaps & { readonly tooShort: SqlError | null }
}

/** How it ended. `rows` and `bytes` are those that were read, null where there is no telling. */
export interface StatementEnd {
  readonly verdict: Exclude<StatementVerdict, 'started' | 'refused'>
  readonly errorClass: SqlErrorClass | null
  readonly rows: number | null
  readonly bytes: number | null
  readonly milliseconds: number
}

/** Who is told of every statement, where it is run and not by who has it run. */
export interface StatementAudit {
  /**
   * Called before the statement is sent. Rejects where it must not be sent: `store-unavailable` when it cannot be written
   * down, an `SqlError` of the class `over-budget` when a limit is used up. What it may use is reserved until its end.
   */
  begin(statement: AuditedStatement, options?: { readonly signal?: AbortSignal }): Promise<StartedStatement>
  /** A statement that is not sent. Never throws and never waits. */
  refused(statement: Omit<AuditedStatement, 'kind'>, reason: string): void
}

/** Nobody is told: for tests and benchmarks, whose statements are on no data of others. */
export const silentAudit: StatementAudit = { begin: async () => () => {}, refused: () => {} }

/** What statements are run for. `unattributed` where the code ran one on behalf of nobody that it knew of. */
export const statementOrigins = [
  'question',
  'edit',
  'export',
  'digest',
  'verified',
  'index',
  'command',
  'unattributed',
] as const satisfies readonly (RunContext['origin'] | 'unattributed')[]
export type StatementOrigin = (typeof statementOrigins)[number]

/** A statement in the log. `person` is the user of the system where only a shell is known. */
export interface StatementRecord extends Omit<RunContext, 'origin'> {
  readonly id: string
  readonly at: Date
  readonly origin: StatementOrigin
  /** What was typed in a shell, as `querent ask`; null where a bot ran it. */
  readonly command: string | null
  readonly database: string
  readonly dialect: ParseDialect
  readonly kind: StatementKind
  readonly sql: string
  readonly verdict: StatementVerdict
  readonly errorClass: SqlErrorClass | null
  /** Why it was refused; null for every other verdict. */
  readonly reason: string | null
  readonly rows: number | null
  readonly bytes: number | null
  readonly milliseconds: number | null
}
