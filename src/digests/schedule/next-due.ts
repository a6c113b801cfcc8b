import type { NextDue } from '../../domain/digest.ts'
import { type CronDays, parseCron } from './cron.ts'
import { momentsOfLocalTime, type OffsetAt, zoneOffsets } from './time-zone-offset.ts'

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
