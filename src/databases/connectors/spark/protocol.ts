import { setTimeout as delay } from 'node:timers/promises'
import { DBSQLClient } from '@databricks/sql'
import { SqlError } from '../../../domain/errors.ts'
import type { SparkAddress } from './address.ts'
import { failureError, type ThriftFailure, toSqlError } from './errors.ts'
import type { ThriftColumn } from './values.ts'

type Driver = Awaited<ReturnType<DBSQLClient['getDriver']>>

type SessionHandle = NonNullable<Awaited<ReturnType<Driver['openSession']>>['sessionHandle']>

type OperationHandle = NonNullable<Awaited<ReturnType<Driver['executeStatement']>>['operationHandle']>

/** A session on a server. Its statements are sent as they are. */
export interface SparkProtocol {
  /** Begins a statement, and resolves when the server has it. Rejects with `SqlError`. */
  readonly begin: (sql: string, timeoutMs: number) => Promise<Operation>
  readonly tables: () => Promise<Operation>
  readonly columns: () => Promise<Operation>
  readonly close: () => Promise<void>
}

/** One statement on the server, until it is closed. */
export interface Operation {
  /** Waits until its rows can be read. Rejects with `SqlError`. */
  readonly ready: (signal: AbortSignal) => Promise<void>
  readonly columns: () => Promise<readonly { readonly name: string }[]>
  /** Its next rows, by columns; null after the last. */
  readonly fetch: (rows: number) => Promise<readonly ThriftColumn[] | null>
  readonly isAtWork: () => Promise<boolean>
  readonly cancel: () => Promise<void>
  readonly close: () => Promise<void>
}

/** `TOperationState` of the protocol. */
const state = {
  initialized: 0,
  running: 1,
  finished: 2,
  canceled: 3,
  closed: 4,
  error: 5,
  unknown: 6,
  pending: 7,
  timedOut: 8,
}

const working: ReadonlySet<number | undefined> = new Set([state.initialized, state.running, state.pending])

/** `TStatusCode`: success, success with information, still executing. */
const goodStatuses: ReadonlySet<number | undefined> = new Set([0, 1, 2])

/** Version 10 of Hive's protocol, which Spark's own server speaks; Databricks is told of a newer one by the driver. */
const hiveProtocol = 9

const fetchNext = 0

/** The first answer comes at once, later ones less often. */
const pollMs = [5, 10, 20, 50, 100, 200] as const

const demand = ({ status }: { readonly status: ThriftFailure & { readonly statusCode?: number } }): void => {
  if (!goodStatuses.has(status.statusCode)) throw failureError(status)
}

const asSqlErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw toSqlError(error)
  }
}

const silentLogger = { log: (): void => {} }

/**
 * Opens a session. The driver's own sessions give rows as objects, in which two columns of one name are one, and whole
 * numbers as doubles; so the calls of the protocol are used instead, which it declares as well.
 */
