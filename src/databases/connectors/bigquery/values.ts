import { DateTime } from 'luxon'
import type { Cell, ValueKind } from '../../../domain/result.ts'
import { parseDecimal, parseFloating, wholeNumber } from '../numbers.ts'

/** A column or a field as the service describes it. */
export interface BigqueryField {
  readonly name: string
  readonly type: string
  readonly mode?: string
  readonly description?: string
  readonly fields?: readonly BigqueryField[]
}

/** A row as the service sends it: `{"f": [{"v": "1"}]}`. */
export interface BigqueryRow {
  readonly f: readonly { readonly v: unknown }[]
}

const kinds: Readonly<Record<string, ValueKind>> = {
  ...{ INTEGER: 'integer', INT64: 'integer', FLOAT: 'number', FLOAT64: 'number' },
  ...{ NUMERIC: 'number', BIGNUMERIC: 'number', BOOLEAN: 'boolean', BOOL: 'boolean' },
  ...{ STRING: 'text', GEOGRAPHY: 'text', INTERVAL: 'text', RANGE: 'text' },
  ...{ DATE: 'date', TIME: 'time', DATETIME: 'timestamp', TIMESTAMP: 'timestamp' },
  ...{ BYTES: 'blob', JSON: 'json', RECORD: 'json', STRUCT: 'json' },
}

/** The kind of a column's values. What repeats is a list. */
export const kindOfField = ({ type, mode }: BigqueryField): ValueKind =>
  mode === 'REPEATED' ? 'json' : (kinds[type] ?? 'unknown')

const sqlNames: Readonly<Record<string, string>> = {
  ...{ INTEGER: 'INT64', FLOAT: 'FLOAT64', BOOLEAN: 'BOOL', RECORD: 'STRUCT' },
}

/** A type as statements write it: `ARRAY<STRUCT<sku STRING, amount INT64>>`. */
export const typeOfField = (field: BigqueryField): string => {
  const name = sqlNames[field.type] ?? field.type
  const inner = (field.fields ?? []).map(one => `${one.name} ${typeOfField(one)}`).join(', ')
  const own = inner === '' ? name : `${name}<${inner}>`
  return field.mode === 'REPEATED' ? `ARRAY<${own}>` : own
}

/** Microseconds since 1970 as a moment on the clock of a zone, with the offset that it had then. */
const momentOf = (micros: bigint, zone: string): string => {
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const moment = DateTime.fromSeconds(Number((micros - fraction) / 1_000_000n), { zone })
  const digits =
    fraction === 0n
      ? ''
      : `.${fraction
          .toString()
          .padStart(6, '0')
          .replace(/(?:000)$/, '')}`
  return `${moment.toFormat("yyyy-MM-dd'T'HH:mm:ss")}${digits}${moment.toFormat('ZZ')}`
}

/** Zeros at the end of a fraction say nothing. */
const withoutEmptyFraction = (text: string): string => text.replace(/(:\d\d)\.0+$/, '$1')

const scalarOf = (text: string, type: string, zone: string): Cell => {
  switch (type) {
    case 'INTEGER':
    case 'INT64':
      return wholeNumber(BigInt(text))
    case 'FLOAT':
    case 'FLOAT64':
      return parseFloating(text)
    case 'NUMERIC':
    case 'BIGNUMERIC':
      return parseDecimal(text)
    case 'BOOLEAN':
    case 'BOOL':
      return text === 'true'
    case 'BYTES':
      return new Uint8Array(Buffer.from(text, 'base64'))
    case 'TIMESTAMP':
      return /^-?\d+$/.test(text) ? momentOf(BigInt(text), zone) : text
    case 'DATETIME':
    case 'TIME':
      return withoutEmptyFraction(text)
    default:
      return text
  }
}

/** Arrays and structs as JSON, with whole numbers in all of their digits. */
const jsonOf = (value: unknown, field: BigqueryField, zone: string): string => {
  if (value === null || value === undefined) return 'null'
  if (field.mode === 'REPEATED') {
    const items = value as readonly { readonly v: unknown }[]
    return `[${items.map(({ v }) => jsonOf(v, { ...field, mode: 'NULLABLE' }, zone)).join(',')}]`
  }
  if (field.fields !== undefined) {
    const { f } = value as BigqueryRow
    const parts = field.fields.map((one, at) => `${JSON.stringify(one.name)}:${jsonOf(f[at]?.v, one, zone)}`)
    return `{${parts.join(',')}}`
  }
  if (field.type === 'JSON') return String(value)
  const cell = scalarOf(String(value), field.type, zone)
  if (typeof cell === 'bigint') return cell.toString()
  return JSON.stringify(cell instanceof Uint8Array ? String(value) : cell)
}

/** Makes the reader of a column's values. `zone`: where instants are shown. */
export const toCell =
  (field: BigqueryField, zone: string): ((value: unknown) => Cell) =>
  value => {
    if (value === null || value === undefined) return null
    if (field.mode === 'REPEATED' || field.fields !== undefined) return jsonOf(value, field, zone)
    return scalarOf(String(value), field.type, zone)
  }
