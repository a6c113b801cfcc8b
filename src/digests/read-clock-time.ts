/** An hour and minute of the day. */
export interface ClockTime {
  readonly hour: number
  readonly minute: number
}

/** Reads `9`, `9am`, `09:30`, `5.30pm`, `noon`, `18h`; null for what is no time of the day. */
export const parseClockTime = (text: string): ClockTime | null => {
  if (text === 'noon' || text === 'midday') return { hour: 12, minute: 0 }
  if (text === 'midnight') return { hour: 0, minute: 0 }
  const match = /^(\d{1,2})(?:[:.h](\d{2})|h)?(?: ?(am|pm|o'?clock|uhr|hrs?))?$/.exec(text)
  if (!match) return null
  const half = match[3]?.[0]
  const hour = Number(match[1])
  const minute = Number(match[2] ?? 0)
  if (minute > 59) return null
  if (half === 'a' || half === 'p') {
    if (hour < 1 || hour > 12) return null
    return { hour: (hour % 12) + (half === 'p' ? 12 : 0), minute }
  }
  return hour > 23 ? null : { hour, minute }
}
