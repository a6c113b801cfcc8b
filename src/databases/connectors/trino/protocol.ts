import { setTimeout as delay } from 'node:timers/promises'
import { SqlError } from '../../../domain/errors.ts'
import type { HttpAnswer, HttpClient } from '../http/client.ts'
import type { TrinoAddress } from './address.ts'
import { type ServerFailure, toSqlError } from './errors.ts'
import type { TypeSignature } from './values.ts'

/** A column of a result as the server describes it. */
export interface TrinoColumn {
  readonly name: string
  readonly type: string
  readonly typeSignature: TypeSignature
}

/** One page of an answer. The first ones have no columns yet. */
export interface TrinoPage {
  readonly columns: readonly TrinoColumn[] | null
  readonly rows: readonly (readonly unknown[])[]
}

/** One statement on the server. */
export interface TrinoStatement {
  /** Its pages until the last, or until the caller stops asking. Rejects with `SqlError`. */
  readonly pages: (signal: AbortSignal) => AsyncGenerator<TrinoPage>
  /** Ends it in the server; does nothing if it has ended. */
  readonly cancel: () => Promise<void>
}

interface StatementResult {
  readonly nextUri?: string
  readonly columns?: readonly TrinoColumn[]
  readonly data?: readonly (readonly unknown[])[]
  readonly error?: ServerFailure
}

/** What the client understands beyond the oldest protocol: types with a precision of their own. */
const capabilities = 'PARAMETRIC_DATETIME'

/** A coordinator that is busy or restarting answers with these, and asks to be asked again. */
const tryAgain: ReadonlySet<number> = new Set([429, 502, 503, 504])

const longestWaitMs = 5_000

/** Most characters of one page: the server makes pages of about a megabyte, unless a single row is larger. */
const longestPage = 256 * 1024 * 1024

/** The headers that are sent with every request to a server. */
export const baseHeaders = (
  { user, password, auth }: TrinoAddress,
  timeZone: string | null,
): Readonly<Record<string, string>> => ({
  'x-trino-user': user,
  'x-trino-source': 'querent',
  'x-trino-client-capabilities': capabilities,
  ...(timeZone !== null && { 'x-trino-time-zone': timeZone }),
  ...(password !== null && {
    authorization:
      auth === 'token'
        ? `Bearer ${password}`
        : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  }),
})

/**
 * Whole numbers that a double cannot hold become `bigint`. They are rare, and a reviver takes five times as long, so
 * only a page with that many digits in a row is read by one.
 */
const parsePage = (text: string): StatementResult =>
  /\d{16}/.test(text)
    ? JSON.parse(text, ((_: string, value: unknown, { source }: { source?: string } = {}): unknown =>
        typeof value === 'number' && !Number.isSafeInteger(value) && source && /^-?\d+$/.test(source)
          ? BigInt(source)
          : value) as Parameters<typeof JSON.parse>[1])
    : JSON.parse(text)

const readText = async ({ body }: HttpAnswer): Promise<string> => {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    length += (part as Buffer).length
    if (length > longestPage) throw new SqlError('other', 'A single row is too large to be read.')
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Ends early, and without an error, when the signal fires. */
const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await delay(milliseconds, null, { signal }).catch(() => {})
}

/** Sends a request until the server has an answer. Rejects with `SqlError`. */
const ask = async (
  client: HttpClient,
  request: Parameters<HttpClient['request']>[0],
  signal: AbortSignal,
): Promise<{ readonly result: StatementResult; readonly headers: HttpAnswer['headers'] }> => {
  for (let waitMs = 50; ; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
    const answer = await client.request({ ...request, signal }).catch((error: unknown) => {
      throw toSqlError(error)
    })
    const text = await readText(answer).catch((error: unknown) => {
      throw toSqlError(error)
    })
    if (tryAgain.has(answer.status) && waitMs < longestWaitMs) {
      await pause(waitMs, signal)
      continue
    }
    if (answer.status !== 200) throw refusedRequest(answer.status, text)
    try {
      return { result: parsePage(text), headers: answer.headers }
    } catch (error) {
      throw toSqlError(error)
    }
  }
}

const refusedRequest = (status: number, text: string): SqlError => {
  if (status === 401 || status === 403)
    return new SqlError('permission', `The server refused the user or the password (${status}).`, {
      driverCode: String(status),
    })
  const message = text.replace(/\s+/g, ' ').trim().slice(0, 200)
  return new SqlError('connection', `The server answered with ${status}: ${message}`, {
    driverCode: String(status),
  })
}

/** Only the path is used: a server must not send us, and our password, elsewhere. */
const pathOf = (uri: string): string => {
  const { pathname, search } = new URL(uri)
  return `${pathname}${search}`
}

/** Begins a statement. `headers` name its transaction, catalog and session. */
export const beginStatement = (
  client: HttpClient,
  sql: string,
  headers: Readonly<Record<string, string>>,
  /** Told of the headers of each answer: a transaction that has begun is named there. */
  onHeaders: (headers: HttpAnswer['headers']) => void = () => {},
): TrinoStatement => {
  let next: string | null = null
  let begun: Promise<unknown> | null = null

  async function* pages(signal: AbortSignal): AsyncGenerator<TrinoPage> {
    const begin = ask(client, { method: 'POST', path: '/v1/statement', headers, body: sql }, signal)
    begun = begin.then(({ result }) => {
      next = result.nextUri === undefined ? null : pathOf(result.nextUri)
    })
    begun.catch(() => {})
    let answer = await begin
    for (;;) {
      const { result } = answer
      next = result.nextUri === undefined ? null : pathOf(result.nextUri)
      onHeaders(answer.headers)
      if (result.error) throw toSqlError(result.error)
      yield { columns: result.columns ?? null, rows: result.data ?? [] }
      if (next === null) return
      answer = await ask(client, { method: 'GET', path: next }, signal)
    }
  }

  return {
    pages,
    cancel: async () => {
      // Only the first answer says what to cancel.
      await begun?.catch(() => {})
      if (next === null) return
      const path = next
      next = null
      const { body } = await client.request({ method: 'DELETE', path })
      await body.text()
    },
  }
}
