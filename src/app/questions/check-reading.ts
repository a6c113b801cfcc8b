import type { DayReading, Reading, ReadingLimits } from '../../core/reading-ledger.ts'
import type { RunContext } from '../../core/run-context.ts'
import { SqlError } from '../../core/sql-error.ts'
import { dayOf } from '../../lib/day-of.ts'
import { nextAtHour } from '../../lib/next-at-hour.ts'

/** Rejects with an `SqlError` of the class `over-budget` where nothing more may be read on a context. */
export type CheckReading = (context: RunContext) => Promise<void>

/**
 * Whether what is run is on nobody's account, because nobody asked for it: measuring a database, and looking whether
 * verified queries still run. What somebody saves as verified is about a question, and is theirs.
 */
export const isUpkeep = ({ origin, questionId }: RunContext): boolean =>
  origin === 'index' || (origin === 'verified' && questionId === null)

/**
 * Makes the check. It looks at what is booked: statements that are under way when a limit is reached are finished and
 * counted. Without limits nothing is read.
 */
export const makeCheckReading = (deps: {
  readonly limits: ReadingLimits
  readonly readingOn: (
    day: string,
    of: { readonly person: string | null; readonly channel: string | null },
  ) => Promise<DayReading>
  readonly readFor: (questionId: string) => Promise<Reading>
  readonly now: () => Date
  /** Whose midnight (IANA name) a day ends at. */
  readonly timeZone: string
}): CheckReading => {
  const { limits, timeZone } = deps
  const ofDay = [
    { key: 'PerUserPerDay', of: 'ofPerson', whose: 'for you today' },
    { key: 'PerChannelPerDay', of: 'ofChannel', whose: 'for this channel today' },
    { key: 'PerDay', of: 'ofAll', whose: 'for everybody today' },
  ] as const
  const isLimited = (key: 'PerQuestion' | (typeof ofDay)[number]['key']): boolean =>
    limits[`rows${key}`] !== null || limits[`seconds${key}`] !== null

  const hold = (read: Reading, key: 'PerQuestion' | (typeof ofDay)[number]['key'], whose: string): void => {
    // How long it takes is the same wherever the person is.
    const again =
      key === 'PerQuestion'
        ? ''
        : ` More can be read in ${untilMidnight(deps.now(), timeZone)}, from midnight on (${timeZone}).`
    const [rows, seconds] = [limits[`rows${key}`], limits[`seconds${key}`]]
    if (rows !== null && read.rows >= rows)
      throw over(
        `${count(read.rows)} rows were read ${whose}, and ${count(rows)} may be`,
        again,
        `rows${key}`,
      )
    if (seconds !== null && read.milliseconds >= seconds * 1000)
      throw over(
        `queries ran ${count(Math.round(read.milliseconds / 1000))} s ${whose}, and ${count(seconds)} s they may`,
        again,
        `seconds${key}`,
      )
  }

  return async context => {
    if (isUpkeep(context)) return
    const { person, channel, questionId } = context
    if (questionId !== null && isLimited('PerQuestion'))
      hold(await deps.readFor(questionId), 'PerQuestion', 'for this question')
    if (!ofDay.some(({ key }) => isLimited(key))) return
    const spent = await deps.readingOn(dayOf(deps.now(), timeZone), { person, channel })
    for (const { key, of, whose } of ofDay) hold(spent[of], key, whose)
  }
}

const over = (what: string, again: string, key: string): SqlError =>
  new SqlError('over-budget', `The limit is reached: ${what}.${again} (budget.${key})`)

/** “5 h 12 min”, “40 min”; rounded up, so that it is never too soon. */
const untilMidnight = (now: Date, timeZone: string): string => {
  const minutes = Math.ceil((nextAtHour(now, 0, timeZone).getTime() - now.getTime()) / 60_000)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}

const count = (number: number): string => number.toLocaleString('en-US')
