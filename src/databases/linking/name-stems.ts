import type { Catalog } from '../../core/catalog.ts'
import { abbreviations } from '../../lib/lexicon/abbreviations.ts'
import { splitCompound } from '../../lib/lexicon/take-apart.ts'
import { splitName } from '../../lib/split-name.ts'
import { stemWord } from '../../lib/stem-word.ts'

/** Words that questions are built of. Schemas use some of them too, where they tell nothing. */
const questionWords: ReadonlySet<string> = new Set(
  `a an the of in on at by for from to with without and or not is are was were be been do does did has have had
  how what which who whom whose when where why many much there their its it that this these those all any each every
  me my our we i you show list give find tell get display return per than more less most least between into over
  under as also both only please`.split(/\s+/),
)

/** Whether a folded word of a question is one that carries no meaning of its own. */
export const isQuestionWord = (folded: string): boolean => questionWords.has(folded)

/** The folded words of a text, in order. */
export const wordsIn = (folded: string): readonly string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? []

/** The stems of the content words of a folded text, in order, with repetitions. */
export const contentStems = (folded: string): readonly string[] =>
  wordsIn(folded)
    .filter(word => !questionWords.has(word))
    .map(stemWord)

/** Every word of a catalog's names: what names that run together may be cut into. */
export const vocabularyOf = ({ tables }: Pick<Catalog, 'tables'>): ReadonlySet<string> =>
  new Set(
    tables.flatMap(({ name, columns }) =>
      [name, ...columns.map(column => column.name)].flatMap(splitName).filter(word => word.length > 2),
    ),
  )

/** The stems of a name's words, run-together words cut and short forms spelled out. */
export const nameStems = (name: string, vocabulary: ReadonlySet<string>): readonly string[] =>
  splitName(name).flatMap(
    word =>
      expandAbbreviation(word) ??
      splitCompound(word, vocabulary)?.flatMap(part => expandAbbreviation(part) ?? [stemWord(part)]) ?? [
        stemWord(word),
      ],
  )

const expandAbbreviation = (word: string): readonly string[] | null =>
  abbreviations.get(word)?.map(stemWord) ?? null
