import { foldText } from '../../lib/fold-text.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { numberWords } from './number-words.ts'
import type { Token } from './token.ts'

/**
 * In order: quoted spans (a single quote opens only after a space and closes only before one), addresses, ISO days,
 * numbers with thousands commas and units, words with inner dots, apostrophes or ampersands, possessives, marks.
 */
const pattern =
  /"([^"]+)"|“([^”]+)”|``([^`']+?)\s*''|`([^`]+)`|(?<![\p{L}\p{N}])['‘]([^'’]{1,80}?)['’](?![\p{L}\p{N}])|([\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}(?::\d{2})?)?)|([-−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\p{L}\p{N}])-?\d+(?:\.\d+)?)(?![\p{L}\p{N}])|((?<=[\p{L}\p{N}])['’]s(?![\p{L}]))|([\p{L}\p{N}_]+(?:(?:[.&]|[’'](?!s(?!\p{L})))[\p{L}\p{N}_]+)*)|([<>=!]=?|[^\s\p{L}\p{N}])/gu

/** Cuts a question into tokens. Hyphens and slashes separate words; every character is in at most one token. */
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
