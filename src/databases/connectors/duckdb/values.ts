import {
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBGeometryValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeTZValue,
  type DuckDBType,
  DuckDBTypeId,
  DuckDBUnionValue,
  type DuckDBValue,
} from '@duckdb/node-api'
import type { Cell, ValueKind } from '../../../domain/result.ts'

const kinds: ReadonlyMap<DuckDBTypeId, ValueKind> = new Map<DuckDBTypeId, ValueKind>([
  [DuckDBTypeId.BOOLEAN, 'boolean'],
  [DuckDBTypeId.TINYINT, 'integer'],
  [DuckDBTypeId.SMALLINT, 'integer'],
  [DuckDBTypeId.INTEGER, 'integer'],
  [DuckDBTypeId.BIGINT, 'integer'],
  [DuckDBTypeId.UTINYINT, 'integer'],
  [DuckDBTypeId.USMALLINT, 'integer'],
  [DuckDBTypeId.UINTEGER, 'integer'],
  [DuckDBTypeId.UBIGINT, 'integer'],
  [DuckDBTypeId.HUGEINT, 'integer'],
  [DuckDBTypeId.UHUGEINT, 'integer'],
  [DuckDBTypeId.BIGNUM, 'integer'],
  [DuckDBTypeId.FLOAT, 'number'],
  [DuckDBTypeId.DOUBLE, 'number'],
  [DuckDBTypeId.DECIMAL, 'number'],
  [DuckDBTypeId.DATE, 'date'],
  [DuckDBTypeId.TIME, 'time'],
  [DuckDBTypeId.TIME_TZ, 'time'],
  [DuckDBTypeId.TIME_NS, 'time'],
  [DuckDBTypeId.TIMESTAMP, 'timestamp'],
  [DuckDBTypeId.TIMESTAMP_S, 'timestamp'],
  [DuckDBTypeId.TIMESTAMP_MS, 'timestamp'],
  [DuckDBTypeId.TIMESTAMP_NS, 'timestamp'],
  [DuckDBTypeId.TIMESTAMP_TZ, 'timestamp'],
  [DuckDBTypeId.VARCHAR, 'text'],
  [DuckDBTypeId.ENUM, 'text'],
  [DuckDBTypeId.UUID, 'text'],
  [DuckDBTypeId.INTERVAL, 'text'],
  [DuckDBTypeId.BIT, 'text'],
  [DuckDBTypeId.BLOB, 'blob'],
  [DuckDBTypeId.GEOMETRY, 'blob'],
  [DuckDBTypeId.LIST, 'json'],
  [DuckDBTypeId.ARRAY, 'json'],
  [DuckDBTypeId.STRUCT, 'json'],
  [DuckDBTypeId.MAP, 'json'],
  [DuckDBTypeId.VARIANT, 'json'],
])

/** The kind of a result's column. JSON is text with another name; a union can hold any kind. */
export const kindOf = (type: DuckDBType): ValueKind =>
  type.alias === 'JSON' ? 'json' : (kinds.get(type.typeId) ?? 'unknown')

const declaredKinds: readonly (readonly [RegExp, ValueKind])[] = [
  [/\]$|^(STRUCT|MAP)\b|^(JSON|VARIANT)$/, 'json'],
  [/^BOOLEAN$/, 'boolean'],
  [/^U?(TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)$|^BIGNUM$/, 'integer'],
  [/^(FLOAT|DOUBLE|DECIMAL\b.*)$/, 'number'],
  [/^DATE$/, 'date'],
  [/^TIMESTAMP/, 'timestamp'],
  [/^TIME\b|^TIME_NS$/, 'time'],
  [/^(VARCHAR|UUID|INTERVAL|BIT|ENUM\b.*)$/, 'text'],
  [/^(BLOB|GEOMETRY)/, 'blob'],
]

/** The kind that a declared type (in DuckDB's spelling) promises: the one that `kindOf` finds in a result. */
export const declaredKind = (type: string): ValueKind =>
  declaredKinds.find(([pattern]) => pattern.test(type))?.[1] ?? 'unknown'

const whole = (value: bigint): number | bigint =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value

/** The significant digits that a double holds exactly for any decimal. */
const exactDigits = 15

/** `2.500` is 2.5, and `2.000` is a whole number. More than 15 significant digits stay text. */
const decimalToCell = (text: string): Cell => {
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  if (!plain.includes('.')) return whole(BigInt(plain))
  const digits = plain.replace(/[-.]/g, '').replace(/^0+/, '')
  return digits.length <= exactDigits ? Number(plain) : plain
}

/** NaN and the infinities stay text: JSON has no form for them, and arithmetic with them misleads. */
const doubleToCell = (value: number): Cell => (Number.isFinite(value) ? value : String(value))

/** The shortest number that means the same four bytes: a FLOAT of 0.1 comes as 0.10000000149011612. */
const shortestOfSingle = (value: number): number => {
  for (let digits = 6; digits < 9; digits += 1) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return value
}

/** Days that mean the infinite dates; the driver would write them as days in the year 5881580. */
const infiniteDates = 2 ** 31 - 1

