import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { Catalog, Column } from '../../../src/domain/catalog.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { Keyword, ValueMatch } from '../../../src/domain/question-context.ts'
import { foldText, splitName } from '../../../src/lib/fold-text.ts'
import { codeValues } from '../../../src/lib/lexicon/value-forms.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'

/** Values of one column that are kept. */
const matchesPerColumn = 5

/** Values of all columns together that are kept. */
const MOST_MATCHES = 100

/** Matches of one keyword over all columns. Wide databases hold the same text in many of them. */
const MATCHES_PER_KEYWORD = 50

/** Matches below this say too little. */
const LEAST_SCORE = 0.5

/** One word may be another form of a value (`failure`: Fail); several words that are half alike are another thing. */
const LEAST_SCORE_OF_WORD = 0.4

/** What somebody put in quotes is meant to be in the data; it may be a piece of a word there. */
const LEAST_SCORE_OF_QUOTED = 0.3

/** What a name of the schema has to reach to be taken for a value too: the same text, but for case and plurals. */
const LEAST_SCORE_OF_NAME = 0.93

/** A letter stands for a word (`F`) only where a column holds a handful of them. */
const MOST_CODES = 6

/** Keywords looked up before others may run: a lookup in a large index takes milliseconds. */
const KEYWORDS_AT_A_TIME = 16

/**
 * Looks keywords up and keeps the best five values of each column over all of them, best first. A value that several
 * keywords find is there once, with the best of its scores, which is the index's times the keyword's weight; its
 * `keyword` is what the question says. Matches found otherwise (`more`) take part. Rejects when `signal` fires.
 */
export const matchKeywords = async (
  keywords: readonly Keyword[],
  { catalog, findValues }: Pick<Database, 'catalog' | 'findValues'>,
  { more = [], signal }: { readonly more?: readonly ValueMatch[]; readonly signal?: AbortSignal } = {},
): Promise<readonly ValueMatch[]> => {
  const { codeColumns } = traitsOf(catalog)
  const columns = new Map<string, Map<string, ValueMatch>>()
  const keep = (match: ValueMatch): void => {
    const place = placeOf(match)
    const column = columns.get(place) ?? new Map<string, ValueMatch>()
    columns.set(place, column)
    const other = column.get(match.value)
    if (!other || byScore(match, other) < 0) column.set(match.value, match)
  }
  for (const [number, { text, said, source, weight }] of keywords.entries()) {
    if (number % KEYWORDS_AT_A_TIME === KEYWORDS_AT_A_TIME - 1) await letOthersRun(undefined, { signal })
    const isQuoted = source === 'quoted'
    const isName = !isQuoted && source !== 'model' && isSchemaName(text, catalog)
    const least = isName ? LEAST_SCORE_OF_NAME : isQuoted ? LEAST_SCORE_OF_QUOTED : leastOf(text)
    for (const match of findValues(text, { limit: MATCHES_PER_KEYWORD, perColumn: matchesPerColumn })) {
      const score = match.score * weight
      if (score < least) continue
      if (source === 'code' && !codeColumns.has(placeOf(match))) continue
      keep({ ...match, keyword: said, score })
    }
  }
  more.forEach(keep)
  return [...columns.values()]
    .flatMap(column => [...column.values()].sort(byScore).slice(0, matchesPerColumn))
    .sort(byScore)
    .slice(0, MOST_MATCHES)
}

/** Of equal scores, the match of more words of the question tells more. */
const byScore = (a: ValueMatch, b: ValueMatch): number =>
  b.score - a.score || b.keyword.length - a.keyword.length || a.value.length - b.value.length

const placeOf = ({ table, column }: Pick<ValueMatch, 'table' | 'column'>): string =>
  JSON.stringify([table, column])

interface CatalogTraits {
  /** Names of tables and columns, word by word, without endings. */
  readonly names: ReadonlySet<string>
  /** Places of columns with few different values. */
  readonly codeColumns: ReadonlySet<string>
}

const known = new WeakMap<Catalog, CatalogTraits>()

