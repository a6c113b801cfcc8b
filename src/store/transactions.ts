import type { Knex } from 'knex'
import type { InTransaction, Tx } from '../core/tx.ts'
import { translateOutage } from './name-outage.ts'

/** Where a query runs: in the given transaction, or by itself when there is none. */
export type Within = (tx?: Tx) => Knex

/** Runs one statement with `$1` placeholders in an open transaction: for those who bring SQL of their own, as the queue does. */
export type ExecuteIn = (
  tx: Tx,
  sql: string,
  values?: readonly unknown[],
) => Promise<{ rows: Record<string, unknown>[] }>

/** The ways into the store's transactions. To everybody else a `Tx` is opaque; here it is knex's transaction. */
export interface Transactions {
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
