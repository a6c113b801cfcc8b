import type { Cell, ValueKind } from '../../../domain/result.ts'
import { parseDecimal, wholeNumber } from '../numbers.ts'

const kinds: readonly (readonly [RegExp, ValueKind])[] = [
  [/^(?:tinyint|smallint|int|integer|bigint|byte|short|long)\b/, 'integer'],
  [/^decimal\(\d+, *0\)$/, 'integer'],
  [/^(?:decimal|float|double|real)/, 'number'],
  [/^boolean/, 'boolean'],
  [/^(?:string|varchar|char|interval|void|null)/, 'text'],
  [/^date$/, 'date'],
  [/^timestamp/, 'timestamp'],
  [/^(?:array|map|struct|variant|object)/, 'json'],
  [/^binary/, 'blob'],
]

/** The kind that a type promises, such as `decimal(10,2)` or `array<struct<n:int>>`. */
export const kindOfType = (type: string): ValueKind =>
  kinds.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? 'unknown'

/** Values of one column of a batch, as the protocol sends them: one list is filled. `nulls` has a bit for each value. */
export interface ThriftColumn {
  readonly [list: string]:
    | { readonly values: readonly unknown[]; readonly nulls: Buffer | string }
    | null
    | undefined
}

/** An integer of eight bytes: the driver keeps its bytes. */
interface Int64 {
  readonly buffer: Uint8Array
  readonly offset: number
}

const isInt64 = (value: unknown): value is Int64 =>
  typeof value === 'object' && value !== null && 'buffer' in value && 'offset' in value

const toCell = (value: unknown, kind: ValueKind, type: string): Cell => {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (isInt64(value)) return wholeNumber(Buffer.from(value.buffer).readBigInt64BE(value.offset))
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'
    return /^float/.test(type) ? shortestOfSingle(value) : value
  }
  if (typeof value === 'boolean') return value
  const text = String(value)
  switch (kind) {
    case 'integer':
    case 'number':
      return parseDecimal(text)
    case 'timestamp':
      return text.replace(' ', 'T')
    default:
      return text
  }
}

/** The shortest number that means the same four bytes. */
const shortestOfSingle = (value: number): number => {
  for (let digits = 6; digits < 9; digits += 1) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === Math.fround(value)) return shorter
  }
  return value
}

/** The cells of a column of a batch. */
export const cellsOf = (column: ThriftColumn, type: string): readonly Cell[] => {
  const filled = Object.values(column).find(list => list != null && Array.isArray(list.values))
  if (!filled) return []
  const nulls = Buffer.isBuffer(filled.nulls) ? filled.nulls : Buffer.from(filled.nulls, 'binary')
  const kind = kindOfType(type)
  const isNull = (index: number): boolean => ((nulls[index >> 3] ?? 0) & (1 << (index & 7))) !== 0
  return filled.values.map((value, index) => (isNull(index) ? null : toCell(value, kind, type.toLowerCase())))
}
