/** How far a zone is from UTC at an instant, as MySQL writes it: `+05:30`. Throws `RangeError` for no IANA name. */
export const zoneOffset = (timeZone: string, at: Date): string => {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at)
  const name = parts.find(part => part.type === 'timeZoneName')?.value ?? ''
  return /[+-]\d\d:\d\d/.exec(name)?.[0] ?? '+00:00'
}

/** Whether clocks change in a zone, in the year of an instant. */
export const hasDaylightSaving = (timeZone: string, at: Date): boolean => {
  const year = at.getUTCFullYear()
  const offsets = Array.from({ length: 12 }, (_, month) =>
    zoneOffset(timeZone, new Date(Date.UTC(year, month, 15))),
  )
  return new Set(offsets).size > 1
}
