import type { Catalog } from '../../core/catalog.ts'
import { foldText } from '../../lib/fold-text.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { functionWords } from '../lexicon/function-words.ts'
import { matchStems } from '../link/match-stems.ts'
import { indexSchema } from '../schema/index-schema.ts'
import type { Token } from '../tokenise/token.ts'

/** How a word of a question stands to a database. */
export type WordStatus = 'function' | 'named' | 'described' | 'value' | 'unknown'

/** Tells for each token how it stands; marks, numbers and quoted spans are `function`. */
export const makeWordStatus = (
  catalog: Catalog,
  /** Phrases of the question that values or periods account for. */
  accounted: readonly string[] = [],
): ((token: Token) => WordStatus) => {
  const schema = indexSchema(catalog)
  const described = commentStems(catalog)
  const values = new Set(accounted.flatMap(stemsOf))
  return token => {
    if (token.kind !== 'word' || token.number !== null || !/\p{L}{2}/u.test(token.folded)) return 'function'
    const stems = stemsOf(token.text)
    if (stems.some(stem => values.has(stem))) return 'value'
    if (functionWords.has(token.folded)) return 'function'
    if (stems.some(stem => matchStems(stem, schema.stems).length > 0)) return 'named'
    if (isCompound(token.folded, schema.stems)) return 'named'
    return stems.some(stem => described.has(stem)) ? 'described' : 'unknown'
  }
}

const stemsOf = (text: string): readonly string[] =>
  (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord)

/** "Hometown" for `home_town`, "zipcode" for `zip_code`, "townhouse" for `town`: a long word made of names. */
const isCompound = (word: string, names: readonly string[]): boolean =>
  names.some(
    name =>
      name.length >= 4 && word.length >= name.length + 3 && (word.startsWith(name) || word.endsWith(name)),
  )

const commentStemCache = new WeakMap<Catalog, ReadonlySet<string>>()

const commentStems = (catalog: Catalog): ReadonlySet<string> => {
  const stems =
    commentStemCache.get(catalog) ??
    new Set(
      catalog.tables.flatMap(({ comment, synonyms = [], columns }) =>
        [
          comment,
          ...synonyms,
          ...columns.flatMap(column => [column.comment, ...(column.synonyms ?? [])]),
        ].flatMap(text => (text ? stemsOf(text) : [])),
      ),
    )
  commentStemCache.set(catalog, stems)
  return stems
}
