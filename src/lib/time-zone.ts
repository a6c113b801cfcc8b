import { DateTime } from 'luxon'

/** The day of a moment in an IANA time zone, `YYYY-MM-DD`. */
export const dayOf = (moment: Date, timeZone: string): string =>
  DateTime.fromJSDate(moment, { zone: timeZone }).toISODate() ?? moment.toISOString().slice(0, 10)

/**
 * The next moment after `now` when it is a given hour (0 to 23) in an IANA time zone. If a clock change skips that
 * hour, the moment right after the change; if it occurs twice, the first.
 */
export const nextAtHour = (now: Date, hour: number, timeZone: string): Date => {
  const local = DateTime.fromJSDate(now, { zone: timeZone })
  for (let days = 0; ; days++) {
    const due = local.startOf('day').plus({ days }).set({ hour })
    if (due.toMillis() > now.getTime()) return due.toJSDate()
  }
}
