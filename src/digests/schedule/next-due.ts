import { IANAZone } from 'luxon'
import type { NextDue } from '../../domain/digest.ts'
import { type CronDays, parseCron } from './cron.ts'

const MINUTE_MS = 60_000

const DAY_MS = 24 * 60 * MINUTE_MS

/** From one 29 February that is a Monday to the next it can be 40 years. */
const MAX_DAYS = 41 * 366

/**
 * The first due time after a moment, by the wall clock of the schedule's zone. A time that a clock change skips is due
 * right after the change; a time that occurs twice is due the first time. A schedule due in every hour follows elapsed
 * hours instead: nothing is made up for, and both times count. Times that fall on the same moment are one.
 */
export const nextDue: NextDue = ({ cron, timeZone }, after) => {
  const days = parseCron(cron)
  return days && nextMatch(days, zoneOffsets(timeZone), after)
}

const nextMatch = (days: CronDays, offsetAt: OffsetAt, after: Date): Date | null => {
  const moment = after.getTime()
  const wall = moment + offsetAt(moment) * MINUTE_MS
  // Starts a day early: a time that yesterday's clock change skipped may be due today.
  const first = Math.floor(wall / DAY_MS) - 1
  for (let day = first; day < first + MAX_DAYS; day++) {
    if (!days.isOn(calendarDay(day))) continue
    const due = firstDueOn(day * DAY_MS, days, offsetAt, moment)
    if (due !== null) return new Date(due)
  }
  return null
}

/** The first due moment of a day after another moment. Near a clock change they may be out of order. */
const firstDueOn = (midnight: number, days: CronDays, offsetAt: OffsetAt, after: number): number | null => {
  const before = offsetAt(midnight - DAY_MS - DAY_MS)
  const isPlain =
    before === offsetAt(midnight + DAY_MS + DAY_MS) && before === offsetAt(midnight + DAY_MS / 2)
  if (isPlain) {
    const at = (minute: number): number => midnight + (minute - before) * MINUTE_MS
    const minute = days.minutes.find(minute => at(minute) > after)
    return minute === undefined ? null : at(minute)
  }
  const due = days.minutes
    .flatMap(minute => {
      const found = momentsOfLocalTime(midnight + minute * MINUTE_MS, offsetAt)
      if (days.everyHour) return found.kind === 'shown' ? found.moments : []
      return found.kind === 'shown' ? found.moments.slice(0, 1) : [found.after]
    })
    .filter(moment => moment > after)
  return due.length === 0 ? null : Math.min(...due)
}

const calendarDay = (day: number) => {
  const date = new Date(day * DAY_MS)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return {
    month: month + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    lastDay: new Date(Date.UTC(year, month + 1, 0)).getUTCDate(),
  }
}

const HOUR_MS = 60 * MINUTE_MS

/** More than any clock change: a whole day, as in Samoa in 2011. */
const DAY_RANGE_MS = 26 * HOUR_MS

/** Minutes by which the clocks of a zone are ahead of UTC at a moment. */
type OffsetAt = (moment: number) => number

/** Since time zones exist, clocks have only changed on quarter hours. */
const QUARTER_MS = 15 * MINUTE_MS

/** Cached quarter hours of one zone. */
const MAX_CACHED = 10_000

const offsetCache = new Map<string, Map<number, number>>()

/**
 * The offsets of an IANA zone, cached: asking the runtime takes 13 µs, and a day near a clock change needs a thousand.
 */
const zoneOffsets = (timeZone: string): OffsetAt => {
  const zone = IANAZone.create(timeZone)
  const known = offsetCache.get(timeZone) ?? new Map<number, number>()
  offsetCache.set(timeZone, known)
  return moment => {
    const quarter = Math.floor(moment / QUARTER_MS)
    const found = known.get(quarter)
    if (found !== undefined) return found
    if (known.size >= MAX_CACHED) known.clear()
    const offset = zone.offset(quarter * QUARTER_MS)
    known.set(quarter, offset)
    return offset
  }
}

/**
 * When the clocks show a wall time: once, twice, or never; then also the first moment after the change that skips it.
 */
type LocalTimeMoments =
  | { readonly kind: 'shown'; readonly moments: readonly number[] }
  | { readonly kind: 'skipped'; readonly after: number }

/** Finds when clocks show a wall time, given as if it were UTC. All times are milliseconds. */
const momentsOfLocalTime = (wall: number, offsetAt: OffsetAt): LocalTimeMoments => {
  const before = offsetAt(wall - DAY_RANGE_MS)
  const after = offsetAt(wall + DAY_RANGE_MS)
  if (before === after) return { kind: 'shown', moments: [wall - before * MINUTE_MS] }
  const moments = [before, after]
    .map(offset => ({ offset, moment: wall - offset * MINUTE_MS }))
    .filter(({ offset, moment }) => offsetAt(moment) === offset)
    .map(({ moment }) => moment)
    .sort((a, b) => a - b)
  if (moments.length > 0) return { kind: 'shown', moments }
  return { kind: 'skipped', after: firstAfterJump(wall, before, offsetAt) }
}

/** Clocks change on whole minutes, so the search stops there. */
const firstAfterJump = (wall: number, before: number, offsetAt: OffsetAt): number => {
  let low = Math.floor((wall - DAY_RANGE_MS) / MINUTE_MS)
  let high = Math.ceil((wall + DAY_RANGE_MS) / MINUTE_MS)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetAt(middle * MINUTE_MS) === before) low = middle
    else high = middle
  }
  return high * MINUTE_MS
}
