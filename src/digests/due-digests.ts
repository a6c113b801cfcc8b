import type { Digest, DigestRun, NextDue, ParsedSchedule } from '../domain/digest.ts'
import type { SendJob } from '../domain/operations/jobs.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import { nextDue } from './schedule/next-due.ts'

/** Digests of one transaction; what is left is taken by the next. */
const BATCH = 100

/** A run that is claimed later than so is told to be late. */
const LATE_AFTER_MS = 10 * 60 * 1000

/** Puts every digest that is due on the queue; how many there were. */
type ClaimDueDigests = () => Promise<number>

/**
 * Makes the use case. The run, the job and the next due time are one transaction, so that a due time is claimed once,
 * however many processes look. Of the due times that passed while nobody looked the last is made up for, once.
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
      const taken = await deps.inTransaction(async tx => {
        const due = await deps.lockDue(now, BATCH, tx)
        for (const digest of due) await claim(digest, now, tx)
        return due.length
      })
      claimed += taken
      if (taken < BATCH) return claimed
    }
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Beyond so many it is enough to know that there were at least so many. */
const MAX_COUNTED = 5_000

/** Due times that have come: how many (5,000 for more), and the last of them. */
interface MissedRuns {
  readonly last: Date
  readonly count: number
}

/** Counts the due times from `first`, which is one, until `now`. */
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

/** What is due so often was due within a day or so; the window widens until one is found. */
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
