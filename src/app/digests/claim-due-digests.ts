import type { Digest } from '../../core/digest.ts'
import type { DigestRun } from '../../core/digest-run.ts'
import type { SendJob } from '../../core/job.ts'
import type { NextDue, ParsedSchedule } from '../../core/schedule.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'

/** Digests of one transaction; what is left is taken by the next. */
const BATCH = 100
/** A run that is claimed later than so is told to be late. */
const LATE_AFTER_MS = 10 * 60 * 1000

/** Puts every digest that is due on the queue; how many there were. */
export type ClaimDueDigests = () => Promise<number>

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