export const openSparkProtocol = async (
  address: SparkAddress,
  settings: Readonly<Record<string, string>>,
): Promise<SparkProtocol> => {
  const client = new DBSQLClient({ logger: silentLogger })
  client.on('error', () => {})
  await client.connect({
    host: address.host,
    port: address.port,
    path: address.path,
    authType: 'custom',
    provider: { authenticate: async () => ({ Authorization: address.authorization }) },
    userAgentEntry: 'querent',
    ...(address.authority && { customCaCert: address.authority }),
    // Nothing about our use goes to anybody.
    telemetryEnabled: false,
    // A statement is sent once. Whoever asked decides whether to ask again.
    retryMaxAttempts: 1,
  })
  const driver = await client.getDriver()
  const agent = await (await client.getConnectionProvider()).getAgent()
  const disconnect = async (): Promise<void> => {
    await client.close()
    // The driver keeps connections for later.
    agent?.destroy()
  }
  const opened = await driver.openSession({
    ...(address.kind === 'spark' && { client_protocol: hiveProtocol }),
    ...(address.kind === 'databricks' &&
      (address.catalog !== null || address.schema !== null) && {
        initialNamespace: {
          ...(address.catalog !== null && { catalogName: address.catalog }),
          ...(address.schema !== null && { schemaName: address.schema }),
        },
      }),
    configuration: {
      ...settings,
      ...(address.kind === 'spark' && address.schema !== null && { 'use:database': address.schema }),
    },
    canUseMultipleCatalogs: true,
  } as Parameters<Driver['openSession']>[0])
  try {
    demand(opened)
  } catch (error) {
    await disconnect()
    throw error
  }
  const sessionHandle = opened.sessionHandle as SessionHandle

  const operationOf = ({
    operationHandle,
    ...answer
  }: {
    readonly status: ThriftFailure
    readonly operationHandle?: OperationHandle | undefined
  }): Operation => {
    demand(answer)
    if (!operationHandle)
      throw new SqlError('connection', 'The server did not say how to follow the statement.')
    return makeOperation(driver, operationHandle)
  }
  const everything = {
    sessionHandle,
    ...(address.catalog !== null && { catalogName: address.catalog }),
    schemaName: address.schema ?? '%',
    tableName: '%',
  }

  return {
    begin: (sql, timeoutMs) =>
      asSqlErrors(async () =>
        operationOf(
          await driver.executeStatement({
            sessionHandle,
            statement: sql,
            runAsync: true,
            queryTimeout: Math.max(1, Math.ceil(timeoutMs / 1000)),
            canReadArrowResult: false,
          } as unknown as Parameters<Driver['executeStatement']>[0]),
        ),
      ),
    tables: () =>
      asSqlErrors(async () =>
        operationOf(await driver.getTables(everything as Parameters<Driver['getTables']>[0])),
      ),
    columns: () =>
      asSqlErrors(async () =>
        operationOf(
          await driver.getColumns({ ...everything, columnName: '%' } as Parameters<Driver['getColumns']>[0]),
        ),
      ),
    close: async () => {
      await driver.closeSession({ sessionHandle }).catch(() => {})
      await disconnect()
    },
  }
}

const makeOperation = (driver: Driver, operationHandle: OperationHandle): Operation => {
  const askState = async (): Promise<{ readonly operationState?: number } & ThriftFailure> => {
    const answer = await driver.getOperationStatus({ operationHandle } as Parameters<
      Driver['getOperationStatus']
    >[0])
    demand(answer as unknown as Parameters<typeof demand>[0])
    return answer as { readonly operationState?: number } & ThriftFailure
  }
  return {
    ready: signal =>
      asSqlErrors(async () => {
        for (let poll = 0; !signal.aborted; poll += 1) {
          const now = await askState()
          if (now.operationState === state.finished) return
          if (now.operationState === state.timedOut)
            throw new SqlError('timeout', 'The server stopped the statement at its time limit.', {
              driverCode: 'TIMEDOUT',
            })
          if (now.operationState === state.canceled || now.operationState === state.closed)
            throw new SqlError('cancelled', 'The statement was canceled in the server.', {
              driverCode: 'CANCELED',
            })
          if (!working.has(now.operationState)) throw failureError(now)
          await pause(pollMs[Math.min(poll, pollMs.length - 1)] ?? 200, signal)
        }
      }),
    columns: () =>
      asSqlErrors(async () => {
        const answer = await driver.getResultSetMetadata({ operationHandle } as Parameters<
          Driver['getResultSetMetadata']
        >[0])
        demand(answer as unknown as Parameters<typeof demand>[0])
        return (answer.schema?.columns ?? []).map(({ columnName }) => ({ name: String(columnName) }))
      }),
    fetch: rows =>
      asSqlErrors(async () => {
        const answer = await driver.fetchResults({
          operationHandle,
          orientation: fetchNext,
          maxRows: rows,
        } as unknown as Parameters<Driver['fetchResults']>[0])
        demand(answer as unknown as Parameters<typeof demand>[0])
        const columns = (answer.results?.columns ?? []) as unknown as readonly ThriftColumn[]
        const isEmpty = columns.every(column =>
          Object.values(column).every(list => list == null || list.values?.length === 0),
        )
        return isEmpty ? null : columns
      }),
    isAtWork: async () => {
      try {
        return working.has((await askState()).operationState)
      } catch {
        // The server does not know it any more.
        return false
      }
    },
    cancel: async () => {
      await driver.cancelOperation({ operationHandle } as Parameters<Driver['cancelOperation']>[0])
    },
    close: async () => {
      await driver.closeOperation({ operationHandle } as Parameters<Driver['closeOperation']>[0])
    },
  }
}

/** Ends early, and without an error, when the signal fires. */
const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await delay(milliseconds, null, { signal }).catch(() => {})
}
