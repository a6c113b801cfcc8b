import type { Knex } from 'knex'
import { QuerentError } from '../domain/errors.ts'
import type { InTransaction, Tx } from '../domain/operations/jobs.ts'

/** The connection a query runs on: the given transaction, or the pool without one. */
export type Within = (tx?: Tx) => Knex

/**
 * Runs one statement with `$1` placeholders in an open transaction, for callers with their own SQL, such as the queue.
 */
export type ExecuteIn = (
  tx: Tx,
  sql: string,
  values?: readonly unknown[],
) => Promise<{ rows: Record<string, unknown>[] }>

/** Access to the store's transactions. Elsewhere a `Tx` is opaque; here it is knex's transaction. */
interface Transactions {
  readonly inTransaction: InTransaction
  readonly within: Within
  readonly executeIn: ExecuteIn
}

/** A connection of `pg`, which understands `$1`; knex's `raw` wants `?`, and SQL text cannot be converted safely. */
interface Connection {
  query(query: { text: string; values?: unknown[] }): Promise<{ rows: Record<string, unknown>[] }>
}

/** Transactions of one pool. */
export const makeTransactions = (knex: Knex): Transactions => ({
  inTransaction: work =>
    knex
      .transaction(transaction => work(asTx(transaction)))
      .catch((error: unknown) => {
        throw translateOutage(error)
      }),
  within: tx => (tx ? asTransaction(tx) : knex),
  executeIn: async (tx, text, values) => {
    // For a transaction, knex returns the one connection it runs on.
    const connection = (await asTransaction(tx).client.acquireConnection()) as Connection
    const { rows } = await connection.query({ text, ...(values ? { values: [...values] } : {}) })
    return { rows }
  },
})

const asTx = (transaction: Knex.Transaction): Tx => transaction as unknown as Tx

const asTransaction = (tx: Tx): Knex.Transaction => tx as unknown as Knex.Transaction

/** SQLSTATE classes of a broken connection, a server out of resources, and one that stops or starts. */
const outageClasses: ReadonlySet<string> = new Set(['08', '53', '57'])

const outageCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** SQLSTATE of a disk without room. */
const diskFull = '53100'

/** Messages of pg and knex without a code. */
const outageMessages =
  /^Connection terminated|^timeout exceeded when trying to connect|Timeout acquiring a connection/

/** Translates an error that says the store's server is unavailable into one with a code; others stay as they are. */
export const translateOutage = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof QuerentError) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // A canceled statement has a code of the same class, and is no outage.
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && code !== '57014'
  const isAway =
    outageCodes.has(code) ||
    (isSqlState && outageClasses.has(code.slice(0, 2))) ||
    outageMessages.test(error.message) ||
    (error instanceof AggregateError && error.errors.some(one => translateOutage(one) !== one))
  if (!isAway) return error
  return new QuerentError(
    'store-unavailable',
    code === diskFull
      ? `the store cannot be written (${error.message}); make room on the disk of its server, and work goes on by itself`
      : `the store cannot be reached (${error.message || code}); check DATABASE_URL and that its server is running`,
    { cause: error },
  )
}
