import { setTimeout as delay } from 'node:timers/promises'
import {
  cancelledError,
  closedError,
  Interrupted,
  interruptible,
  onAbort,
  type TransactionOptions,
} from './read-only-transaction.ts'
import { makeSemaphore } from './semaphore.ts'

/** Connections to one server that only allow read-only transactions, which are rolled back. */
export interface ReadOnlyPool<Connection> {
  /** Rejects with `SqlError`, `QuerentError('database-unreachable')` or what a driver throws at a cap. */
  readonly inTransaction: <T>(
    options: TransactionOptions,
    work: (connection: Connection) => Promise<T>,
  ) => Promise<T>
  readonly close: () => Promise<void>
}

/** How long a rollback can take before the connection is discarded. */
const ROLLBACK_MS = 5000

/** A pool over the pool of a driver. */
export const makeReadOnlyPool = <Connection>(driver: {
  /** Connections at a time. */
  readonly size: number
  readonly connect: () => Promise<Connection>
  readonly connectionError: (error: unknown) => Error
  /** Begins a transaction and works in it, until `closing` fires. Throws `Interrupted` if it was interrupted. */
  readonly transact: <T>(
    connection: Connection,
    options: TransactionOptions,
    work: (connection: Connection) => Promise<T>,
    closing: AbortSignal,
  ) => Promise<T>
  /** Ends the transaction. Returns whether the connection can be used again. */
  readonly rollBack: (connection: Connection) => Promise<boolean>
  /** Whether the connection is worth a rollback after the work failed with this error. */
  readonly survives: (error: unknown, connection: Connection) => boolean
  readonly release: (connection: Connection) => void
  readonly destroy: (connection: Connection) => void
  readonly end: () => Promise<void>
}): ReadOnlyPool<Connection> => {
  const slots = makeSemaphore(driver.size)
  const closing = new AbortController()

  const connect = async (signal: AbortSignal | undefined): Promise<Connection> => {
    const connecting = driver.connect()
    try {
      return await interruptible(
        () => connecting,
        [onAbort(signal, cancelledError), onAbort(closing.signal, closedError)],
        async () => {},
      )
    } catch (error) {
      if (!(error instanceof Interrupted)) throw driver.connectionError(error)
      void connecting.then(driver.release, () => {})
      throw error.reason
    }
  }

  const rollBack = (connection: Connection): Promise<boolean> =>
    Promise.race([driver.rollBack(connection).catch(() => false), delay(ROLLBACK_MS, false, { ref: false })])

  return {
    inTransaction: async (options, work) => {
      const release = await slots.acquire(options.signal)
      try {
        if (closing.signal.aborted) throw closedError()
        const connection = await connect(options.signal)
        let isReusable = false
        try {
          const result = await driver.transact(connection, options, work, closing.signal)
          isReusable = await rollBack(connection)
          return result
        } catch (error) {
          if (error instanceof Interrupted) throw error.reason
          if (driver.survives(error, connection)) isReusable = await rollBack(connection)
          throw error
        } finally {
          if (isReusable) driver.release(connection)
          else driver.destroy(connection)
        }
      } finally {
        release()
      }
    },
    close: async () => {
      if (closing.signal.aborted) return
      closing.abort()
      await driver.end()
    },
  }
}
