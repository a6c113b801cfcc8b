import { destination as openDestination, pino, stdSerializers } from 'pino'
import type { Log, LogFields } from '../core/log.ts'
import { makeRedactSecrets } from './redact-secrets.ts'

/** How much is said. `silent` says nothing at all. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** What `makeLog` is told. `secrets` are values that must not appear, whatever field or message they are in. */
export interface LogOptions {
  readonly level: LogLevel
  /** Where lines go; standard error when left out, because standard output belongs to `--json`. */
  readonly destination?: { write(line: string): void }
  readonly secrets?: readonly string[]
  /** Fields of whatever work the line is written in; those of the line itself win. */
  readonly context?: () => LogFields
}

/**
 * Makes the log: one JSON object a line, `{level, time, ...fields, msg}`, written at once so that the last words
 * before a crash are not lost. Secrets are blanked in the finished line, so no field or message can slip past.
 */
export const makeLog = (options: LogOptions): Log => {
  const redact = makeRedactSecrets(options.secrets)
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
