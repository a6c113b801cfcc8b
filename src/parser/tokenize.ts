import { foldText } from '../lib/fold-text.ts'
import { stemWord } from '../lib/stem-word.ts'

/**
 * In order: quoted spans (a single quote begins one only after a space and ends it only before one), addresses, ISO
 * days, numbers with thousands commas and units, words with inner dots, apostrophes or ampersands, possessives,
 * punctuation.
 */
const pattern =
  /"([^"]+)"|“([^”]+)”|``([^`']+?)\s*''|`([^`]+)`|(?<![\p{L}\p{N}])['‘]([^'’]{1,80}?)['’](?![\p{L}\p{N}])|([\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}(?::\d{2})?)?)|([-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\p{L}\p{N}])-?\d+(?:\.\d+)?)(?![\p{L}\p{N}])|((?<=[\p{L}\p{N}])['’]s(?![\p{L}]))|([\p{L}\p{N}_]+(?:(?:[.&]|[’'](?!s(?!\p{L})))[\p{L}\p{N}_]+)*)|([<>=!]=?|[^\s\p{L}\p{N}])/gu

/** Splits a question into tokens. Hyphens and slashes separate words; every character is in at most one token. */
export const tokenize = (text: string): readonly Token[] => {
  const tokens: Token[] = []
  for (const match of text.matchAll(pattern)) {
    const quoted = match[1] ?? match[2] ?? match[3] ?? match[4] ?? match[5]
    const at = [match.index, match.index + match[0].length] as const
    const written = quoted?.trim() ?? match[0]
    if (written === '') continue
    const folded = foldText(written).replaceAll('’', "'")
    if (quoted !== undefined) {
      tokens.push({ kind: 'quoted', text: written, folded, stem: folded, number: asNumber(written), at })
    } else if (match[6] !== undefined || match[7] !== undefined) {
      tokens.push({ kind: 'quoted', text: written, folded, stem: folded, number: null, at })
    } else if (match[8] !== undefined) {
      tokens.push({ kind: 'number', text: written, folded, stem: folded, number: asNumber(written), at })
    } else if (match[9] !== undefined || match[11] !== undefined) {
      tokens.push({ kind: 'mark', text: written, folded, stem: folded, number: null, at })
    } else {
      const number = numberWords.get(folded) ?? null
      tokens.push({ kind: 'word', text: written, folded, stem: stemWord(folded), number, at })
    }
  }
  return tokens
}

const asNumber = (text: string): number | null => {
  const plain = text.replaceAll(',', '').replace('−', '-')
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : null
}

/** A word, number, quoted span or punctuation mark of a question. `at` is [start, end) in UTF-16 units of the text. */
export interface Token {
  readonly kind: 'word' | 'number' | 'quoted' | 'mark'
  /** As written; for a quoted span, the text between the quotes. */
  readonly text: string
  /** Folded: lower case, no accents. */
  readonly folded: string
  /** Singular and stemmed, like the names of the schema. */
  readonly stem: string
  /** The value of a number, or of a small number written as a word; else null. */
  readonly number: number | null
  readonly at: readonly [number, number]
}

/** Numbers that questions write as words. `one` is left out: it is mostly a pronoun. */
const numberWords: ReadonlyMap<string, number> = new Map([
  ...'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'
    .split(' ')
    .map((word, number) => [word, number] as const),
  ['thirty', 30],
  ['forty', 40],
  ['fifty', 50],
  ['sixty', 60],
  ['seventy', 70],
  ['eighty', 80],
  ['ninety', 90],
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1_000_000],
  ['once', 1],
  ['twice', 2],
])
