import { stemWord } from '../../lib/stem-word.ts'
import { functionWords } from '../lexicon/function-words.ts'
import type { NameWord } from '../schema/schema-index.ts'
import type { Token } from '../tokenise/token.ts'
import { matchStems, type StemMatch } from './match-stems.ts'

/** Words that may stand inside a name without being part of it: date *of* birth, cost of *the* treatment. */
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

/** Words that people put behind a name though the name does not have them: phone *number*, city *name*. */
const trailingNouns = new Set(['number', 'name', 'code', 'value', 'date', 'amount'].map(stemWord))

export const LONGEST_NAME_SPAN = 7

/** How the words of a span were laid on the words of a name. */
export interface NameMatch {
  /** Share of the name's words that the span holds, weighted. */
  readonly coverage: number
  /** Mean strength of the single matches. */
  readonly strength: number
  readonly matched: number
  readonly related: number
  readonly similar: number
  /** 1 when the last word fits nothing and is one that people add. */
  readonly loose: number
  /** Words of the span that were laid on the second name (the table of a column). */
  readonly onContext: number
}

/** For each token the stems of the schema that it may stand for. */
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
 * Lays tokens [start, end) on the words of a name, and what is left on the words of its context. Null when a word of
 * the span fits neither, or none fits the name itself.
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

/** Words of a column that only repeat its table's name are not missed. */
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

/** Whether a span consists of words that mean something by themselves. */
export const isContentSpan = (token: Token | undefined): boolean =>
  token !== undefined && token.kind !== 'mark' && !functionWords.has(token.folded)
