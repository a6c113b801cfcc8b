import type { Catalog } from '../../../src/domain/catalog.ts'
import { foldText, splitName } from '../../../src/lib/fold-text.ts'
import { adjectives } from '../../../src/lib/lexicon/adjectives.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'

/** Words of asking, ordering and comparing, which no value is called by. */
export const requestWords: ReadonlySet<string> = new Set(
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

/** Stems of all words of a text. */
export const stemsOf = (text: string): readonly string[] =>
  (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(stemWord)

const known = new WeakMap<Catalog, ReadonlySet<string>>()

/** Stems of the words in the names of all tables and columns. */
export const nameStems = (catalog: Catalog): ReadonlySet<string> => {
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
