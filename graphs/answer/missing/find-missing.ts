import type { Catalog } from '../../../src/core/catalog.ts'
import type { Understanding } from '../../../src/core/understanding.ts'
import type { ValueMatch } from '../../../src/core/value-match.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'
import { unreadWords } from '../keywords/unread-words.ts'

/** Words that questions are padded with and that change nothing when a statement leaves them out. */
const padding: ReadonlySet<string> = new Set(
  `available average belong calculate come compare corresponding current data database detail exist find get have
  include individual info information item kind know many much need number one overall particular person people place
  please possible present recorded registered related respective result see several single specific thing time total
  type unique us various want way whole work year currently exactly ever actually really also just still already`
    .split(/\s+/)
    .map(stemWord),
)

/**
 * Words of a question for which nothing in the database stands: the statement leaves them out (`unused`), and neither a
 * name of the catalog, nor a comment, nor a value is called by them.
 */
export const findMissing = (
  unused: readonly string[],
  {
    understanding,
    matches,
    catalog,
  }: {
    readonly understanding: Understanding
    readonly matches: readonly ValueMatch[]
    readonly catalog: Catalog
  },
): readonly string[] => {
  const unread = new Set(
    unreadWords(understanding.text, {
      catalog,
      matches,
      read: understanding.spans.map(span => span.phrase),
    }).flatMap(stemsOf),
  )
  const described = commentStems(catalog)
  return [...new Set(unused)].filter(word => {
    const stems = stemsOf(word)
    return (
      stems.length > 0 &&
      /\p{L}{3}/u.test(word) &&
      stems.every(stem => unread.has(stem) && !padding.has(stem) && !described.has(stem))
    )
  })
}

const stemsOf = (text: string): readonly string[] =>
  (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord)

const known = new WeakMap<Catalog, ReadonlySet<string>>()

const commentStems = (catalog: Catalog): ReadonlySet<string> => {
  const stems =
    known.get(catalog) ??
    new Set(
      catalog.tables.flatMap(({ comment, synonyms = [], columns }) =>
        [
          comment,
          ...synonyms,
          ...columns.flatMap(column => [column.comment, ...(column.synonyms ?? [])]),
        ].flatMap(text => (text ? stemsOf(text) : [])),
      ),
    )
  known.set(catalog, stems)
  return stems
}
