import { foldText } from '../../lib/fold-text.ts'
import { adjectives } from '../../lib/lexicon/adjectives.ts'
import { relatedTo } from '../../lib/lexicon/synonyms.ts'
import { oncePerObject } from '../../lib/once.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { type CatalogDescription, isQuestionWord, wordsIn } from './catalog-description.ts'

/** How well words of a question match words of the schema, from 0 to 1. */
export interface WordMatches {
  /** The content words of the question. */
  readonly tokens: readonly MatchedToken[]
  /** By word of the vocabulary: 1 if the question has it. */
  readonly exact: Float64Array
  /** By word of the vocabulary: how well the closest other word of the question matches. */
  readonly loose: Float64Array
  /** Words of the vocabulary with any match, each once. */
  readonly met: readonly number[]
  /** The question's stems between spaces, for looking up phrases. */
  readonly phrase: string
}

interface MatchedToken {
  /** Words of the vocabulary that this word matches, and how well. */
  readonly hits: readonly (readonly [word: number, strength: number])[]
}

const adjectiveWeight = 0.7

const relatedWeight = 0.6

const derivedWeight = 0.6

const abbreviationWeight = 0.5

/**
 * Matches the words of a question with those of a catalog: the same stem, nearly the same stem, or nearly the same
 * meaning.
 */
export const matchWords = (text: string, description: CatalogDescription): WordMatches => {
  const words = wordsIn(foldText(text))
  const exact = new Float64Array(description.vocabulary.length)
  const loose = new Float64Array(description.vocabulary.length)
  const tokens: MatchedToken[] = []
  const met = new Set<number>()
  for (const [at, word] of words.entries()) {
    const hits = hitsOf(word, words[at + 1], description)
    for (const [hit, strength] of hits) {
      met.add(hit)
      if (strength === 1) exact[hit] = 1
      else if (strength > loose[hit]!) loose[hit] = strength
    }
    if (!isQuestionWord(word) || hits.length > 0) tokens.push({ hits })
  }
  return { tokens, exact, loose, met: [...met], phrase: ` ${words.map(stemWord).join(' ')} ` }
}

type WordHits = MatchedToken['hits']

/** The matches of a word are the same for every question about a catalog, so they are cached. */
const cachedHits = oncePerObject((_: CatalogDescription) => new Map<string, WordHits>())

const maxCachedWords = 20_000

const hitsOf = (word: string, next: string | undefined, description: CatalogDescription): WordHits => {
  const known = cachedHits(description)
  const single = cachedHitsOf(known, word, () => findHits(word, description))
  if (next === undefined) return single
  // "home town" is one word in some names.
  const joined = cachedHitsOf(known, `${word} ${next}`, () => {
    const whole = description.wordAt.get(stemWord(word + next))
    return whole === undefined ? [] : [[whole, 1] as const]
  })
  return joined.length === 0 ? single : [...single, ...joined]
}

const cachedHitsOf = (known: Map<string, WordHits>, key: string, find: () => WordHits): WordHits => {
  const before = known.get(key)
  if (before !== undefined) return before
  if (known.size >= maxCachedWords) known.clear()
  const found = find()
  known.set(key, found)
  return found
}

const findHits = (word: string, { vocabulary, wordAt }: CatalogDescription): WordHits => {
  const hits = new Map<number, number>()
  const hit = (stem: string, strength: number): void => {
    const at = wordAt.get(stem)
    if (at !== undefined && strength > (hits.get(at) ?? 0)) hits.set(at, strength)
  }
  for (const measure of measuredBy.get(word) ?? []) hit(stemWord(measure), adjectiveWeight)
  if (word === 'when')
    for (const moment of ['date', 'time', 'year', 'day']) hit(stemWord(moment), adjectiveWeight)
  if (word === 'where')
    for (const place of ['city', 'country', 'location', 'address', 'place'])
      hit(stemWord(place), adjectiveWeight)
  if (word === 'who') for (const named of ['name', 'person', 'people']) hit(stemWord(named), relatedWeight)
  if (isQuestionWord(word)) return [...hits]
  const stem = stemWord(word)
  hit(stem, 1)
  for (const other of relatedTo(stem)) hit(other, relatedWeight)
  for (const [at, other] of vocabulary.entries()) {
    const strength =
      other === stem
        ? 0
        : isDerived(stem, other)
          ? derivedWeight
          : abbreviates(other, stem)
            ? abbreviationWeight
            : 0
    if (strength > (hits.get(at) ?? 0)) hits.set(at, strength)
  }
  return [...hits]
}

