/**
 * Text as Postgres can hold it: without NUL, and without halves of a surrogate pair, which `jsonb` refuses. Either
 * would come from a database cell or from text that was cut in the middle of a character.
 */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '\ufffd')

/** A value as JSON text for a `jsonb` column. Undefined fields are left out, as JSON does. */
export const toJsonb = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? cleanText(part) : part))
