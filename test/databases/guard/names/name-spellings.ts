import type { Dice } from '../random-statement.ts'
import type { Grammar } from './grammar.ts'

/** A name as a server may have it, and as a statement writes it. */
export interface Spelled {
  /** The name without quotes. */
  readonly raw: string
  readonly written: string
}

const accents: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'ï', o: 'ö', u: 'ü', c: 'ç', s: 'š' }

const homoglyphs: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  x: 'х',
  i: 'і',
  s: 'ѕ',
}

const swapFirst = (name: string, letters: Readonly<Record<string, string>>): string => {
  const at = [...name].findIndex(letter => letters[letter] !== undefined)
  return at < 0 ? name : name.slice(0, at) + (letters[name[at] ?? ''] ?? '') + name.slice(at + 1)
}

const wide = (name: string): string =>
  name.replaceAll(/[a-z]/g, letter => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))

const initial = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

/** Spellings that differ in case alone. */
const casings = (name: string): readonly string[] => [
  name.toUpperCase(),
  initial(name),
  name.slice(0, -1) + name.slice(-1).toUpperCase(),
]

/** Spellings that some server, collation or library takes for the name, and another one does not. */
const visible = (name: string): readonly string[] =>
  [
    ...casings(name),
    ...casings(name),
    name.replace('k', '\u212a'),
    name.toUpperCase().replace('K', '\u212a'),
    name.replace('i', 'ı'),
    name.toUpperCase().replace('I', 'İ'),
    name.replace('s', 'ſ'),
    name.replaceAll('s', 'ſ'),
    name.replace('ss', 'ß'),
    name.replace(/s$/, 'ß'),
    swapFirst(name, accents),
    swapFirst(name, accents).normalize('NFD'),
    swapFirst(name, homoglyphs),
    wide(name),
    `${name} `,
    ` ${name}`,
    `${name}s`,
    `${name}"`,
    `${name}\``,
    `main.${name}`,
    `public.${name}`,
  ].filter(spelling => spelling !== name)

/** Spellings with a character that is not seen. */
const invisible = (name: string): readonly string[] => [
  `${name}\u00a0`,
  `${name}\u00ad`,
  `${name}\u200b`,
  `${name}\u0000`,
  `${name}\u0000x`,
  `\ufeff${name}`,
]

/** A spelling that is nearly the name. */
export const confuse = (dice: Dice, name: string): string =>
  pick(dice, dice.roll(8) === 0 ? invisible(name) : visible(name))

/** Whether one may be taken for the other. */
export const isNear = (name: string, spelling: string): boolean =>
  [...visible(name), ...invisible(name)].includes(spelling)

/** Words that are keywords somewhere, so that a bare one may be read as something else than a name. */
export const keywordNames = [
  'all',
  'user',
  'value',
  'values',
  'table',
  'row',
  'order',
  'left',
  'lateral',
  'recursive',
  'only',
  'excluded',
  'rowid',
  'oid',
] as const

const isPlain = (name: string): boolean => /^[a-z_][a-z0-9_]*$/.test(name)

const isBareLetters = (name: string): boolean => /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(name)

const quoted = (name: string, [open, close]: readonly [string, string]): string =>
  `${open}${name.replaceAll(close, close + close)}${close}`

const pick = <T>({ roll }: Dice, items: readonly T[]): T => items[roll(items.length)] as T

/** Writes a name so that it means just this one; in quotes if it has to be, and sometimes where it need not. */
export const writeExactly = (dice: Dice, { quotes, fold }: Grammar, raw: string): string => {
  const mayBeBare = isPlain(raw) && !(keywordNames as readonly string[]).includes(raw)
  if (!mayBeBare || dice.roll(8) === 0) return quoted(raw, pick(dice, quotes))
  if (fold !== 'none' && dice.roll(8) === 0) return pick(dice, casings(raw))
  return raw
}

/** Writes a name nearly: a confusable spelling, in quotes or bare. */
export const writeNearly = (dice: Dice, { quotes }: Grammar, raw: string): Spelled => {
  const spelling = confuse(dice, raw)
  return {
    raw: spelling,
    written: isBareLetters(spelling) && dice.roll(2) === 0 ? spelling : quoted(spelling, pick(dice, quotes)),
  }
}
