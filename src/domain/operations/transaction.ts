declare const tx: unique symbol

/** An open transaction of the store, opaque to everything but `store`, which opens it, and `jobs`, which joins it. */
export interface Tx {
  readonly [tx]: true
}

/** Runs `work` in a transaction: committed when it resolves, rolled back when it rejects. */
export type InTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
