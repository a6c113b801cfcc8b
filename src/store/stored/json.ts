import { z } from 'zod'
import type { ValueKind } from '../../domain/result.ts'

/**
 * Text as Postgres can store it: without NUL and unpaired surrogates, which `jsonb` refuses. Either may come from a
 * database cell or from text cut within a character.
 */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** A value as JSON text for a `jsonb` column. Undefined fields are left out, as in JSON. */
export const toJsonb = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? cleanText(part) : part))

/**
 * A schema of all members of a string literal union. The table must list each of them, so a new member does not compile
 * until stored values can be read back.
 */
export const literalUnion = <T extends string>(table: Readonly<Record<T, true>>) =>
  z.enum(Object.keys(table) as [T, ...T[]])

export const StoredValueKind = literalUnion<ValueKind>({
  integer: true,
  number: true,
  text: true,
  boolean: true,
  date: true,
  timestamp: true,
  time: true,
  json: true,
  blob: true,
  unknown: true,
})
