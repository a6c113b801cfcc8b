import { DateTime } from 'luxon'

/** The day of a moment in a time zone (IANA name), `YYYY-MM-DD`. */
export const dayOf = (moment: Date, timeZone: string): string =>
  DateTime.fromJSDate(moment, { zone: timeZone }).toISODate() ?? moment.toISOString().slice(0, 10)
