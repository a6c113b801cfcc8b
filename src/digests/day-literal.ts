/**
 * The text of a literal that names a day: the day itself, its first moment, or its last one; also a month, which stands
 * for its first day. What names a time zone other than UTC is none: its clock would be wrong on another day.
 */
export interface DayLiteral {
  /** ISO; of a month its first day. */
  readonly day: string
  readonly names: 'day' | 'start' | 'end' | 'month'
  /** The same literal, of another day (ISO). */
  readonly write: (day: string) => string
}

const dayPattern = /^(\d{4}-\d{2}-\d{2})(?:([ T])(\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|\+00(?::?00)?)?)?$/
const monthPattern = /^\d{4}-\d{2}$/

/** Reads the text of a literal, without its quotes; null for what names no day. */
export const parseDayLiteral = (text: string): DayLiteral | null => {
  if (monthPattern.test(text)) {
    const day = `${text}-01`
    return isDay(day) ? { day, names: 'month', write: other => other.slice(0, 7) } : null
  }
  const match = dayPattern.exec(text)
  const day = match?.[1]
  if (!match || day === undefined || !isDay(day)) return null
  const rest = text.slice(day.length)
  const time = match[3]
  const names = time === undefined ? 'day' : /^00:00(:00(\.0+)?)?$/.test(time) ? 'start' : endOfDay(time)
  return names && { day, names, write: other => `${other}${rest}` }
}

const endOfDay = (time: string): 'end' | null => (/^23:59(:59(\.9+)?)?$/.test(time) ? 'end' : null)

const isDay = (day: string): boolean => {
  const moment = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(moment.getTime()) && moment.toISOString().slice(0, 10) === day
}
