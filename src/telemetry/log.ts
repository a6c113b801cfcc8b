import { AsyncLocalStorage } from 'node:async_hooks'
import { destination as openDestination, pino, stdSerializers } from 'pino'
import type { InLogContext, Log, LogFields } from '../domain/operations/telemetry.ts'

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

const MASK = '[redacted]'

/** Fields whose name says that their value is a secret, at any depth. */
const SECRET_FIELD =
  /("[\w.-]*(?:password|passwd|secret|api[_-]?key|authorization|cookie|token)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi

/** The same in JSON that stands in a string: quotes are escaped there, and those inside the value once more. */
const NESTED_SECRET_FIELD =
  /(\\+"[\w.-]*(?:password|passwd|secret|api[_-]?key|authorization|cookie|token)\\+"\s*:\s*)(\\+)".*?(?<!\\)\2"/gi

/** `user:password@` of a URL. A password may hold any character but those that end it. */
const URL_PASSWORD = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@"\\]*:)[^\s/"\\]*@/gi

/** Passwords in a query string or in a key=value connection string. */
const ASSIGNED_PASSWORD = /\b(password|pwd|sslpassword)=[^\s&"'\\]+/gi

/** Secrets that are known by their look: Slack's, OpenAI's, and whatever follows `Bearer`. */
const TOKEN = /\b(xox[a-z]-|xapp-|sk-)[\w-]{6,}|\b(Bearer\s+)[\w.~+/-]{6,}=*/gi

/** Shorter ones would blank out ordinary words. */
const SHORTEST_SECRET = 6

/** Makes a function that blanks secrets in one line of JSON: those given, and those known by name or by look. */
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

/** A secret as it may stand in JSON: plain, escaped, and percent-encoded as in a URL. */
const asWritten = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
]

/** Fields that every line carries which is written within some work. */
interface LogContext {
  readonly inLogContext: InLogContext
  /** The fields where the code is now; none outside of all work. */
  readonly current: () => LogFields
}

/** Makes it. Fields follow every await and timer that begins within the work; an inner context adds to the outer. */
export const makeLogContext = (): LogContext => {
  const storage = new AsyncLocalStorage<LogFields>()
  return {
    inLogContext: (fields, work) => storage.run({ ...storage.getStore(), ...fields }, work),
    current: () => storage.getStore() ?? {},
  }
}
