import { type Catalog, type Column, nameTables, type Table } from '../../../src/domain/catalog.ts'
import type { ValueMatch } from '../../../src/domain/question-context.ts'
import { foldText, splitName } from '../../../src/lib/fold-text.ts'
import { leavesOutWeight } from '../../../src/lib/lexicon/light-words.ts'
import { oncePerObject } from '../../../src/lib/once.ts'
import { parseNumber } from '../../../src/lib/parse-number.ts'
import { isPersonalColumn } from '../../../src/lib/personal-columns.ts'
import { stemWord, toSingular } from '../../../src/lib/stem-word.ts'
import { type HintKind, isAlikeEnough, isFlagMatch, kindOfMatch, namesFlag } from './hint-kinds.ts'
import { functionWords } from './keywords.ts'
import { nameStems, requestWords, stemsOf } from './schema-words.ts'

/** A match that is worth telling a model. */
export interface ValueHint extends ValueMatch {
  readonly kind: HintKind
}

/** What a choice of hints depends on. */
export interface HintContext {
  readonly question: string
  readonly catalog: Catalog
}

/**
 * The matches that are worth telling a model, best first. The parser reads all matches and rates them itself; a model
 * believes what it is told, and of all matches only a third are values that the question means. Left out are: words that
 * ask, compare or count, and words that name tables or columns; texts that only look similar, unless they are very much
 * alike; words that have a much better match, or are part of a longer name that matches as well; and all of personal
 * columns but what the question itself spells out. `npm run bench:hints` measures what that keeps and cuts.
 */
export const chooseHints = (
  matches: readonly ValueMatch[],
  { question: text, catalog }: HintContext,
): readonly ValueHint[] => {
  const question = readQuestion(text)
  const schema = readSchema(catalog)
  const telling = matches
    .map(
      (match): PlacedHint => ({
        ...match,
        kind: kindOfMatch(match),
        spans: findSpans(match.keyword, question),
      }),
    )
    .filter(hint => isSpelledOut(hint) || !isPersonal(hint, schema))
    .filter(hint => isTelling(hint, question, schema))
  return telling
    .filter(hint => !telling.some(other => other !== hint && outweighs(other, hint, question, schema)))
    .sort((a, b) => ranks[b.kind] - ranks[a.kind] || b.score - a.score)
    .map(({ spans: _, ...hint }) => hint)
}

const ranks: Readonly<Record<HintKind, number>> = { exact: 3, respelled: 3, form: 2, similar: 1 }

type Span = readonly [from: number, to: number]

interface PlacedHint extends ValueHint {
  /** Where the keyword stands in the question's words; empty for a model's phrase that is not in it. */
  readonly spans: readonly Span[]
}

interface ReadQuestion {
  readonly original: string
  /** Folded words with single spaces between and around them. */
  readonly words: string
}

