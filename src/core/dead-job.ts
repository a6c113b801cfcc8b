/** A job that failed for good: it was tried as often as its queue allows, or can never succeed. */
export interface DeadJob {
  readonly id: string
  /** The queue that it failed on. */
  readonly queue: string
  readonly failedAt: Date
  /** How often it was tried. */
  readonly attempts: number
  /** Code of the last error where it had one of ours. */
  readonly code: string | null
  /** What the last error said, cut. */
  readonly reason: string
}

/** The jobs that failed for good, kept until an admin decides what becomes of them, or for a month. */
export interface DeadJobs {
  /** The latest of them, the newest first, and how many there are in all. */
  list(most: number): Promise<{ readonly jobs: readonly DeadJob[]; readonly total: number }>
  /** Puts one back on its queue, with all its attempts. False when it is not there any more. */
  retry(id: string): Promise<boolean>
  /** Forgets one. False when it is not there any more. */
  drop(id: string): Promise<boolean>
}
