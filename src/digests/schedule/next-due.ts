import { CronExpressionParser } from 'cron-parser'
import { IANAZone } from 'luxon'
import type { NextDue } from '../../domain/digests/digest.ts'

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

/** The minutes, hours and days on which a cron line of five fields is due, spelt out. */
export interface CronDays {
  /** Minutes of the day, ascending. */
  readonly minutes: readonly number[]
  /** Due in every hour: such a line follows elapsed hours, not the clock. */
  readonly everyHour: boolean
  /** Whether a calendar day is included; months from 1, Sunday is 0. */
  readonly isOn: (day: CalendarDay) => boolean
}

/** One calendar day, with what cron needs. */
interface CalendarDay {
  readonly month: number
  readonly day: number
  /** Sunday is 0. */
  readonly weekday: number
  /** Days of its month. */
  readonly lastDay: number
}

/** Characters of a cron line. `L` is the last day, `5L` the last Friday, `1#2` the second Monday. */
const allowed = /^[\d*,/\-a-z#]+$/i

/**
 * Parses a five-field cron line; null if invalid. As in cron, a line with both days of the month and days of the week
 * is due on either.
 */
export const parseCron = (cron: string): CronDays | null => {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== 5 || !fields.every(field => allowed.test(field))) return null
  // `H` means any minute, which no person has chosen.
  if (fields.some(field => /^h/i.test(field))) return null
  try {
    return daysOf(CronExpressionParser.parse(fields.join(' '), { tz: 'UTC' }).fields)
  } catch {
    return null
  }
}

type Fields = ReturnType<typeof CronExpressionParser.parse>['fields']

const daysOf = ({ minute, hour, dayOfMonth, month, dayOfWeek }: Fields): CronDays => {
  const hours = hour.values.map(Number)
  const minutes = hours.flatMap(hour => minute.values.map(minute => hour * 60 + Number(minute)))
  const months = new Set(month.values.map(Number))
  const days = new Set<number | string>(dayOfMonth.values)
  const weekdays = new Set<number | string>(dayOfWeek.values)
  const nth = dayOfWeek.nthDay

  const onDay = ({ day, lastDay }: CalendarDay): boolean =>
    days.has(day) || (dayOfMonth.hasLastChar && day === lastDay)
  const onWeekday = ({ day, weekday, lastDay }: CalendarDay): boolean => {
    if (weekdays.has(`${weekday}L`) || (weekday === 0 && weekdays.has('7L'))) return day > lastDay - 7
    if (!weekdays.has(weekday)) return false
    return nth === 0 || Math.ceil(day / 7) === nth
  }
  return {
    minutes: minutes.sort((a, b) => a - b),
    everyHour: hours.length === 24,
    isOn: day => {
      if (!months.has(day.month)) return false
      if (dayOfMonth.isWildcard) return dayOfWeek.isWildcard || onWeekday(day)
      return onDay(day) || (!dayOfWeek.isWildcard && onWeekday(day))
    },
  }
}

/** Four years of days, including a leap day. */
const COMPARED_DAYS = 4 * 365 + 1

const FIRST_DAY = Date.UTC(2024, 0, 1)

/** Whether two cron lines are due at the same times, however they are written. False if one is invalid. */
export const isSameCron = (one: string, other: string): boolean => {
  if (one === other) return true
  const [a, b] = [parseCron(one), parseCron(other)]
  if (!a || !b || a.everyHour !== b.everyHour || a.minutes.join() !== b.minutes.join()) return false
  for (let day = 0; day < COMPARED_DAYS; day++) {
    const date = new Date(FIRST_DAY + day * DAY_MS)
    const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    const given = {
      ...{ month: date.getUTCMonth() + 1, day: date.getUTCDate() },
      ...{ weekday: date.getUTCDay(), lastDay },
    }
    if (a.isOn(given) !== b.isOn(given)) return false
  }
  return true
}
