import { randomUUID } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import type { RunOptions } from '../../../domain/database.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { makeStatementSlots } from '../http/statement-slots.ts'
import { makeRowCap } from '../row-cap.ts'
import type { ClickhouseAddress } from './address.ts'
import { toSqlError } from './errors.ts'
import { meaningSettings, parseVersion, type ServerFacts } from './server.ts'
import { kindOfType, makeToCell, unescapeText } from './values.ts'

/** Statements on one server, each read-only and within limits that the server itself knows. */
export interface ClickhouseSession {
  readonly facts: ServerFacts
  /** Rejects with `SqlError`. */
  readonly run: (sql: string, options: RunOptions) => Promise<ResultTable>
  readonly close: () => Promise<void>
}

/** Rows more than asked for come in blocks: this many bytes of them are taken before the rest is refused. */
const resultBytes = (maxBytes: number): number => 4 * maxBytes + 16 * 1024 * 1024

/** Memory of one statement on the server, unless it allows less. */
const mostMemory = 4 * 1024 * 1024 * 1024

/**
 * Opens a session. Rejects with what the driver throws if the server cannot be asked, and with a `QuerentError` if the
 * user may not set limits.
 */
export const openClickhouseSession = async (options: {
  readonly address: ClickhouseAddress
  readonly size: number
  readonly timeZone: string | null
  readonly connectMilliseconds: number
}): Promise<ClickhouseSession> => {
  const { address } = options
  const connections = { keepAlive: true, maxSockets: options.size + 1 }
  const agent = address.origin.startsWith('https:')
    ? new HttpsAgent({ ...connections, ...(address.authority && { ca: address.authority }) })
    : new HttpAgent(connections)
  const client = createClient({
    url: address.origin,
    username: address.user,
    password: address.password,
    database: address.database,
    application: 'querent',
    http_agent: agent,
    // The time limit is ours and the server's.
    request_timeout: 24 * 60 * 60 * 1000,
    // The driver would log the statement of a person.
    log: { LoggerClass: SilentLogger },
  })
  let facts: ServerFacts
  try {
    const [version = ''] = await readLines(client, 'SELECT version() FORMAT TSV', {
      abort_signal: AbortSignal.timeout(options.connectMilliseconds),
    })
    facts = { version: parseVersion(version) }
    // A user with readonly=1 may set nothing, and so have no limits.
    await readLines(client, 'SELECT 1 FORMAT TSV', {
      clickhouse_settings: { readonly: '2', max_execution_time: 10 },
      abort_signal: AbortSignal.timeout(options.connectMilliseconds),
    })
  } catch (error) {
    agent.destroy()
    throw error
  }
  const meaning = meaningSettings(facts, options.timeZone)
  const slots = makeStatementSlots(options.size)

  return {
    facts,
    run: (sql, { timeoutMs, signal, ...limits }) => {
      const id = randomUUID()
      return slots.run(
        { timeoutMs, ...(signal && { signal }) },
        async stopping => {
          const started = performance.now()
          try {
            const { stream } = await client.exec({
              query: sql,
              query_id: id,
              abort_signal: stopping,
              clickhouse_settings: {
                ...meaning,
                ...limitSettings(address, { timeoutMs, ...limits }),
              },
            })
            return await readRows(stream, limits, started)
          } catch (error) {
            throw toSqlError(error)
          }
        },
        async () => {
          // A server older than 2019 goes on when the connection is closed.
          await readLines(client, `KILL QUERY WHERE query_id = '${id}' ASYNC FORMAT TSV`).catch(() => {})
        },
      )
    },
    close: async () => {
      await slots.close()
      await client.close()
      // The driver keeps connections for later.
      agent.destroy()
    },
  }
}

/** The driver takes a class for its log. */
class SilentLogger {
  trace(): void {}
  debug(): void {}
  info(): void {}
  warn(): void {}
  error(): void {}
}

/** What the server holds a statement to, on its own. */
const limitSettings = (
  { maxScanRows }: ClickhouseAddress,
  { timeoutMs, maxRows, maxBytes }: Pick<RunOptions, 'timeoutMs' | 'maxRows' | 'maxBytes'>,
): Readonly<Record<string, string | number>> => ({
  readonly: '2',
  // In the request and not in the text, so that a text that stops short is an error.
  default_format: 'TabSeparatedWithNamesAndTypes',
  max_execution_time: Math.max(1, Math.ceil(timeoutMs / 1000)),
  // One row more than wanted shows that there are more.
  max_result_rows: String(Math.min(maxRows + 1, Number.MAX_SAFE_INTEGER)),
  max_result_bytes: String(Math.min(resultBytes(maxBytes), Number.MAX_SAFE_INTEGER)),
  result_overflow_mode: 'break',
  max_memory_usage: String(mostMemory),
  // The whole result is made before the first byte, so that an error is an error and never part of the rows.
  wait_end_of_query: 1,
  ...(maxScanRows !== null && { max_rows_to_read: String(maxScanRows) }),
})

const readLines = async (
  client: ClickHouseClient,
  query: string,
  options: Omit<Parameters<ClickHouseClient['exec']>[0], 'query'> = {},
): Promise<readonly string[]> => {
  const { stream } = await client.exec({ query, ...options })
  const lines: string[] = []
  for await (const line of createInterface({ input: stream })) lines.push(line)
  return lines
}

/** Lines of a stream. `readline` also ends them at other characters, which a text may hold. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of stream) {
    const text = rest + decoder.decode(part as Uint8Array, { stream: true })
    const lines = text.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

const readRows = async (
  stream: Readable,
  limits: Pick<RunOptions, 'maxRows' | 'maxBytes'>,
  started: number,
): Promise<ResultTable> => {
  const cap = makeRowCap(limits)
  const rows: ResultTable['rows'][number][] = []
  let names: readonly string[] | null = null
  let columns: ResultTable['columns'] = []
  let readers: readonly ReturnType<typeof makeToCell>[] = []
  let truncated: ResultTable['truncated'] = null
  for await (const line of linesOf(stream)) {
    const fields = line.split('\t')
    if (names === null) names = fields.map(unescapeText)
    else if (readers.length === 0) {
      const types = fields.map(unescapeText)
      columns = names.map((name, index) => ({ name, kind: kindOfType(types[index] ?? '') }))
      readers = types.map(makeToCell)
    } else {
      const row = readers.map((read, index) => read(fields[index] ?? '\\N'))
      truncated = cap.refuse(row)
      if (truncated !== null) break
      rows.push(row)
    }
  }
  stream.destroy()
  return { columns, rows, truncated, milliseconds: performance.now() - started }
}