const dateToText = (value: DuckDBDateValue): string =>
  Math.abs(value.days) === infiniteDates ? (value.days > 0 ? 'infinity' : '-infinity') : value.toString()

const isoSeparator = (text: string): string => text.replace(/^(\d{4,}-\d\d-\d\d) (?=\d\d:)/, '$1T')

const isMoment = (value: DuckDBValue): boolean =>
  value instanceof DuckDBTimestampValue ||
  value instanceof DuckDBTimestampSecondsValue ||
  value instanceof DuckDBTimestampMillisecondsValue ||
  value instanceof DuckDBTimestampNanosecondsValue

/** A value of any type but the nested ones. */
const scalarToCell = (value: DuckDBValue, timeZone: string): Cell => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return doubleToCell(value)
  if (typeof value === 'bigint') return whole(value)
  if (value instanceof DuckDBDecimalValue) return decimalToCell(value.toString())
  if (value instanceof DuckDBBlobValue || value instanceof DuckDBGeometryValue)
    return new Uint8Array(value.bytes)
  if (value instanceof DuckDBDateValue) return dateToText(value)
  if (value instanceof DuckDBTimestampTZValue) return formatInstant(value, timeZone)
  if (value instanceof DuckDBTimeTZValue) return value.toString().replace(/([+-]\d\d)$/, '$1:00')
  return isMoment(value) ? isoSeparator(value.toString()) : value.toString()
}

/** A nested value as JSON text: numbers with all their digits, bytes as hexadecimal digits. */
const toJson = (value: DuckDBValue, timeZone: string): string => {
  const inner = (one: DuckDBValue): string => toJson(one, timeZone)
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue)
    return `[${value.items.map(inner).join(',')}]`
  if (value instanceof DuckDBStructValue)
    return `{${Object.entries(value.entries)
      .map(([name, one]) => `${JSON.stringify(name)}:${inner(one)}`)
      .join(',')}}`
  if (value instanceof DuckDBMapValue)
    return `{${value.entries
      .map(({ key, value }) => `${JSON.stringify(keyText(key, timeZone))}:${inner(value)}`)
      .join(',')}}`
  if (value instanceof DuckDBUnionValue) return inner(value.value)
  if (value instanceof DuckDBDecimalValue) return value.toString()
  const cell = scalarToCell(value, timeZone)
  if (cell instanceof Uint8Array) return JSON.stringify(Buffer.from(cell).toString('hex'))
  return typeof cell === 'bigint' ? String(cell) : JSON.stringify(cell)
}

/** JSON has only text keys. */
const keyText = (key: DuckDBValue, timeZone: string): string => {
  const json = toJson(key, timeZone)
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}

/**
 * Converts a value from the driver to a `Cell`. Lists, structs and maps become JSON text; intervals, UUIDs and
 * bits the text that DuckDB shows; instants ISO text in `timeZone`.
 */
export const makeToCell = (type: DuckDBType, timeZone: string): ((value: DuckDBValue) => Cell) => {
  if (type.typeId === DuckDBTypeId.FLOAT)
    return value =>
      typeof value === 'number' && Number.isFinite(value)
        ? shortestOfSingle(value)
        : scalarToCell(value, timeZone)
  if (type.typeId === DuckDBTypeId.UNION)
    return value => (value instanceof DuckDBUnionValue ? nestedToCell(value.value, timeZone) : null)
  return value => nestedToCell(value, timeZone)
}

const isNested = (value: DuckDBValue): boolean =>
  value instanceof DuckDBListValue ||
  value instanceof DuckDBArrayValue ||
  value instanceof DuckDBStructValue ||
  value instanceof DuckDBMapValue

const nestedToCell = (value: DuckDBValue, timeZone: string): Cell =>
  isNested(value) ? toJson(value, timeZone) : scalarToCell(value, timeZone)

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  formats.set(timeZone, made)
  return made
}

/** Minutes from UTC at an instant, without the seconds of offsets before there were time zones. */
const offsetMinutes = (milliseconds: number, timeZone: string): number => {
  const name = formatOf(timeZone)
    .formatToParts(milliseconds)
    .find(part => part.type === 'timeZoneName')?.value
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? []
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** ISO text of a TIMESTAMPTZ in a zone, `2024-01-02T03:04:05+01:00`. The driver knows one offset for all instants. */
const formatInstant = (value: DuckDBTimestampTZValue, timeZone: string): string => {
  if (!value.isFinite) return value.micros > 0n ? 'infinity' : '-infinity'
  const milliseconds = Number(value.micros / 1000n)
  // Beyond what a JavaScript date can hold there are no zones either.
  const offset = Math.abs(milliseconds) > 8.64e15 ? 0 : offsetMinutes(milliseconds, timeZone)
  const local = new DuckDBTimestampValue(value.micros + BigInt(offset) * 60_000_000n).toString()
  const size = Math.abs(offset)
  return `${local.replace(/^(\d{4,}-\d\d-\d\d) (?=\d\d:)/, '$1T')}${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
}
