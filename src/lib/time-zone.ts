import { DateTime } from 'luxon'

/** The day of a moment in a time zone (IANA name), `YYYY-MM-DD`. */
export const dayOf = (moment: Date, timeZone: string): string =>
  DateTime.fromJSDate(moment, { zone: timeZone }).toISODate() ?? moment.toISOString().slice(0, 10)

/**
 * The next moment after `now` at which the clocks of a time zone (IANA name) strike an hour from 0 to 23. Where a day
 * skips that hour, it is the one that the clocks strike instead; where a day has it twice, the first.
 */
export const nextAtHour = (now: Date, hour: number, timeZone: string): Date => {
  const local = DateTime.fromJSDate(now, { zone: timeZone })
  for (let days = 0; ; days++) {
    const due = local.startOf('day').plus({ days }).set({ hour })
    if (due.toMillis() > now.getTime()) return due.toJSDate()
  }
}
