import { type DuckDBTimestampTZValue, DuckDBTimestampValue } from '@duckdb/node-api'

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  formats.set(timeZone, made)
  return made
}

/** Minutes from UTC at an instant; the seconds of offsets before there were time zones are left out. */
const offsetMinutes = (milliseconds: number, timeZone: string): number => {
  const name = formatOf(timeZone)
    .formatToParts(milliseconds)
    .find(part => part.type === 'timeZoneName')?.value
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? []
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** ISO text of a TIMESTAMPTZ in a zone, `2024-01-02T03:04:05+01:00`. The driver knows one offset for all instants. */
export const formatInstant = (value: DuckDBTimestampTZValue, timeZone: string): string => {
  if (!value.isFinite) return value.micros > 0n ? 'infinity' : '-infinity'
  const milliseconds = Number(value.micros / 1000n)
  // Beyond what a JavaScript date can hold there are no zones either.
  const offset = Math.abs(milliseconds) > 8.64e15 ? 0 : offsetMinutes(milliseconds, timeZone)
  const local = new DuckDBTimestampValue(value.micros + BigInt(offset) * 60_000_000n).toString()
  const size = Math.abs(offset)
  return `${local.replace(/^(\d{4,}-\d\d-\d\d) (?=\d\d:)/, '$1T')}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}
