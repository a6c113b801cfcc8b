import type { NameRules } from '../../../sql/sql-dialect.ts'

/** The longest name in bytes; the parser has cut longer ones already, as a server whose texts are UTF-8 does. */
const maxBytes = 63

const isAscii = (name: string): boolean => /^[\x20-\x7e]*$/.test(name)

/**
 * The parser has folded names already. Servers with one byte a letter (LATIN1) also fold letters that are not ASCII,
 * and cut long names elsewhere.
 */
export const fold = (name: string): string => (isAscii(name) ? name : name.replace(/[^\x20-\x7e]+/g, lower))

const lower = (letters: string): string => letters.toLowerCase()

export const same: NameRules['same'] = (a, b) => {
  if (a === b) return isAscii(a) || Buffer.byteLength(a) < maxBytes - 3 ? 'yes' : 'maybe'
  return fold(a) === fold(b) ? 'maybe' : 'no'
}
