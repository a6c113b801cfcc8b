import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'
import { SqlError } from '../../../domain/errors.ts'
import type { HttpAnswer, HttpClient } from '../http/client.ts'
import { failureError, refusedRequest, type SnowflakeFailure, toSqlError } from './errors.ts'
import type { LoginHeaders } from './login.ts'
import type { RowType } from './values.ts'

/** A statement as the SQL API takes it. */
export interface StatementRequest {
  readonly statement: string
  /** Seconds. */
  readonly timeout: number
  readonly database: string
  readonly schema?: string
  readonly warehouse?: string
  readonly role?: string
  readonly parameters: Readonly<Record<string, string | number>>
}

/** Part of a result, and the columns of all of it. */
export interface Partition {
  readonly columns: readonly RowType[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** One statement in Snowflake. */
export interface SnowflakeStatement {
  /** Its partitions until the last, or until the caller stops asking. Rejects with `SqlError`. */
  readonly partitions: (signal: AbortSignal) => AsyncGenerator<Partition>
  /** Ends it in the warehouse; does nothing if it has ended. */
  readonly cancel: () => Promise<void>
  /** Whether the warehouse works on it. */
  readonly isAtWork: () => Promise<boolean>
}

interface Answer extends SnowflakeFailure {
  readonly statementHandle?: string
  readonly resultSetMetaData?: {
    readonly rowType?: readonly RowType[]
    readonly partitionInfo?: readonly unknown[]
  }
  readonly data?: Partition['rows']
}

type Reply = { readonly status: number; readonly answer: Answer }

/** What is sent with every request, besides the login. */
export const baseHeaders: Readonly<Record<string, string>> = {
  accept: 'application/json',
  'content-type': 'application/json',
  'user-agent': 'querent/1',
}

/** Too many requests, and gateways without a service behind them. */
const tryAgain: ReadonlySet<number> = new Set([429, 502, 503, 504])

const firstWaitMs = 25
const longestPollMs = 1_000
const longestWaitMs = 5_000

/** Most characters of one partition: Snowflake makes partitions of some megabytes. */
const longestPartition = 256 * 1024 * 1024

const readText = async ({ body, headers }: HttpAnswer): Promise<string> => {
  const plain: Readable = headers['content-encoding'] === 'gzip' ? body.pipe(createGunzip()) : body
  // A pipe does not pass on errors.
  body.on('error', error => plain.destroy(error))
  const parts: Buffer[] = []
  let length = 0
  for await (const part of plain) {
    length += (part as Buffer).length
    if (length > longestPartition)
      throw new SqlError('other', 'A part of the result is too large to be read.')
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts).toString('utf8')
}

const parse = (status: number, text: string): Answer => {
  try {
    return JSON.parse(text) as Answer
  } catch {
    // Gateways answer in HTML.
    if (status >= 400) return {}
    throw new SqlError('connection', 'Snowflake answered with something that is not JSON.')
  }
}

const pause = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
  await delay(milliseconds, null, { ref: signal !== undefined, ...(signal && { signal }) }).catch(() => {})
}

/** Requests to one account. */
type Ask = (
  request: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: string },
  signal?: AbortSignal,
) => Promise<Reply>

/**
 * Sends a request until the account has an answer. Rejects with `SqlError`. A statement that is sent again has the same
 * `requestId`, so that it does not run twice.
 */
const makeAsk =
  (client: HttpClient, login: LoginHeaders): Ask =>
  async ({ method, path, body }, signal) => {
    for (
      let waitMs = 250, again = '';
      ;
      waitMs *= 2, again = path.includes('requestId=') ? '&retry=true' : ''
    ) {
      try {
        const answer = await client.request({
          method,
          path: `${path}${again}`,
          headers: login(),
          ...(body !== undefined && { body }),
          ...(signal && { signal }),
        })
        const text = await readText(answer)
        if (!tryAgain.has(answer.status) || waitMs > longestWaitMs)
          return { status: answer.status, answer: parse(answer.status, text) }
      } catch (error) {
        throw toSqlError(error)
      }
      // Not at the same moment as everybody else.
      await pause(waitMs * (0.5 + Math.random() / 2), signal)
    }
  }

/** A success without the rows, which must not pass for an empty result. */
const resultTooLarge = '391908'

/** Whether an answer says that the statement is still running. Throws for one that failed. */
const isRunning = ({ status, answer }: Reply): boolean => {
  if (status === 200 && answer.code === resultTooLarge)
    throw new SqlError('other', 'The result is too large. Group or filter it, or select fewer columns.', {
      driverCode: resultTooLarge,
    })
  if (status === 200) return false
  if (status === 202) return true
  if (status === 408)
    throw new SqlError('timeout', 'The statement took longer than it may.', {
      driverCode: answer.code ?? '408',
    })
  throw status === 422 ? failureError(answer) : refusedRequest(status, answer)
}

/** Begins a statement. It runs by itself from the start, because only then its handle is known while it runs. */
export const beginStatement = (
  client: HttpClient,
  login: LoginHeaders,
  request: StatementRequest,
): SnowflakeStatement => {
  const ask = makeAsk(client, login)
  let begun: Promise<unknown> | null = null
  let path: string | null = null
  let isOver = false

  const begin = async (signal: AbortSignal): Promise<Reply> => {
    const sent = ask(
      {
        method: 'POST',
        path: `/api/v2/statements?requestId=${randomUUID()}&async=true`,
        body: JSON.stringify(request),
      },
      signal,
    )
    begun = sent.then(({ answer }) => {
      const { statementHandle } = answer
      path =
        statementHandle === undefined ? null : `/api/v2/statements/${encodeURIComponent(statementHandle)}`
    })
    begun.catch(() => {})
    const reply = await sent
    await begun
    return reply
  }

  async function* partitions(signal: AbortSignal): AsyncGenerator<Partition> {
    let reply = await begin(signal)
    for (let waitMs = firstWaitMs; isRunning(reply); waitMs = Math.min(longestPollMs, waitMs * 1.5)) {
      if (path === null) throw new SqlError('connection', 'Snowflake gave no handle for the statement.')
      await pause(waitMs, signal)
      reply = await ask({ method: 'GET', path }, signal)
    }
    isOver = true
    const { resultSetMetaData, data = [] } = reply.answer
    const columns = resultSetMetaData?.rowType ?? []
    yield { columns, rows: data }
    const count = resultSetMetaData?.partitionInfo?.length ?? 1
    for (let at = 1; at < count; at += 1) {
      const next = await ask({ method: 'GET', path: `${path}?partition=${at}` }, signal)
      if (isRunning(next)) throw new SqlError('connection', 'Snowflake lost a part of the result. Ask again.')
      yield { columns, rows: next.answer.data ?? [] }
    }
  }

  return {
    partitions,
    cancel: async () => {
      // Only the first answer says what to cancel.
      await begun?.catch(() => {})
      if (path !== null && !isOver) await ask({ method: 'POST', path: `${path}/cancel` })
    },
    isAtWork: async () => path !== null && (await ask({ method: 'GET', path })).status === 202,
  }
}