/** Catalogs are wide and stay the same for many questions. */
const traitsOf = (catalog: Catalog): CatalogTraits => {
  const traits = known.get(catalog) ?? {
    names: new Set(
      catalog.tables.flatMap(({ name, columns }) =>
        [name, ...columns.map(column => column.name)].map(nameKey),
      ),
    ),
    codeColumns: new Set(
      catalog.tables.flatMap(({ name, columns }) =>
        columns
          .filter(({ profile }) => profile !== null && profile.distinctCount <= MOST_CODES)
          .map(column => placeOf({ table: name, column: column.name })),
      ),
    ),
  }
  known.set(catalog, traits)
  return traits
}

const leastOf = (text: string): number => (/\s/.test(text) ? LEAST_SCORE : LEAST_SCORE_OF_WORD)

/** Whether a text is the name of a table or column, but for its ending. */
export const isSchemaName = (text: string, catalog: Catalog): boolean =>
  traitsOf(catalog).names.has(nameKey(text))

const nameKey = (name: string): string => splitName(name).map(stemWord).join(' ')

/** A flag says yes or no, and perhaps that it is not known. */
const MOST_VALUES = 3

const SCORE = 0.7

const LEAST_NAMED = 0.5

const SHORTEST_PREFIX = 4

/** Words of names of flags that do not say what is flagged. */
const flagWords: ReadonlySet<string> = new Set(
  'is if has was can yn flag ind indicator or not on in of for with'.split(' '),
)

const yes: ReadonlySet<string> = new Set(codeValues.get('yes'))

const no: ReadonlySet<string> = new Set(codeValues.get('no'))

const negation = /(?:^|[^\p{L}])(?:no|not|non|never|without|neither|nor)(?![\p{L}])|n['’]t(?![\p{L}])/iu

/**
 * Values of flags that the question names: of a column `on_scholarship` that holds only `Y` and `N`, the `Y` for
 * "students on scholarship", and the `N` too where the question says "not" somewhere. Nothing in the question is
 * spelled like these values, so no lookup finds them.
 */
export const flagMatches = (text: string, catalog: Catalog): readonly ValueMatch[] => {
  const words = foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const said = words.map(stemWord)
  const isNegated = negation.test(text)
  return catalog.tables.flatMap(table =>
    table.columns.flatMap(column => {
      const values = flagValues(column)
      const named = values.length === 0 ? null : phraseForColumn(column.name, words, said)
      if (named === null) return []
      const match = { keyword: named.words, table: table.name, column: column.name }
      return values
        .filter(value => isNegated || yes.has(foldText(value)))
        .map(value => ({ ...match, value, score: SCORE * named.share }))
    }),
  )
}

/** The values of a column that holds nothing but a yes and a no, as texts; empty for any other. */
const flagValues = ({ kind, profile }: Column): readonly string[] => {
  if (kind !== 'text' || !profile || profile.distinctCount < 1 || profile.distinctCount > MOST_VALUES)
    return []
  const values = profile.mostFrequent.flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
  const flags = values.filter(value => yes.has(foldText(value)) || no.has(foldText(value)))
  const others = values.filter(value => !flags.includes(value) && value.trim() !== '')
  return flags.length > 0 && others.length === 0 ? flags : []
}

/** How the question says the name of a column, and which share of its words, by their stems or beginnings. */
const phraseForColumn = (
  name: string,
  words: readonly string[],
  said: readonly string[],
): { readonly words: string; readonly share: number } | null => {
  const parts = splitName(name).filter(part => part.length > 1 && !flagWords.has(part))
  const joined = said.indexOf(stemWord(parts.join('')))
  const at =
    joined >= 0
      ? [joined]
      : parts.flatMap(part => said.findIndex(word => isAlike(word, stemWord(part)))).filter(at => at >= 0)
  const share = joined >= 0 ? 1 : at.length / parts.length
  if (at.length === 0 || share < LEAST_NAMED) return null
  return { words: words.slice(Math.min(...at), Math.max(...at) + 1).join(' '), share }
}

const isAlike = (a: string, b: string): boolean =>
  a === b ||
  (Math.min(a.length, b.length) >= SHORTEST_PREFIX &&
    Math.abs(a.length - b.length) <= 2 &&
    (a.startsWith(b) || b.startsWith(a)))
