declare const tx: unique symbol

/** An open transaction of our own store, opaque to everyone but `store` (which makes it) and `jobs` (which joins it). */
export interface Tx {
  readonly [tx]: true
}

/** Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. */
export type InTransaction = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
