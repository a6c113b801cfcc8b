/** On whose behalf statements run, and what for: who is told in the audit log and whose budgets pay. */
export interface RunContext {
  readonly origin: 'question' | 'edit' | 'export' | 'digest' | 'verified' | 'index' | 'command'
  /** Null where nobody is known. */
  readonly person: string | null
  readonly team: string | null
  readonly channel: string | null
  readonly questionId: string | null
  readonly digestId: string | null
}

/** Who typed a command of Querent in a shell, and which. */
export interface CommandCaller {
  /** The user of the operating system; null where it knows none. */
  readonly person: string | null
  /** Without its arguments, as `querent eval questions`. */
  readonly command: string
}

/** Runs work in a context: every statement within it, however deep, is booked on it. */
export type InRunContext = <T>(context: RunContext, work: () => Promise<T>) => Promise<T>
