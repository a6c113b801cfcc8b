import type { NameRules } from '../../../sql/sql-dialect.ts'

/**
 * How names compare depends on what they name, on `lower_case_table_names`, on the server and its version: by bytes, by
 * case, or by a collation without accents, in which é is e and ß is s (or ss). Nobody can see which from outside. So
 * all names that any of these may equate share one fold, and only what every server agrees on is certain.
 */
export const fold = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\s]/gu, '')
    // To capitals first: ſ is S, ß is SS.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ıøđłæœþðħŧ]/g, letter => plainLetters[letter] ?? letter)
    // What names may not hold the server replaces, or refuses.
    .replace(/[\u{10000}-\u{10ffff}]/gu, '?')
    .replace(/s+/g, 's')

const plainLetters: Readonly<Record<string, string>> = {
  ...{ ı: 'i', ø: 'o', đ: 'd', ł: 'l', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', ħ: 'h', ŧ: 't' },
}

const isAscii = (name: string): boolean => /^[\x20-\x7e]*$/.test(name)

const plain = (name: string): string => name.trim().toLowerCase()

/** Columns compare without case everywhere; tables, aliases and queries of WITH on some servers. */
export const same: NameRules['same'] = (a, b, what) => {
  if (a === b) return 'yes'
  if (!isAscii(a) || !isAscii(b)) return fold(a) === fold(b) ? 'maybe' : 'no'
  if (what === 'column' && a.toLowerCase() === b.toLowerCase()) return 'yes'
  return plain(a) === plain(b) ? 'maybe' : 'no'
}
