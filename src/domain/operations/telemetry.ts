import type { ModelRole } from '../model.ts'

/** Facts that go with a message. An `Error` under any name keeps its message, code, cause and stack. */
export type LogFields = Readonly<Record<string, unknown>>

/** Where the parts of the house say what they do, for operators. Never carries rows, and drops secrets it knows. */
export interface Log {
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
}

/** Does work within which every line of the log carries these fields too. */
export type InLogContext = <T>(fields: LogFields, work: () => Promise<T>) => Promise<T>

/** No fields: the work alone. */
export const withoutLogContext: InLogContext = (_fields, work) => work()

/** A log that keeps nothing, for tests and for callers without one. */
export const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
}

/** What is counted and timed. Labels are closed sets: no names of people, databases' values or questions. */
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
  /** A job went ahead of an older one of another workspace, which had more at work. */
  jobOvertook(queue: string): void
  rateLimited(rule: string): void
}

/** Nothing is counted. */
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

/** Facts about a stretch of work, for whoever watches many of them. Counts and names, never rows. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>

/** A stretch of work under way. */
interface Span {
  /** Adds what is known only at its end. */
  set(facts: SpanFacts): void
}

/** Does the work within a span of this name; spans begun meanwhile belong to it. Rejects as the work does. */
export type InSpan = <T>(name: string, facts: SpanFacts, work: (span: Span) => Promise<T>) => Promise<T>

/** No spans: the work alone. */
export const withoutSpans: InSpan = (_name, _facts, work) => work({ set: () => {} })

/** What a bot needs in order to answer. Each is looked at by itself. */
export const healthParts = ['store', 'migrations', 'queue', 'slack', 'database'] as const

export type HealthPart = (typeof healthParts)[number]

/**
 * Looks at one part: null where it works, else why not, in words of ours. Operators read it without having said who
 * they are, so it names no host and no user. A rejection counts as not working, and its message goes to the log alone.
 */
export type CheckHealthPart = (signal: AbortSignal) => Promise<string | null>

/** Why a part does not work yet. It is no complaint: a bot that starts says so to whoever asks, and not to its log. */
export const NOT_STARTED = 'has not started'

/** The state of one part. */
export type HealthPartState = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** Whether a bot can take questions, and what keeps it from that. */
export interface Readiness {
  readonly status: 'ready' | 'not-ready' | 'draining'
  readonly parts: Readonly<Record<HealthPart, HealthPartState>>
}
