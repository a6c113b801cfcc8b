import { AsyncLocalStorage } from 'node:async_hooks'
import { destination as openDestination, pino, stdSerializers } from 'pino'
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
 * crash are kept. Secrets are masked in the finished line, so no field or message can contain one.
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
    Object.entries(fields).map(([name, value]) => [
      name,
      value instanceof Error ? stdSerializers.errWithCause(value) : value,
    ]),
  )

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
