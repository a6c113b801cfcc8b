import { AsyncLocalStorage } from 'node:async_hooks'
import { destination as openDestination, pino, stdSerializers } from 'pino'
import type { InLogContext, Log, LogFields } from '../domain/operations/telemetry.ts'

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

const MASK = '[redacted]'

/** Fields whose name marks a secret, at any depth. */
const SECRET_FIELD =
  /("[\w.-]*(?:password|passwd|secret|api[_-]?key|authorization|cookie|token)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi

/** The same in JSON inside a string: its quotes are escaped, and those inside the value twice. */
const NESTED_SECRET_FIELD =
  /(\\+"[\w.-]*(?:password|passwd|secret|api[_-]?key|authorization|cookie|token)\\+"\s*:\s*)(\\+)".*?(?<!\\)\2"/gi

/** `user:password@` in a URL. A password may contain any character that does not end it. */
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"\\]*:)[^\s/"\\]*@/gi

/** Passwords in a query string or in a key=value connection string. */
const ASSIGNED_PASSWORD = /\b(password|pwd|sslpassword)=[^\s&"'\\]+/gi

/** Secrets with a known format: Slack's, OpenAI's, and whatever follows `Bearer`. */
const TOKEN = /\b(xox[a-z]-|xapp-|sk-)[\w-]{6,}|\b(Bearer\s+)[\w.~+/-]{6,}=*/gi

/** Shorter values would mask ordinary words. */
const SHORTEST_SECRET = 6

/** Masks secrets in one line of JSON: given values, and those known by field name or format. */
const makeRedactSecrets = (secrets: readonly string[] = []): ((line: string) => string) => {
  const written = [...new Set(secrets.filter(secret => secret.length >= SHORTEST_SECRET).flatMap(asWritten))]
  written.sort((a, b) => b.length - a.length)
  return line => {
    for (const secret of written) line = line.replaceAll(secret, MASK)
    return line
      .replace(URL_PASSWORD, `$1${MASK}@`)
      .replace(ASSIGNED_PASSWORD, `$1=${MASK}`)
      .replace(TOKEN, (_, prefix?: string, bearer?: string) => `${prefix ?? bearer ?? ''}${MASK}`)
      .replace(SECRET_FIELD, `$1"${MASK}"`)
      .replace(NESTED_SECRET_FIELD, `$1$2"${MASK}$2"`)
  }
}

/** The forms a secret takes in JSON: plain, escaped, and percent-encoded as in a URL. */
const asWritten = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
]

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
