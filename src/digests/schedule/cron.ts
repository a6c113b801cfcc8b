import { CronExpressionParser } from 'cron-parser'

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

const DAY_MS = 24 * 60 * 60 * 1000

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
