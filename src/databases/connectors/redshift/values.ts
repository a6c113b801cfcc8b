import type { Cell, ValueKind } from '../../../domain/result.ts'
import * as postgres from '../postgres/values.ts'

/** Object ids of the types that Redshift has and Postgres lacks, as in Amazon's own drivers. */
const oid = {
  hllsketch: 2935,
  geometry: 3000,
  geography: 3001,
  geometryHex: 3999,
  super: 4000,
  varbyte: 6551,
}

const kinds: ReadonlyMap<number, ValueKind> = new Map<number, ValueKind>([
  [oid.super, 'json'],
  [oid.varbyte, 'blob'],
  [oid.hllsketch, 'json'],
  [1188, 'text'], // interval year to month
  [1190, 'text'], // interval day to second
])

/** The kind of a result's column. Shapes are `unknown`; their cells are EWKB in hexadecimal digits. */
export const kindOfType = (typeId: number): ValueKind => kinds.get(typeId) ?? postgres.kindOfType(typeId)

/** The server may write `\x` in front. */
const bytes = (text: string): Cell => new Uint8Array(Buffer.from(text.replace(/^\\x/, ''), 'hex'))

/** Converts text from the server to a `Cell`. SUPER arrives as JSON. */
export const cellTypes = {
  getTypeParser: (typeId: number): ((text: string) => Cell) =>
    typeId === oid.varbyte ? bytes : postgres.cellTypes.getTypeParser(typeId),
}

const kindsByName: readonly (readonly [RegExp, ValueKind])[] = [
  [/^(?:smallint|integer|int|bigint|int[248]|oid)\b/, 'integer'],
  [/^(?:numeric|decimal|real|double|float)/, 'number'],
  [/^bool/, 'boolean'],
  [/^timestamp/, 'timestamp'],
  [/^date\b/, 'date'],
  [/^time/, 'time'],
  [/^(?:varbyte|varbinary|binary varying|bytea)/, 'blob'],
  [/^(?:super|hllsketch|array|struct|map)/, 'json'],
  [/^(?:character|varchar|char|bpchar|nchar|nvarchar|text|string|name|"char"|interval|uuid)/, 'text'],
]

/** The kind of a type as the catalog names it, also of the tables outside (Hive's names). */
export const kindOfName = (type: string): ValueKind =>
  kindsByName.find(([pattern]) => pattern.test(type.toLowerCase()))?.[1] ?? 'unknown'
