import type { SqlError, SqlErrorClass } from '../errors.ts'
import type { RunLimits } from '../result.ts'
import type { ParseDialect } from '../sql.ts'

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

type StatementVerdict = (typeof statementVerdicts)[number]

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
  readonly allowed?: StatementCaps & { readonly timeoutError: SqlError | null }
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

/** On whose behalf statements run, and what for: who is told in the audit log and whose budgets pay. */
export interface RunContext {
  readonly origin: 'question' | 'edit' | 'export' | 'digest' | 'verified' | 'index' | 'command'
  /** Null where nobody is known. */
  readonly person: string | null
  readonly team: string | null
  readonly channel: string | null
  readonly questionId: string | null
  readonly digestId: string | null
}

/** Who typed a command of Querent in a shell, and which. */
export interface CommandCaller {
  /** The user of the operating system; null where it knows none. */
  readonly person: string | null
  /** Without its arguments, as `querent eval questions`. */
  readonly command: string
}

/** Runs work in a context: every statement within it, however deep, is booked on it. */
export type InRunContext = <T>(context: RunContext, work: () => Promise<T>) => Promise<T>

/** How much of a person was found, and is deleted or made nameless: rows by what they are. */
export interface ForgottenRows {
  /** Deleted, with their answers, results, votes and all else that hangs on them. */
  readonly questions: number
  readonly digests: number
  readonly remarks: number
  readonly votes: number
  readonly feedback: number
  /** Deleted from the queues. */
  readonly jobs: number
  /** What models cost, by day, model and role; kept under nobody. */
  readonly usage: number
  /** Statements of the audit log; kept under a name that means nobody. */
  readonly statements: number
  /** Places where the person was named in what stays: replies, changed answers, verified queries, rules, decisions. */
  readonly names: number
  /** Texts and documents of others that mention the person. */
  readonly mentions: number
}

export type ForgottenKind = keyof ForgottenRows

/** Nothing found. */
export const nothingForgotten: ForgottenRows = {
  ...{ questions: 0, digests: 0, remarks: 0, votes: 0, feedback: 0 },
  ...{ jobs: 0, usage: 0, statements: 0, names: 0, mentions: 0 },
}

/** How a statement ended, and which. */
export type EndedStatement = StatementEnd & { readonly id: string }
