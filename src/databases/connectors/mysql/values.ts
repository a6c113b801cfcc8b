import type { Cell, ValueKind } from '../../../domain/result.ts'
import { parseDecimal, wholeNumber } from '../numbers.ts'

/** A column of a result as the protocol describes it (MySQL internals manual, "Column Definition"). */
export interface MysqlField {
  readonly name: string
  /** Type on the wire. */
  readonly columnType: number
  /** Bit flags, of which `unsigned` is one. */
  readonly flags: number
  /** Longest value in bytes; for whole numbers the declared width. */
  readonly columnLength: number
  /** Digits behind the point. */
  readonly decimals: number
  readonly characterSet: number
  /** `json` if MariaDB stores JSON as text. */
  readonly extendedFormat?: string
  /** MariaDB's own types: `uuid` and `inet6`, which are sent as text, and the kinds of geometry. */
  readonly extendedTypeName?: string
}

/** Types of the protocol (field_types.h of the server): they never change. */
const wire = {
  decimal: 0,
  tiny: 1,
  short: 2,
  long: 3,
  float: 4,
  double: 5,
  null: 6,
  timestamp: 7,
  longlong: 8,
  int24: 9,
  date: 10,
  time: 11,
  datetime: 12,
  year: 13,
  newdate: 14,
  bit: 16,
  vector: 242,
  json: 245,
  newdecimal: 246,
  geometry: 255,
} as const

const unsignedFlag = 32

/** The character set of bytes that are not text. */
const binaryCharacterSet = 63

const kinds: ReadonlyMap<number, ValueKind> = new Map<number, ValueKind>([
  [wire.short, 'integer'],
  [wire.long, 'integer'],
  [wire.int24, 'integer'],
  [wire.longlong, 'integer'],
  [wire.year, 'integer'],
  [wire.float, 'number'],
  [wire.double, 'number'],
  [wire.null, 'text'],
  [wire.date, 'date'],
  [wire.newdate, 'date'],
  [wire.datetime, 'timestamp'],
  [wire.timestamp, 'timestamp'],
  [wire.time, 'time'],
  [wire.json, 'json'],
  [wire.vector, 'blob'],
  [wire.geometry, 'blob'],
])

/**
 * The kind of a result's column. `tinyint(1)` and `bit(1)` are MySQL's booleans; a sum of whole numbers comes as a
 * decimal without decimal places, and counts as whole.
 */
export const kindOfField = (field: MysqlField): ValueKind => {
  if (field.extendedFormat === 'json') return 'json'
  if (field.extendedTypeName !== undefined && field.columnType !== wire.geometry) return 'text'
  switch (field.columnType) {
    case wire.tiny:
      return field.columnLength === 1 && (field.flags & unsignedFlag) === 0 ? 'boolean' : 'integer'
    case wire.bit:
      return field.columnLength === 1 ? 'boolean' : 'integer'
    case wire.decimal:
    case wire.newdecimal:
      return field.decimals === 0 ? 'integer' : 'number'
    default:
      return kinds.get(field.columnType) ?? (field.characterSet === binaryCharacterSet ? 'blob' : 'text')
  }
}

const declaredKinds: readonly (readonly [RegExp, ValueKind])[] = [
  [/^(tinyint\(1\)(?! unsigned)|bit\(1\)|bool)/, 'boolean'],
  [/^(tinyint|smallint|mediumint|int|bigint|year|bit)/, 'integer'],
  [/^(decimal|numeric|float|double|real)/, 'number'],
  [/^(datetime|timestamp)/, 'timestamp'],
  [/^date/, 'date'],
  [/^time/, 'time'],
  [/^json/, 'json'],
  [/^(char|varchar|tinytext|text|mediumtext|longtext|enum|set|uuid|inet)/, 'text'],
  [/(blob|binary|point|linestring|polygon|geometry|geometrycollection|vector)/, 'blob'],
]

/** The kind that a declared type (`COLUMN_TYPE`) promises: the one that its values have. */
export const declaredKind = (type: string): ValueKind => {
  const lower = type.toLowerCase()
  return declaredKinds.find(([pattern]) => pattern.test(lower))?.[1] ?? 'unknown'
}

/** The shortest number that means the same four bytes: a FLOAT of 0.1 comes as 0.10000000149011612. */
const shortestOfSingle = (value: number): number => {
  for (let digits = 6; digits < 9; digits += 1) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return value
}

const bitsToCell = (bytes: Uint8Array, isFlag: boolean): Cell => {
  const value = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)
  return isFlag ? value === 1n : wholeNumber(value)
}

const asBytes = (value: unknown): Cell =>
  value instanceof Uint8Array ? new Uint8Array(value) : String(value)

/**
 * Converts a value from the driver (dates and JSON as text, whole numbers past 2^53 as text) to a `Cell`. A
 * `tinyint(1)` is a boolean only if it holds 0 or 1: it could also hold 7. Zero dates and times beyond 24 hours
 * stay text.
 */
export const makeToCell = (field: MysqlField): ((value: unknown) => Cell) => {
  const kind = kindOfField(field)
  const convert = converterOf(field, kind)
  return value => (value === null || value === undefined ? null : convert(value))
}

const converterOf = (field: MysqlField, kind: ValueKind): ((value: unknown) => Cell) => {
  switch (field.columnType) {
    case wire.tiny:
      return kind === 'boolean'
        ? value => (value === 1 ? true : value === 0 ? false : (value as number))
        : value => value as number
    case wire.bit:
      return value => (value instanceof Uint8Array ? bitsToCell(value, kind === 'boolean') : String(value))
    case wire.longlong:
      return value => (typeof value === 'number' ? value : wholeNumber(BigInt(String(value))))
    case wire.decimal:
    case wire.newdecimal:
      return value => parseDecimal(String(value))
    case wire.float:
      return value => shortestOfSingle(value as number)
    case wire.datetime:
    case wire.timestamp:
      return value => String(value).replace(' ', 'T')
    default:
      if (kind === 'blob') return asBytes
      return value => (typeof value === 'number' ? value : String(value))
  }
}