const wordsOf = (text: string): string => (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')

const readQuestion = (original: string): ReadQuestion => ({ original, words: ` ${wordsOf(original)} ` })

const findSpans = (keyword: string, { words }: ReadQuestion): readonly Span[] => {
  const sought = wordsOf(keyword)
  const spans: Span[] = []
  if (sought === '') return spans
  for (let at = words.indexOf(` ${sought} `); at >= 0; at = words.indexOf(` ${sought} `, at + 1))
    spans.push([at + 1, at + 1 + sought.length])
  return spans
}

interface Schema {
  /** Whether a word needs no value by its stem: it asks, compares or ties together, or a name of the schema has it. */
  readonly isKnownStem: (stem: string) => boolean
  /** The same, but of a name only the word itself counts: `shop` does not explain "shopping". */
  readonly isKnownWord: (word: string) => boolean
  /** The column that a match is in; undefined if the catalog does not have it. */
  readonly columnOf: (match: ValueMatch) => { readonly table: Table; readonly column: Column } | undefined
}

const readSchema = oncePerObject((catalog: Catalog): Schema => {
  const stems = nameStems(catalog)
  const words = new Set(
    catalog.tables
      .flatMap(({ name, columns }) => [name, ...columns.map(column => column.name)])
      .flatMap(name => splitName(name).map(toSingular)),
  )
  const names = nameTables(catalog)
  const columns = new Map(
    catalog.tables.flatMap(table =>
      table.columns.map(column => [placeOf(names.get(table), column.name), { table, column }] as const),
    ),
  )
  const asks = (stem: string): boolean => requestWords.has(stem) || functionWords.has(stem)
  return {
    isKnownStem: stem => asks(stem) || stems.has(stem),
    isKnownWord: word => asks(stemWord(word)) || functionWords.has(word) || words.has(toSingular(word)),
    columnOf: ({ table, column }) => columns.get(placeOf(table, column)),
  }
})

const placeOf = (table: string | undefined, column: string): string => JSON.stringify([table, column])

/** The person who asks has typed the value. */
const isSpelledOut = ({ kind, spans }: PlacedHint): boolean => kind === 'exact' && spans.length > 0

/** A column that the catalog does not have is taken for a personal one. */
const isPersonal = (match: ValueMatch, { columnOf }: Schema): boolean => {
  const at = columnOf(match)
  return at === undefined || isPersonalColumn(at.column, at.table)
}

/** Whether a match by itself says that the value may be meant. */
const isTelling = (hint: PlacedHint, question: ReadQuestion, schema: Schema): boolean => {
  const { keyword, kind } = hint
  if (isFlagMatch(hint)) return namesFlag(hint)
  const isQuoted = isInQuotes(keyword, question)
  if (kind === 'similar') return (isQuoted || !isKnownText(keyword, schema, kind)) && isAlikeEnough(hint)
  if (isQuoted || isCapitalized(keyword, question)) return true
  if (countsOrOrders(keyword)) return false
  return kind === 'form' || isOfFew(hint, schema) || !isKnownText(keyword, schema, kind)
}

const isKnownText = (text: string, { isKnownStem, isKnownWord }: Schema, kind: HintKind): boolean =>
  (kind === 'similar' ? stemsOf(text).every(isKnownStem) : wordsOf(text).split(' ').every(isKnownWord)) ||
  (!/\s/.test(text) && !leavesOutWeight([text]))

/** "one" and "first" count and order; a value would be capitalized like a name, or a digit. */
const countsOrOrders = (keyword: string): boolean =>
  !/\d/.test(keyword) && /(?:one|st|nd|rd|th)$/.test(keyword) && parseNumber(keyword) !== null

/** A column with so few values holds kinds of things, which questions call by their plain names ("good", "bad"). */
const FEW_VALUES = 6

const isOfFew = (hint: ValueHint, { columnOf }: Schema): boolean => {
  const profile = columnOf(hint)?.column.profile
  return (
    hint.kind === 'exact' &&
    profile != null &&
    profile.distinctCount <= FEW_VALUES &&
    !functionWords.has(foldText(hint.keyword))
  )
}

const isInQuotes = (keyword: string, { original }: ReadQuestion): boolean =>
  [...`"'“‘\`«`].some(quote => original.includes(`${quote}${keyword}`))

/** Whether a keyword is written like a name: with a capital letter that does not only open a sentence. */
const isCapitalized = (keyword: string, { original }: ReadQuestion): boolean => {
  if (!/\p{Lu}/u.test(keyword)) return false
  const escaped = keyword.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const at = original.search(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'u'))
  const opens = at <= 0 || /[.?!]["'”’]?\s*$/.test(original.slice(0, at))
  return !opens || /\s\p{Lu}|^\p{Lu}{2}/u.test(keyword)
}

/**
 * Whether a match explains the words of another one better, everywhere the question says them: a much better match of
 * some of the same words, or one as good of a longer name that they are part of. "Monterey County" explains nothing away
 * if county is a column: then "Monterey" may be its value.
 */
const outweighs = (
  better: PlacedHint,
  hint: PlacedHint,
  { words }: ReadQuestion,
  schema: Schema,
): boolean => {
  if (ranks[better.kind] < ranks[hint.kind]) return false
  const isMuchBetter = ranks[better.kind] > ranks[hint.kind]
  if (hint.spans.length === 0) return isMuchBetter && foldText(better.keyword) === foldText(hint.keyword)
  return hint.spans.every(([from, to]) =>
    better.spans.some(([start, end]) => {
      const isPart = start <= from && to <= end && to - from < end - start
      const hasIt = from <= start && end <= to && end - start < to - from
      if (isMuchBetter) return start < to && from < end && !hasIt
      if (!isPart) return false
      if (hint.kind === 'similar') return better.score >= hint.score
      return !isKnownText(`${words.slice(start, from)} ${words.slice(to, end)}`.trim(), schema, 'similar')
    }),
  )
}
