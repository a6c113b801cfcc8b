import type { Knex } from 'knex'
import { QuerentError } from '../domain/errors.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'

/** Where a query runs: in the given transaction, or by itself when there is none. */
export type Within = (tx?: Tx) => Knex

/** Runs one statement with `$1` placeholders in an open transaction: for those who bring SQL of their own, as the queue does. */
export type ExecuteIn = (
  tx: Tx,
  sql: string,
  values?: readonly unknown[],
) => Promise<{ rows: Record<string, unknown>[] }>

/** The ways into the store's transactions. To everybody else a `Tx` is opaque; here it is knex's transaction. */
interface Transactions {
  readonly inTransaction: InTransaction
  readonly within: Within
  readonly executeIn: ExecuteIn
}

/** A connection of `pg`, which understands `$1`; knex's own `raw` wants `?`, and no text can be turned into that safely. */
interface Connection {
  query(query: { text: string; values?: unknown[] }): Promise<{ rows: Record<string, unknown>[] }>
}

/** Makes the transactions of one pool. */
export const makeTransactions = (knex: Knex): Transactions => ({
  inTransaction: work =>
    knex
      .transaction(transaction => work(asTx(transaction)))
      .catch((error: unknown) => {
        throw translateOutage(error)
      }),
  within: tx => (tx ? asTransaction(tx) : knex),
  executeIn: async (tx, text, values) => {
    // Asked of a transaction, knex gives the one connection that it runs on.
    const connection = (await asTransaction(tx).client.acquireConnection()) as Connection
    const { rows } = await connection.query({ text, ...(values ? { values: [...values] } : {}) })
    return { rows }
  },
})

const asTx = (transaction: Knex.Transaction): Tx => transaction as unknown as Tx

const asTransaction = (tx: Tx): Knex.Transaction => tx as unknown as Knex.Transaction

/** SQLSTATE classes of a connection that broke, a server without room, and one that stops or starts. */
const outageClasses: ReadonlySet<string> = new Set(['08', '53', '57'])

const outageCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** What pg and knex say where they give no code. */
const outageMessages =
  /^Connection terminated|^timeout exceeded when trying to connect|Timeout acquiring a connection/

/** An error of our store as it is, but for one that says that its server is away: that has a code to act on. */
export const translateOutage = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof QuerentError) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // A statement that was cancelled has a code of the same class, and is no outage.
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && code !== '57014'
  const isAway =
    outageCodes.has(code) ||
    (isSqlState && outageClasses.has(code.slice(0, 2))) ||
    outageMessages.test(error.message) ||
    (error instanceof AggregateError && error.errors.some(one => translateOutage(one) !== one))
  if (!isAway) return error
  return new QuerentError(
    'store-unavailable',
    `the store cannot be reached (${error.message || code}); check DATABASE_URL and that its server is running`,
    { cause: error },
  )
}
