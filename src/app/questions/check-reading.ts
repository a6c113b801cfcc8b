import type { ReadingAccount, ReadingLedger, ReadingLimits } from '../../core/reading-ledger.ts'
import type { RunContext } from '../../core/run-context.ts'
import { dayOf } from '../../lib/day-of.ts'
import { type Days, holdReading, limitsThatHold } from './hold-reading.ts'

/** Rejects with an `SqlError` of the class `over-budget` where nothing more may be read on a context. */
export type CheckReading = (context: RunContext) => Promise<void>

/**
 * Whether what is run is on nobody's account, because nobody asked for it: measuring a database, and looking whether
 * verified queries still run. What somebody saves as verified is about a question, and is theirs.
 */
export const isUpkeep = ({ origin, questionId }: RunContext): boolean =>
  origin === 'index' || (origin === 'verified' && questionId === null)

/** On whose account a context is, at a moment. */
export const accountOf = (
  { person, channel, questionId }: RunContext,
  at: Date,
  timeZone: string,
): ReadingAccount => ({ day: dayOf(at, timeZone), person, channel, questionId })

/**
 * Makes the check before work is begun: of what is booked alone, since what is reserved may still come to less. Without
 * limits nothing is read.
 */
export const makeCheckReading = (
  deps: Days & {
    readonly limits: ReadingLimits
    readonly standingOf: ReadingLedger['standingOf']
  },
): CheckReading => {
  const limits = limitsThatHold(deps.limits)
  return async context => {
    if (limits.length === 0 || isUpkeep(context)) return
    const account = accountOf(context, deps.now(), deps.timeZone)
    holdReading(await deps.standingOf(account), limits, deps)
  }
}
