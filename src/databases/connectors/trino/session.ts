import type { RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { type HttpClient, makeHttpClient } from '../http/client.ts'
import { makeStatementSlots } from '../http/statement-slots.ts'
import { makeRowCap } from '../row-cap.ts'
import type { TrinoAddress } from './address.ts'
import { lostWorker } from './errors.ts'
import { baseHeaders, beginStatement, type TrinoStatement } from './protocol.ts'
import { kindOfType, toCell } from './values.ts'

/** Statements on one cluster, each in a read-only transaction of its own that is rolled back. */
export interface TrinoSession {
  /** Rejects with `SqlError`. */
  readonly run: (sql: string, options: RunOptions) => Promise<ResultTable>
  readonly close: () => Promise<void>
}

/** How long a transaction that is no longer needed is waited for. */
const rollbackMs = 3_000

export const makeTrinoSession = (options: {
  readonly address: TrinoAddress
  readonly size: number
  readonly timeZone: string | null
  readonly connectMilliseconds: number
}): TrinoSession => {
  const { address } = options
  const client = makeHttpClient({
    origin: address.origin,
    headers: baseHeaders(address, options.timeZone),
    authorityFile: address.authorityFile,
    connectMilliseconds: options.connectMilliseconds,
  })
  const slots = makeStatementSlots(options.size)
  const place = placeHeaders(address)

  const runOnce: TrinoSession['run'] = async (sql, { timeoutMs, signal, ...limits }) => {
    let statement: TrinoStatement | null = null
    let transaction: string | null = null
    const limit = limitHeaders(address, timeoutMs)
    try {
      return await slots.run(
        { timeoutMs, ...(signal && { signal }) },
        async stopping => {
          transaction = await beginReadOnly(client, place, stopping)
          statement = beginStatement(client, sql, {
            ...place,
            ...limit,
            'x-trino-transaction-id': transaction,
          })
          return await readRows(statement, limits, stopping)
        },
        async () => statement?.cancel(),
      )
    } finally {
      // Idle transactions end by themselves after minutes; until then they count.
      if (transaction !== null) await rollBack(client, place, transaction)
    }
  }
  const workers = watchWorkers(() => runOnce(activeNodes, nodeLimits))

  return {
    run: async (sql, options) => {
      workers.look()
      try {
        return await runOnce(sql, options)
      } catch (error) {
        const isTimeout = error instanceof SqlError && error.errorClass === 'timeout'
        throw isTimeout && (await workers.hasLostOne()) ? lostWorker(error) : error
      }
    },
    close: async () => {
      await slots.close()
      await client.close()
    },
  }
}

const activeNodes = "SELECT node_id FROM system.runtime.nodes WHERE state = 'active'"

const nodeLimits: RunOptions = { timeoutMs: 5_000, maxRows: 10_000, maxBytes: 1_000_000 }

/** How old the list of workers may be when a statement begins. */
const freshMs = 60_000

/**
 * Remembers which nodes a cluster has. By default a coordinator waits five minutes for a node that died, longer than a
 * statement may take, so that the statement ends at its time limit and nothing says why.
 */
const watchWorkers = (
  list: () => Promise<ResultTable>,
): {
  /** Reads the list again behind what runs, if it is old. */
  readonly look: () => void
  /** Whether a node is gone that was there before. False if nobody can tell. */
  readonly hasLostOne: () => Promise<boolean>
} => {
  let known: ReadonlySet<string> = new Set()
  let readAt = Number.NEGATIVE_INFINITY
  const read = async (): Promise<ReadonlySet<string>> => {
    readAt = performance.now()
    return new Set((await list()).rows.map(([node]) => String(node)))
  }
  return {
    look: () => {
      if (performance.now() - readAt < freshMs) return
      read().then(
        nodes => {
          known = nodes
        },
        () => {},
      )
    },
    hasLostOne: async () => {
      try {
        const before = known
        known = await read()
        return [...before].some(node => !known.has(node))
      } catch {
        return false
      }
    },
  }
}

const placeHeaders = ({ home, others, role }: TrinoAddress): Readonly<Record<string, string>> => {
  const catalogs = [...new Set([home, ...others].flatMap(place => (place === null ? [] : [place.catalog])))]
  return {
    ...(home !== null && { 'x-trino-catalog': home.catalog }),
    ...(home?.schema != null && { 'x-trino-schema': home.schema }),
    ...(role !== null && {
      'x-trino-role': catalogs
        .map(catalog => `${catalog}=${encodeURIComponent(`ROLE{"${role}"}`)}`)
        .join(','),
    }),
  }
}

/** The server ends what takes too long or reads too much, should we be gone by then. */
const limitHeaders = (
  { maxScanBytes }: TrinoAddress,
  timeoutMs: number,
): Readonly<Record<string, string>> => ({
  'x-trino-session': [
    `query_max_run_time=${Math.max(1, Math.ceil(timeoutMs))}ms`,
    ...(maxScanBytes === null ? [] : [`query_max_scan_physical_bytes=${maxScanBytes}B`]),
  ].join(','),
})

const beginReadOnly = async (
  client: HttpClient,
  place: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> => {
  let transaction: string | undefined
  const begin = beginStatement(
    client,
    'START TRANSACTION READ ONLY',
    { ...place, 'x-trino-transaction-id': 'NONE' },
    headers => {
      transaction = headers['x-trino-started-transaction-id'] ?? transaction
    },
  )
  for await (const _ of begin.pages(signal));
  if (transaction === undefined)
    throw new SqlError('permission', 'The server began no read-only transaction, so nothing was sent to it.')
  return transaction
}

const rollBack = async (
  client: HttpClient,
  place: Readonly<Record<string, string>>,
  transaction: string,
): Promise<void> => {
  try {
    const end = beginStatement(client, 'ROLLBACK', { ...place, 'x-trino-transaction-id': transaction })
    for await (const _ of end.pages(AbortSignal.timeout(rollbackMs)));
  } catch {
    // It has ended with its statement, or ends by itself.
  }
}

const readRows = async (
  statement: TrinoStatement,
  limits: Pick<RunOptions, 'maxRows' | 'maxBytes'>,
  signal: AbortSignal,
): Promise<ResultTable> => {
  const started = performance.now()
  const cap = makeRowCap(limits)
  const rows: ResultTable['rows'][number][] = []
  let columns: ResultTable['columns'] = []
  let readers: readonly ReturnType<typeof toCell>[] = []
  const finish = (truncated: ResultTable['truncated']): ResultTable => ({
    columns,
    rows,
    truncated,
    milliseconds: performance.now() - started,
  })
  for await (const page of statement.pages(signal)) {
    if (page.columns !== null && readers.length === 0) {
      columns = page.columns.map(({ name, type }) => ({ name, kind: kindOfType(type) }))
      readers = page.columns.map(({ typeSignature }) => toCell(typeSignature))
    }
    for (const values of page.rows) {
      const row = readers.map((read, index) => read(values[index]))
      const cut = cap.refuse(row)
      if (cut !== null) {
        await statement.cancel()
        return finish(cut)
      }
      rows.push(row)
    }
  }
  return finish(null)
}
