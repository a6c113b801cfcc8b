import type { Catalog } from '../../../src/core/catalog.ts'
import type { ValueMatch } from '../../../src/core/value-match.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { adjectives } from '../../../src/lib/lexicon/adjectives.ts'
import { relatedTo } from '../../../src/lib/lexicon/related-words.ts'
import { parseNumber } from '../../../src/lib/read-number.ts'
import { splitName } from '../../../src/lib/split-name.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'
import { questionWords } from './question-words.ts'

/** Words of asking, ordering and comparing, which no value is called by. */
const requestWords: ReadonlySet<string> = new Set(
  `different distinct order ordered sort sorted ascending descending alphabetical alphabetically reverse maximum minimum
  both either as after before but through below above over under between without also some can could would please
  table list listed use used using high low along last first next together his her himself herself own same other
  contain contains containing start starts starting begin end ends ending word letter substring like name called
  many few greater larger smaller fewer higher lower than once twice ever never only exactly corresponding respectively`
    .split(/\s+/)
    .concat(adjectives.flatMap(({ forms }) => Object.values(forms).flatMap(form => form.split(' '))))
    .filter(Boolean)
    .map(stemWord),
)

/** A match at least so good says what its words are. */
const GOOD_SCORE = 0.8

/**
 * Words of a question that mean something and that neither the names of the catalog nor a good match of a value
 * account for, nor a number, nor a time span (`read`: pieces of the question that were read otherwise). Where there is
 * none, a model has nothing to add to the values that were found.
 */
export const unexplainedWords = (
  text: string,
  {
    catalog,
    matches,
    read = [],
  }: {
    readonly catalog: Catalog
    readonly matches: readonly ValueMatch[]
    readonly read?: readonly string[]
  },
): readonly string[] => {
  const names = nameStems(catalog)
  const accounted = new Set(
    [...matches.filter(match => match.score >= GOOD_SCORE).map(match => match.keyword), ...read].flatMap(
      stemsOf,
    ),
  )
  return questionWords(text)
    .filter(({ text, mayBound }) => mayBound && parseNumber(text) === null)
    .map(word => word.text)
    .filter(word => {
      const stems = stemsOf(word).filter(stem => stem.length > 1)
      const isRead = (stem: string): boolean =>
        requestWords.has(stem) ||
        accounted.has(stem) ||
        names.has(stem) ||
        [...relatedTo(stem)].some(other => names.has(other))
      return stems.length > 0 && !stems.every(isRead)
    })
}

const stemsOf = (text: string): readonly string[] =>
  (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord)

const known = new WeakMap<Catalog, ReadonlySet<string>>()

const nameStems = (catalog: Catalog): ReadonlySet<string> => {
  const stems =
    known.get(catalog) ??
    new Set(
      catalog.tables.flatMap(({ name, columns }) =>
        [name, ...columns.map(column => column.name)].flatMap(name => splitName(name).map(stemWord)),
      ),
    )
  known.set(catalog, stems)
  return stems
}
