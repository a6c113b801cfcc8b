import type { Cell, ValueKind } from '../../../domain/result.ts'
import { parseDecimal, parseFloating, wholeNumber } from '../numbers.ts'

/** Object ids of the built-in types, as in PostgreSQL's pg_type.dat: they never change. */
const oid = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  json: 114,
  float4: 700,
  float8: 701,
  bpchar: 1042,
  varchar: 1043,
  date: 1082,
  time: 1083,
  timestamp: 1114,
  timestamptz: 1184,
  timetz: 1266,
  numeric: 1700,
  uuid: 2950,
  jsonb: 3802,
} as const

const kinds: ReadonlyMap<number, ValueKind> = new Map<number, ValueKind>([
  [oid.bool, 'boolean'],
  [oid.bytea, 'blob'],
  [oid.int2, 'integer'],
  [oid.int4, 'integer'],
  [oid.int8, 'integer'],
  [26, 'integer'], // oid
  [oid.float4, 'number'],
  [oid.float8, 'number'],
  [oid.numeric, 'number'],
  [oid.text, 'text'],
  [oid.bpchar, 'text'],
  [oid.varchar, 'text'],
  [oid.uuid, 'text'],
  [18, 'text'], // "char"
  [19, 'text'], // name
  [705, 'text'], // a literal that nobody gave a type
  [790, 'text'], // money: its text depends on the server's locale
  [1186, 'text'], // interval
  [oid.date, 'date'],
  [oid.time, 'time'],
  [oid.timetz, 'time'],
  [oid.timestamp, 'timestamp'],
  [oid.timestamptz, 'timestamp'],
  [oid.json, 'json'],
  [oid.jsonb, 'json'],
])

/** Types from this id on were created in this database: enums, citext and the like, which read as text. */
const firstOwnType = 16384

/** The kind of a base type (domains resolved). Arrays, ranges and geometry are `unknown`; their cells are text. */
export const kindOfType = (typeId: number): ValueKind =>
  kinds.get(typeId) ?? (typeId >= firstOwnType ? 'text' : 'unknown')

/** The server writes an offset as +02, +05:30 or +00:19:32; ISO requires the minutes. */
const withMinutes = (text: string): string => text.replace(/([+-]\d\d)(?=$| BC$)/, '$1:00')

/** With DateStyle ISO only the T is missing. `infinity` and `... BC` stay as they are: ISO has no form for them. */
const parseTimestamp = (text: string): string =>
  withMinutes(text.replace(/^(\d{4,}-\d\d-\d\d) (?=\d\d:)/, '$1T'))

const asText = (text: string): string => text

const parsers: ReadonlyMap<number, (text: string) => Cell> = new Map<number, (text: string) => Cell>([
  [oid.bool, text => text === 't'],
  [oid.bytea, text => new Uint8Array(Buffer.from(text.slice(2), 'hex'))],
  [oid.int2, Number],
  [oid.int4, Number],
  [26, Number],
  [oid.int8, text => wholeNumber(BigInt(text))],
  [oid.float4, parseFloating],
  [oid.float8, parseFloating],
  [oid.numeric, parseDecimal],
  [oid.timetz, withMinutes],
  [oid.timestamp, parseTimestamp],
  [oid.timestamptz, parseTimestamp],
])

/**
 * Converts text from the server to a `Cell`, for one query: pg's own table of parsers is global and makes `Date`s.
 * Depends on the session settings of pool.ts (DateStyle ISO, bytea_output hex).
 */
export const cellTypes = {
  getTypeParser: (typeId: number): ((text: string) => Cell) => parsers.get(typeId) ?? asText,
}