/** Words of one family, such as `nation` and `nationality`: their stems share most of their beginning. */
const isDerived = (a: string, b: string): boolean => {
  const shorter = Math.min(a.length, b.length)
  if (shorter < 4) return false
  let same = 0
  while (same < shorter && a[same] === b[same]) same += 1
  return same >= 4 && same >= shorter - 1 && same >= Math.max(a.length, b.length) * 0.55
}

/**
 * Whether the shorter word abbreviates the longer one: its beginning, or its first two letters and some of the others
 * in order (`dept`, `custmr`, `qty`).
 */
const abbreviates = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  if (short.length < 3 || short.length === long.length || short[0] !== long[0]) return false
  if (long.startsWith(short)) return true
  const startsAlike = short[1] === long[1] || !/[aeiou]/.test(short)
  return startsAlike && isSkipped(short, long)
}

/** Whether all letters of one word occur in the other, in order. */
const isSkipped = (short: string, long: string): boolean => {
  let at = 0
  for (const letter of short) {
    at = long.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

/** What the grammar of a question says about the columns it needs, whatever they are called. Each is 0 or 1. */
export interface QuestionCues {
  readonly count: boolean
  readonly aggregate: boolean
  readonly superlative: boolean
  readonly comparison: boolean
  readonly date: boolean
  readonly naming: boolean
  readonly each: boolean
  readonly absence: boolean
}

/** Finds the cues in a folded text. */
export const readQuestionCues = (folded: string): QuestionCues => ({
  count: /\b(?:how many|number of|count|how often)\b/.test(folded),
  aggregate: /\b(?:average|mean|avg|total|sum|maximum|minimum|max|min|how much)\b/.test(folded),
  superlative: superlative.test(folded),
  comparison:
    /\b(?:more than|less than|fewer than|greater than|higher than|lower than|larger than|smaller than|at least|at most|between|above|below|over|under|exceeds?|before|after|than)\b/.test(
      folded,
    ),
  date: /\b(?:1[5-9]\d\d|20\d\d|dates?|years?|months?|days?|weeks?|quarters?|when|since|before|after|yesterday|today|recent(?:ly)?|latest|earliest|january|february|march|april|june|july|august|september|october|november|december)\b/.test(
    folded,
  ),
  naming: /\b(?:names?|named|titles?|titled|called|who|whose|whom)\b/.test(folded),
  each: /\b(?:each|every|per|by|for all|group(?:ed)?|most common|most popular|most frequent)\b/.test(folded),
  absence: /\b(?:not|no|never|without|neither|except|don't|doesn't|didn't|haven't|hasn't)\b/.test(folded),
})

const superlatives = adjectives
  .map(({ forms }) => forms.superlative)
  .filter(form => form !== '' && !form.includes(' '))

const superlative = new RegExp(`\\b(?:most|least|top|${superlatives.join('|')})\\b`)

/** The stems that a measuring word points to: `oldest` to age, birth and the words for dates. */
const measuredBy: ReadonlyMap<string, readonly string[]> = new Map(
  adjectives.flatMap(({ forms, more, less }) =>
    [forms.base, forms.comparative, forms.superlative]
      .filter(form => form !== '')
      .map(form => [form, [...more, ...less]] as const),
  ),
)
