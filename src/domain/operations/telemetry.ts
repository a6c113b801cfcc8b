import type { ModelRole } from '../model.ts'

/**
 * Fields of a log line. An `Error` under any name is logged with its code, cause and stack, and with its message unless
 * that may quote data.
 */
export type LogFields = Readonly<Record<string, unknown>>

/** The log for operators. It never contains questions, literals or rows, at any level; known secrets are removed. */
export interface Log {
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
}

/** Runs work so that every log line within it has these fields too. */
export type InLogContext = <T>(fields: LogFields, work: () => Promise<T>) => Promise<T>

/** Runs the work without fields. */
export const withoutLogContext: InLogContext = (_fields, work) => work()

/** A log that discards everything, for tests and callers without a log. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
}

/** Counters and timers. Labels are closed sets: no names of people, database values or questions. */
export interface Metrics {
  questionEnded(given: {
    readonly outcome: string
    readonly from: 'slack' | 'digest' | 'command'
    readonly milliseconds: number
    readonly cached: boolean
  }): void
  stage(name: string, milliseconds: number): void
  modelCall(given: {
    readonly role: ModelRole
    readonly model: string
    readonly outcome: 'ok' | 'failed'
    readonly promptTokens: number
    readonly completionTokens: number
    readonly money: number | null
    readonly milliseconds: number
  }): void
  statement(given: {
    readonly origin: string
    readonly verdict: string
    readonly rows: number
    readonly milliseconds: number
  }): void
  vote(value: 'up' | 'down'): void
  digestRun(outcome: string): void
  job(given: {
    readonly queue: string
    readonly outcome: 'done' | 'failed' | 'dead'
    readonly milliseconds: number
  }): void
  /** A job ran before an older job of another workspace, which was using more workers. */
  jobOvertook(queue: string): void
  rateLimited(rule: string): void
}

/** Discards every metric. */
export const noMetrics: Metrics = {
  questionEnded: () => {},
  stage: () => {},
  modelCall: () => {},
  statement: () => {},
  vote: () => {},
  digestRun: () => {},
  job: () => {},
  jobOvertook: () => {},
  rateLimited: () => {},
}

/** Facts about a span, for comparing many of them. Counts and names, never rows. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** A span in progress. */
interface Span {
  /** Adds facts known only at its end. */
  set(facts: SpanFacts): void
}

/** Runs work within a span of this name; spans started meanwhile become its children. Rejects as the work does. */
export type InSpan = <T>(name: string, facts: SpanFacts, work: (span: Span) => Promise<T>) => Promise<T>

/** Runs the work without a span. */
export const withoutSpans: InSpan = (_name, _facts, work) => work({ set: () => {} })

/** The parts a bot needs in order to answer. Each is checked separately. */
export const healthParts = ['store', 'migrations', 'queue', 'slack', 'database'] as const

export type HealthPart = (typeof healthParts)[number]

/**
 * Checks one part: null if it works, otherwise the reason. The page is open without a login, so reasons name no hosts
 * or users. A rejection counts as not working, and its message goes only to the log.
 */
export type CheckHealthPart = (signal: AbortSignal) => Promise<string | null>

/** The reason while a part has not started. A starting bot reports it but does not log it. */
export const NOT_STARTED = 'has not started'

/** State of one part. */
export type HealthPartState = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** Whether a bot can take questions, and what prevents it. */
export interface Readiness {
  readonly status: 'ready' | 'not-ready' | 'draining'
  readonly parts: Readonly<Record<HealthPart, HealthPartState>>
}

/** Progress of long work before an answer, drawn by the command line: a share, 0 to 1, of what `doing` names. */
interface Progress {
  readonly doing: string
  readonly share: number
}

export type OnProgress = (progress: Progress) => void
