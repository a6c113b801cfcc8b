import type { SqlError, SqlErrorClass } from '../errors.ts'
import type { RunLimits } from '../result.ts'
import type { ParseDialect } from '../sql.ts'

/**
 * The outcome of a statement. `started` remains if the process died before the end was known: it may have run. `cut`
 * ran, but a cap cut its rows. `refused` was never sent: the guard or a quota rejected it, or it would have read too
 * much without confirmation.
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
 * `run` returns rows, `explain` a plan, `schema` reads tables, columns and keys from the system catalogs, and `trial`
 * checks the safeguards.
 */
export type StatementKind = 'run' | 'explain' | 'schema' | 'trial'

/** A statement as it is sent to a connected database. */
export interface AuditedStatement {
  readonly database: string
  readonly dialect: ParseDialect
  readonly kind: StatementKind
  /** Profiling statements are recorded as such, whichever question required them. */
  readonly purpose: 'people' | 'index'
  readonly sql: string
  /** Its caps; left out for statements without caps, which reserve nothing. */
  readonly caps?: StatementCaps
}

/** Caps that count against quotas. A plan has no rows that count. */
export type StatementCaps = Pick<RunLimits, 'maxRows' | 'timeoutMs'>

/** A statement that may be sent: call it with the end. */
export interface StartedStatement {
  (end: StatementEnd): void
  /**
   * Narrower caps than requested if less of a quota is left, and the error for when that time runs out; left out if
   * nothing was narrowed.
   */
  readonly allowed?: StatementCaps & { readonly timeoutError: SqlError | null }
}

/** How it ended. `rows` and `bytes` were read; null if unknown. */
export interface StatementEnd {
  readonly verdict: Exclude<StatementVerdict, 'started' | 'refused'>
  readonly errorClass: SqlErrorClass | null
  readonly rows: number | null
  readonly bytes: number | null
  readonly milliseconds: number
}

/** Records every statement at the place that runs it, not at the callers. */
export interface StatementAudit {
  /**
   * Called before the statement is sent. Rejects if it must not be sent: `store-unavailable` if it cannot be recorded,
   * an `SqlError` of class `over-budget` if a quota is used up. What it may use stays reserved until its end.
   */
  begin(statement: AuditedStatement, options?: { readonly signal?: AbortSignal }): Promise<StartedStatement>
  /** Records a statement that is not sent. Never throws or waits. */
  refused(statement: Omit<AuditedStatement, 'kind'>, reason: string): void
}

/** Records nothing: for tests and benchmarks, which use no real data. */
export const silentAudit: StatementAudit = { begin: async () => () => {}, refused: () => {} }

/** What statements are run for. `unattributed` if the code did not know for whom it ran one. */
export const statementOrigins = [
  'question',
  'edit',
  'export',
  'digest',
  'verified',
  'index',
  'command',
  'mcp',
  'unattributed',
] as const satisfies readonly (RunContext['origin'] | 'unattributed')[]

export type StatementOrigin = (typeof statementOrigins)[number]

/** A statement in the audit log. `person` is the operating system user if only a shell is known. */
export interface StatementRecord extends Omit<RunContext, 'origin'> {
  readonly id: string
  readonly at: Date
  readonly origin: StatementOrigin
  /** The shell command, such as `querent ask`; null if a bot ran it. */
  readonly command: string | null
  readonly database: string
  readonly dialect: ParseDialect
  readonly kind: StatementKind
  readonly sql: string
  readonly verdict: StatementVerdict
  readonly errorClass: SqlErrorClass | null
  /** The reason for a refusal; null for every other verdict. */
  readonly reason: string | null
  readonly rows: number | null
  readonly bytes: number | null
  readonly milliseconds: number | null
}

/** On whose behalf statements run and what for: it goes into the audit log and decides which quotas pay. */
export interface RunContext {
  readonly origin: 'question' | 'edit' | 'export' | 'digest' | 'verified' | 'index' | 'command' | 'mcp'
  /** Null if unknown. */
  readonly person: string | null
  readonly team: string | null
  readonly channel: string | null
  readonly questionId: string | null
  readonly digestId: string | null
}

/** The person who typed a Querent command in a shell, and the command. */
export interface CommandCaller {
  /** The operating system user; null if unknown. */
  readonly person: string | null
  /** Without its arguments, such as `querent eval questions`. */
  readonly command: string
}

/** Runs work in a context: every statement within it is recorded for that context. */
export type InRunContext = <T>(context: RunContext, work: () => Promise<T>) => Promise<T>

/** What was found of a person and is deleted or anonymized: rows by kind. */
export interface ForgottenRows {
  /** Deleted, with their answers, results, votes and everything else that belongs to them. */
  readonly questions: number
  readonly digests: number
  readonly remarks: number
  readonly votes: number
  readonly feedback: number
  /** Deleted from the queues. */
  readonly jobs: number
  /** Model costs by day, model and role; stored without a person. */
  readonly usage: number
  /** Audit log entries; stored under an alias. */
  readonly statements: number
  /** Fields that name the person in what remains: replies, changed answers, verified queries, rules, decisions. */
  readonly names: number
  /** Other people's texts and documents that mention the person. */
  readonly mentions: number
}

export type ForgottenKind = keyof ForgottenRows

export const nothingForgotten: ForgottenRows = {
  ...{ questions: 0, digests: 0, remarks: 0, votes: 0, feedback: 0 },
  ...{ jobs: 0, usage: 0, statements: 0, names: 0, mentions: 0 },
}

/** How a statement ended, with its id. */
export type EndedStatement = StatementEnd & { readonly id: string }
