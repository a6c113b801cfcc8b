import type { Digest, DigestRun, NextDue, ParsedSchedule } from '../domain/digests/digest.ts'
import type { InTransaction, SendJob, Tx } from '../domain/operations/jobs.ts'
import { nextDue } from './schedule/next-due.ts'

/** Digests claimed in one transaction; the next one takes the rest. */
const BATCH = 100

/** A run claimed later than this is marked late. */
const LATE_AFTER_MS = 10 * 60 * 1000

/** Queues every due digest and returns how many there were. */
type ClaimDueDigests = () => Promise<number>

/**
 * The run, the job and the next due time are one transaction, so each due time is claimed once, however many processes
 * look. If several due times passed unnoticed, only the last one runs, once.
 */
export const makeClaimDueDigests = (deps: {
  readonly inTransaction: InTransaction
  readonly lockDue: (now: Date, most: number, tx: Tx) => Promise<readonly Digest[]>
  readonly change: (id: string, changes: Pick<Digest, 'nextDue'>, tx: Tx) => Promise<unknown>
  readonly insertRun: (run: DigestRun, tx: Tx) => Promise<boolean>
  readonly sendJob: SendJob
  readonly nextDue: NextDue
  readonly missedDue: (
    schedule: ParsedSchedule,
    given: { readonly first: Date; readonly now: Date },
  ) => { readonly last: Date; readonly count: number }
  readonly now: () => Date
}): ClaimDueDigests => {
  const claim = async ({ id, team, schedule, nextDue }: Digest, now: Date, tx: Tx): Promise<void> => {
    const { last, count } = deps.missedDue(schedule, { first: nextDue ?? now, now })
    const isLate = count > 1 || now.getTime() - last.getTime() > LATE_AFTER_MS
    const isNew = await deps.insertRun(
      {
        digestId: id,
        scheduledFor: last,
        kind: isLate ? 'late' : 'due',
        missed: count,
        request: null,
        runBy: null,
        claimedAt: now,
        ended: null,
      },
      tx,
    )
    if (isNew)
      await deps.sendJob('digest', { digestId: id, scheduledFor: last.toISOString() }, { tx, group: team })
    await deps.change(id, { nextDue: deps.nextDue(schedule, now) }, tx)
  }
  return async () => {
    let claimed = 0
    for (;;) {
      const now = deps.now()
      const claims = await deps.inTransaction(async tx => {
        const due = await deps.lockDue(now, BATCH, tx)
        for (const digest of due) await claim(digest, now, tx)
        return due.length
      })
      claimed += claims
      if (claims < BATCH) return claimed
    }
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Counting stops here; more precision is not useful. */
const MAX_COUNTED = 5_000

/** Due times that have passed: how many (5,000 means at least that), and the last of them. */
interface MissedRuns {
  readonly last: Date
  readonly count: number
}

/** Counts the due times from `first`, itself due, until `now`. */
export const countMissedRuns = (
  schedule: ParsedSchedule,
  { first, now }: { readonly first: Date; readonly now: Date },
): MissedRuns => {
  let last = first
  let count = 1
  for (let next = nextDue(schedule, last); next !== null && next <= now; next = nextDue(schedule, last)) {
    last = next
    count++
    if (count === MAX_COUNTED) return { last: lastUntil(schedule, now) ?? last, count }
  }
  return { last, count }
}

/** Something due that often was due within a day or so; the window widens until a time is found. */
const lastUntil = (schedule: ParsedSchedule, now: Date): Date | null => {
  for (let days = 1; days <= 400; days *= 4) {
    let due = nextDue(schedule, new Date(now.getTime() - days * DAY_MS))
    if (due === null || due > now) continue
    for (let next = nextDue(schedule, due); next !== null && next <= now; next = nextDue(schedule, next))
      due = next
    return due
  }
  return null
}
