import { DateTime } from 'luxon'
import type { Cell, ValueKind } from '../../../domain/result.ts'
import { parseDecimal, parseFloating } from '../numbers.ts'

/** A column as the SQL API describes it. */
export interface RowType {
  readonly name: string
  /** In lower case: `fixed`, `text`, `timestamp_ntz`. */
  readonly type: string
  readonly scale?: number | null
}

const kinds: Readonly<Record<string, ValueKind>> = {
  real: 'number',
  decfloat: 'number',
  ...{ float: 'number', double: 'number' },
  boolean: 'boolean',
  text: 'text',
  varchar: 'text',
  uuid: 'text',
  date: 'date',
  time: 'time',
  ...{ timestamp_ntz: 'timestamp', timestamp_ltz: 'timestamp', timestamp_tz: 'timestamp' },
  ...{ variant: 'json', object: 'json', array: 'json', map: 'json', vector: 'json' },
  ...{ geography: 'json', geometry: 'json' },
  binary: 'blob',
}

/** The kind of a result's column. */
export const kindOfResult = ({ type, scale }: RowType): ValueKind => {
  const lower = type.toLowerCase()
  if (lower === 'fixed') return (scale ?? 0) === 0 ? 'integer' : 'number'
  return kinds[lower] ?? 'unknown'
}

/** The kind that a declared type promises, such as `NUMBER(38,0)` or `TIMESTAMP_NTZ`. */
export const kindOfType = (type: string): ValueKind => {
  const lower = type.toLowerCase()
  const scale = /^number\(\d+,(\d+)\)$/.exec(lower)?.[1]
  if (scale !== undefined) return scale === '0' ? 'integer' : 'number'
  return kinds[/^[a-z]\w*/.exec(lower)?.[0] ?? ''] ?? 'unknown'
}

/** Whole seconds, and the digits of the fraction without zeros at the end. */
const cutSeconds = (text: string): { readonly seconds: number; readonly fraction: string } | null => {
  const [, sign = '', whole = '', digits = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === '') return null
  const nanoseconds = digits.padEnd(9, '0').slice(0, 9)
  const isBefore = sign === '-' && Number(nanoseconds) > 0
  const seconds = sign === '-' ? -Number(whole) - (isBefore ? 1 : 0) : Number(whole)
  const rest = isBefore ? String(1_000_000_000 - Number(nanoseconds)).padStart(9, '0') : nanoseconds
  return { seconds, fraction: rest.replace(/0+$/, '') }
}

const withFraction = (time: string, fraction: string): string =>
  fraction === '' ? time : `${time}.${fraction}`

/** A moment as a clock shows it that is so many minutes ahead of UTC. */
const clockAt = (seconds: number, fraction: string, offsetMinutes: number): string =>
  withFraction(new Date((seconds + offsetMinutes * 60) * 1000).toISOString().slice(0, 19), fraction)

const offsetText = (minutes: number): string => {
  const size = Math.abs(minutes)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

const toDay = (text: string): Cell =>
  /^-?\d+$/.test(text) ? new Date(Number(text) * 86_400_000).toISOString().slice(0, 10) : text

const toTime = (text: string): Cell => {
  const cut = cutSeconds(text)
  return cut === null ? text : clockAt(cut.seconds, cut.fraction, 0).slice(11)
}

const toClock = (text: string): Cell => {
  const cut = cutSeconds(text)
  return cut === null ? text : clockAt(cut.seconds, cut.fraction, 0)
}

/** An instant, with the offset that the session's zone had then. */
const toLocal =
  (timeZone: string) =>
  (text: string): Cell => {
    const cut = cutSeconds(text)
    if (cut === null) return text
    const { offset } = DateTime.fromSeconds(cut.seconds, { zone: timeZone })
    const minutes = Number.isFinite(offset) ? Math.trunc(offset) : 0
    return `${clockAt(cut.seconds, cut.fraction, minutes)}${offsetText(minutes)}`
  }

/** Offsets count from 1440, so that none is negative: 960 is eight hours behind UTC. */
const noOffset = 1440

const toZoned = (text: string): Cell => {
  const [moment = '', offset] = text.split(' ')
  const cut = cutSeconds(moment)
  if (cut === null || offset === undefined || !/^\d+$/.test(offset)) return text
  const minutes = Number(offset) - noOffset
  return `${clockAt(cut.seconds, cut.fraction, minutes)}${offsetText(minutes)}`
}

/** Arrays and objects come with line breaks between their parts. Numbers in them keep their digits. */
const toJson = (text: string): Cell => {
  let plain = ''
  for (const part of text.match(/"(?:[^"\\]|\\.)*"|[^"]+/gs) ?? [])
    plain += part.startsWith('"') ? part : part.replace(/\s+/g, '')
  return plain
}

const readerOf = ({ type }: RowType, timeZone: string): ((text: string) => Cell) => {
  switch (type.toLowerCase()) {
    case 'fixed':
      return parseDecimal
    case 'real':
    case 'decfloat':
      return parseFloating
    case 'boolean':
      return text => text === 'true' || text === '1'
    case 'date':
      return toDay
    case 'time':
      return toTime
    case 'timestamp_ntz':
      return toClock
    case 'timestamp_ltz':
      return toLocal(timeZone)
    case 'timestamp_tz':
      return toZoned
    case 'variant':
    case 'object':
    case 'array':
    case 'map':
    case 'vector':
    case 'geography':
    case 'geometry':
      return toJson
    case 'binary':
      return text => new Uint8Array(Buffer.from(text, 'hex'))
    default:
      return text => text
  }
}

/** Makes the reader of a column's values. The SQL API writes each as a text, and NULL as null. */
export const toCell = (column: RowType, timeZone: string): ((value: string | null) => Cell) => {
  const read = readerOf(column, timeZone)
  return value => (value === null ? null : read(value))
}
