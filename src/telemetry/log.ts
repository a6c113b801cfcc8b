import { AsyncLocalStorage } from 'node:async_hooks'
import { destination as openDestination, pino } from 'pino'
import { SqlError, type SqlErrorClass } from '../domain/errors.ts'
import type { InLogContext, Log, LogFields } from '../domain/operations/telemetry.ts'
import { makeRedact } from '../lib/redact.ts'

/** The log level. `silent` logs nothing. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** Options of `makeLog`. `secrets` are values that must not appear in any field or message. */
export interface LogOptions {
  readonly level: LogLevel
  /** Where lines go; standard error if left out, because standard output belongs to `--json`. */
  readonly destination?: { write(line: string): void }
  readonly secrets?: readonly string[]
  /** Fields of the current work; the line's own fields win. */
  readonly context?: () => LogFields
}

/**
 * Writes one JSON object per line, `{level, time, ...fields, msg}`, synchronously, so that the last lines before a
 * crash are kept. Secrets are masked in the finished line, so no field or message can contain one. Of an error, nothing is
 * written that may quote a question, a statement or a row.
 */
export const makeLog = (options: LogOptions): Log => {
  const redact = makeRedact(options.secrets ?? [])
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: label => ({ level: label }), log: withErrorsSpelled },
      hooks: { streamWrite: redact },
      ...(options.context ? { mixin: () => ({ ...options.context?.() }) } : {}),
    },
    options.destination ?? openDestination({ fd: 2, sync: true }),
  )
}

const withErrorsSpelled = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? spellError(value) : value]),
  )

/** How deep causes are followed; one may lead back to itself. */
const MOST_CAUSES = 5

/** Type, code, words and frames of an error and its causes. Whatever else hangs on it may be a request or a row. */
const spellError = (error: Error, depth = 0): Record<string, unknown> => {
  const code = (error as { readonly code?: unknown }).code
  const { words, isWhole } = wordsOf(error)
  const { cause } = error
  return {
    type: error.name,
    ...(typeof code === 'string' && { code }),
    message: words,
    stack: (error.stack ?? '').split('\n').filter(isFrame).join('\n'),
    ...(error instanceof AggregateError &&
      depth < MOST_CAUSES && {
        errors: error.errors.map(one => (one instanceof Error ? spellError(one, depth + 1) : typeof one)),
      }),
    ...(isWhole && cause instanceof Error && depth < MOST_CAUSES && { cause: spellError(cause, depth + 1) }),
  }
}

const isFrame = (line: string): boolean => /^\s+at /.test(line)

/** What is about a server or a limit: these messages quote nothing of a statement. */
const aboutServer: ReadonlySet<SqlErrorClass> = new Set<SqlErrorClass>([
  'permission',
  'timeout',
  'cancelled',
  'connection',
  'over-budget',
])

/** What a failed call of a model knows of itself. */
interface CallFacts {
  readonly kind?: unknown
  readonly status?: number | null
}

/** The message of an error for the log. It is not whole if databases, models or parsers had a say in it: they quote. */
const wordsOf = (error: Error): { readonly words: string; readonly isWhole: boolean } => {
  if (error instanceof SqlError && !aboutServer.has(error.errorClass)) {
    const { errorClass, driverCode } = error
    return {
      words: `a statement failed: ${errorClass}${driverCode ? ` (${driverCode})` : ''}`,
      isWhole: false,
    }
  }
  const { code, facts } = error as { readonly code?: unknown; readonly facts?: CallFacts }
  // The cause says the rest: what the endpoint said is left out there.
  if (code === 'model-failed') return { words: error.message.split(/: |[“"]/)[0] ?? '', isWhole: true }
  if (typeof facts?.kind === 'string' && facts.kind !== 'unreachable')
    return { words: facts.status ? `${facts.kind} (HTTP ${facts.status})` : facts.kind, isWhole: false }
  const isAboutData = typeof code === 'string' && /^2[23][0-9A-Z]{3}$/.test(code)
  if (error instanceof SyntaxError || isAboutData) {
    const words = error.message.replaceAll(/'[^']*'|"[^"]*"|“[^”]*”/g, '…')
    return { words, isWhole: false }
  }
  return { words: error.message, isWhole: true }
}

/** Fields added to every line written within some work. */
interface LogContext {
  readonly inLogContext: InLogContext
  /** The current fields; none outside of all work. */
  readonly current: () => LogFields
}

/** Fields follow every await and timer started within the work; an inner context adds to the outer. */
export const makeLogContext = (): LogContext => {
  const storage = new AsyncLocalStorage<LogFields>()
  return {
    inLogContext: (fields, work) => storage.run({ ...storage.getStore(), ...fields }, work),
    current: () => storage.getStore() ?? {},
  }
}
