import { distance } from 'fastest-levenshtein'
import { areRelated } from '../../lib/lexicon/synonyms.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { functionWords } from '../lexicon.ts'
import type { NameWord } from '../schema/schema-index.ts'
import type { Token } from '../tokenize.ts'

/** Words that may occur inside a name without being part of it: date *of* birth, cost of *the* treatment. */
const fillerWords = new Set([
  'of',
  'the',
  'a',
  'an',
  'in',
  'for',
  'per',
  'to',
  'at',
  "'s",
  '’s',
  'their',
  'his',
  'her',
  'its',
  'on',
  'by',
  'and',
])

/** Words that people add to a name that does not have them: phone *number*, city *name*. */
const trailingNouns = new Set(['number', 'name', 'code', 'value', 'date', 'amount'].map(stemWord))

export const LONGEST_NAME_SPAN = 7

/** How the words of a span match the words of a name. */
export interface NameMatch {
  /** The weighted share of the name's words that the span has. */
  readonly coverage: number
  /** The mean strength of the matched words. */
  readonly strength: number
  readonly matched: number
  readonly related: number
  readonly similar: number
  /** 1 if the last word matches nothing and is one that people add. */
  readonly loose: number
  /** How many words of the span match the second name (the table of a column). */
  readonly onContext: number
}

/** For each token, the stems of the schema that it may stand for. */
export const matchTokens = (
  tokens: readonly Token[],
  schemaStems: readonly string[],
): readonly ReadonlyMap<string, StemMatch>[] =>
  tokens.map(token =>
    token.kind === 'word' || token.kind === 'number'
      ? new Map(matchStems(token.stem, schemaStems).map(match => [match.stem, match]))
      : new Map(),
  )

/**
 * Matches tokens [start, end) with the words of a name, and the rest with the words of its context. Null if a word of
 * the span matches neither, or none matches the name itself.
 */
export const matchSpan = (
  tokens: readonly Token[],
  matches: readonly ReadonlyMap<string, StemMatch>[],
  [start, end]: readonly [number, number],
  name: readonly NameWord[],
  context: readonly NameWord[],
): NameMatch | null => {
  const used = new Set<number>()
  const usedContext = new Set<number>()
  let strength = 0
  let matched = 0
  let related = 0
  let similar = 0
  let loose = 0
  for (let at = start; at < end; at++) {
    const candidates = matches[at]
    const token = tokens[at]
    if (!candidates || !token) return null
    const own = bestWord(candidates, name, used)
    const other = own && own.match.how === 'same' ? null : bestWord(candidates, context, usedContext)
    const onName = own !== null && (other === null || own.match.strength >= other.match.strength)
    const best = onName ? own : other
    if (!best) {
      if (at > start && at < end - 1 && fillerWords.has(token.folded)) continue
      if (at > start && at === end - 1 && trailingNouns.has(token.stem) && used.size > 0) {
        loose = 1
        continue
      }
      return null
    }
    if (onName) used.add(best.index)
    else usedContext.add(best.index)
    strength += best.match.strength
    matched += 1
    if (best.match.how === 'related') related += 1
    if (best.match.how === 'similar') similar += 1
  }
  if (used.size === 0) return null
  return {
    coverage: coverage(name, used, context),
    strength: strength / matched,
    matched,
    related,
    similar,
    loose,
    onContext: usedContext.size,
  }
}

/** Words of a column that repeat its table's name matter less when they are missing. */
const REPEATED_WORD_WEIGHT = 0.35

const coverage = (
  name: readonly NameWord[],
  used: ReadonlySet<number>,
  context: readonly NameWord[],
): number => {
  let all = 0
  let held = 0
  for (const [index, word] of name.entries()) {
    const repeats = context.some(other => other.stems[0] === word.stems[0])
    const weight = used.has(index) ? word.weight : word.weight * (repeats ? REPEATED_WORD_WEIGHT : 1)
    all += weight
    if (used.has(index)) held += weight
  }
  return all === 0 ? 0 : held / all
}

const bestWord = (
  candidates: ReadonlyMap<string, StemMatch>,
  words: readonly NameWord[],
  used: ReadonlySet<number>,
): { index: number; match: StemMatch } | null => {
  let best: { index: number; match: StemMatch } | null = null
  for (const [index, word] of words.entries()) {
    if (used.has(index)) continue
    for (const stem of word.stems) {
      const match = candidates.get(stem)
      if (match && (!best || match.strength > best.match.strength)) best = { index, match }
    }
  }
  return best
}

/** Whether a token is a word with a meaning of its own. */
export const isContentSpan = (token: Token | undefined): boolean =>
  token !== undefined && token.kind !== 'mark' && !functionWords.has(token.folded)

/** How similar a word of the question and a word of a name are. */
export interface StemMatch {
  readonly stem: string
  readonly how: 'same' | 'related' | 'similar'
  readonly strength: number
}

const RELATED = 0.6

const SIMILAR = 0.55

const SHORTEST_PREFIX = 4

const SHORTEST_SHORT_FORM = 3

const SHORTEST_MISSPELLED = 6

/** The stems of a schema that a stem of the question may stand for, including itself. */
export const matchStems = (stem: string, schemaStems: readonly string[]): readonly StemMatch[] => {
  const found: StemMatch[] = []
  for (const other of schemaStems) {
    if (other === stem) found.push({ stem: other, how: 'same', strength: 1 })
    else if (areRelated(stem, other)) found.push({ stem: other, how: 'related', strength: RELATED })
    else if (areSimilar(stem, other)) found.push({ stem: other, how: 'similar', strength: SIMILAR })
  }
  return found
}

/** Whether one abbreviates the other, both share most of their beginning, or one typo lies between them. */
const areSimilar = (a: string, b: string): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (!/^[a-z]+$/.test(short)) return false
  if (long.startsWith(short)) {
    return short.length >= SHORTEST_PREFIX || (short === b && short.length >= SHORTEST_SHORT_FORM)
  }
  let common = 0
  while (common < short.length && short[common] === long[common]) common++
  if (common >= 5 && common >= long.length - 3) return true
  return (
    common >= 1 &&
    short.length >= SHORTEST_MISSPELLED &&
    long.length - short.length <= 1 &&
    distance(a, b) === 1
  )
}
