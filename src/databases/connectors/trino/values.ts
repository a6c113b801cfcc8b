import { DateTime } from 'luxon'
import type { Cell, ValueKind } from '../../../domain/result.ts'
import { parseDecimal, parseFloating, wholeNumber } from '../numbers.ts'

/** A type as the protocol writes it: `array(bigint)` is `array` with one argument. */
export interface TypeSignature {
  readonly rawType: string
  readonly arguments?: readonly TypeArgument[]
}

interface TypeArgument {
  readonly kind: string
  readonly value: unknown
}

const kinds: Readonly<Record<string, ValueKind>> = {
  boolean: 'boolean',
  ...{ tinyint: 'integer', smallint: 'integer', integer: 'integer', bigint: 'integer' },
  ...{ real: 'number', double: 'number', decimal: 'number' },
  ...{ varchar: 'text', char: 'text', uuid: 'text', ipaddress: 'text', unknown: 'text' },
  ...{ 'interval year to month': 'text', 'interval day to second': 'text' },
  date: 'date',
  ...{ time: 'time', 'time with time zone': 'time' },
  ...{ timestamp: 'timestamp', 'timestamp with time zone': 'timestamp' },
  ...{ json: 'json', array: 'json', map: 'json', row: 'json' },
  ...{ varbinary: 'blob', hyperloglog: 'blob', p4hyperloglog: 'blob', qdigest: 'blob', tdigest: 'blob' },
  ...{ geometry: 'text', sphericalgeography: 'text' },
}

/** The kind that a declared type promises, such as `decimal(10,2)` or `timestamp(3) with time zone`. */
export const kindOfType = (type: string): ValueKind => {
  const lower = type.toLowerCase().trim()
  // A decimal without places is whole.
  if (/^decimal\(\d+(?:, *0)?\)$/.test(lower)) return 'integer'
  const bare = lower.replace(/\([^()]*(?:\([^()]*\)[^()]*)*\)/, '').trim()
  return kinds[bare] ?? kinds[/^[a-z]\w*/.exec(lower)?.[0] ?? ''] ?? 'unknown'
}

/** Trailing zeros of a fraction say how a column is declared, not what its value is: `10:00:00.000`. */
const withoutEmptyFraction = (text: string): string => text.replace(/(:\d\d)\.0+(?=$|[ +-])/, '$1')

/** `2024-01-02 03:04:05.678 Europe/Oslo` with the offset that the zone had then. */
const parseInstant = (text: string): string => {
  const [, day, time, zone] = /^(\S+) (\S+) (\S+)$/.exec(withoutEmptyFraction(text)) ?? []
  if (day === undefined || time === undefined || zone === undefined) return text
  const local = `${day}T${time}`
  if (zone === 'UTC' || zone === 'Z') return `${local}+00:00`
  if (/^[+-]\d\d:\d\d$/.test(zone)) return `${local}${zone}`
  const moment = DateTime.fromISO(local.replace(/(\.\d{3})\d+/, '$1'), { zone })
  return moment.isValid ? `${local}${moment.toFormat('ZZ')}` : text
}

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

/** Arrays, maps and rows as JSON. Whole numbers keep their digits, and the fields of a row their names. */
const jsonOf = (value: unknown, { rawType, arguments: inner = [] }: TypeSignature): string => {
  if (value === null) return 'null'
  const signatureAt = (index: number): TypeSignature =>
    (inner[index]?.value as TypeSignature | undefined) ?? { rawType: 'unknown' }
  switch (rawType) {
    case 'array':
      return isList(value) ? `[${value.map(item => jsonOf(item, signatureAt(0))).join(',')}]` : String(value)
    case 'map':
      return `{${Object.entries(value as object)
        .map(([key, item]) => `${JSON.stringify(key)}:${jsonOf(item, signatureAt(1))}`)
        .join(',')}}`
    case 'row':
      return rowJson(value, inner)
    case 'json':
      return typeof value === 'string' ? value : JSON.stringify(value)
    default: {
      const cell = toCell({ rawType, arguments: inner })(value)
      if (typeof cell === 'bigint') return cell.toString()
      return JSON.stringify(cell instanceof Uint8Array ? Buffer.from(cell).toString('hex') : cell)
    }
  }
}

const rowJson = (value: unknown, fields: readonly TypeArgument[]): string => {
  const types = fields.map(
    ({ value }) => value as { fieldName?: { name?: string }; typeSignature: TypeSignature },
  )
  const parts = (isList(value) ? value : Object.values(value as object)).map((item, index) => {
    const field = types[index]
    return {
      name: field?.fieldName?.name ?? null,
      json: jsonOf(item, field?.typeSignature ?? { rawType: 'unknown' }),
    }
  })
  return parts.every(({ name }) => name !== null)
    ? `{${parts.map(({ name, json }) => `${JSON.stringify(name)}:${json}`).join(',')}}`
    : `[${parts.map(({ json }) => json).join(',')}]`
}

/** Makes the reader of a column's values. */
export const toCell = (signature: TypeSignature): ((value: unknown) => Cell) => {
  const read = readerOf(signature)
  return value => (value === null || value === undefined ? null : read(value))
}

const readerOf = (signature: TypeSignature): ((value: unknown) => Cell) => {
  switch (signature.rawType) {
    case 'boolean':
      return value => value === true
    case 'tinyint':
    case 'smallint':
    case 'integer':
    case 'bigint':
      return value => (typeof value === 'bigint' ? wholeNumber(value) : Number(value))
    case 'real':
    case 'double':
      return value => (typeof value === 'bigint' ? Number(value) : parseFloating(String(value)))
    case 'decimal':
      return value => parseDecimal(String(value))
    case 'varbinary':
    case 'HyperLogLog':
    case 'P4HyperLogLog':
    case 'qdigest':
    case 'tdigest':
      return value => new Uint8Array(Buffer.from(String(value), 'base64'))
    case 'time':
    case 'time with time zone':
      return value => withoutEmptyFraction(String(value))
    case 'timestamp':
      return value => withoutEmptyFraction(String(value)).replace(' ', 'T')
    case 'timestamp with time zone':
      return value => parseInstant(String(value))
    case 'array':
    case 'map':
    case 'row':
      return value => jsonOf(value, signature)
    default:
      return value => (typeof value === 'string' ? value : JSON.stringify(value))
  }
}
