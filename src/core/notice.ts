/** What one process tells all others, itself included. Payloads are ids and names, never texts of people. */
export interface Notifications {
  /** A question is to be stopped. */
  readonly stop: { readonly questionId: string }
  /** The index of a database was built anew by a process: others load it. */
  readonly 'index-changed': { readonly database: string; readonly fingerprint: string }
}

export type NotificationName = keyof Notifications

/** Tells all processes. A notice that is lost costs time alone: whoever waits for it also looks for itself. */
export interface NotificationBus {
  publish<N extends NotificationName>(name: N, notice: Notifications[N]): Promise<void>
  /** Returns how to hear no more. */
  subscribe<N extends NotificationName>(name: N, hear: (notice: Notifications[N]) => void): () => void
  close(): Promise<void>
}
