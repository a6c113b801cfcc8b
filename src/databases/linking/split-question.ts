import { stemmer } from 'stemmer'
import { foldText } from '../../lib/fold-text.ts'
import { toSingular } from '../../lib/to-singular.ts'

/** Words that questions are built of. Schemas use some of them too, where they tell nothing. */
const questionWords = new Set(
  `a an the of in on at by for from to with without and or not no is are was were be been do does did has have had
  how what which who whom whose when where why many much there their its it that this these those all any each every
  me my our we i you show list give find tell get display return per than more less most least between into over
  under as also both only please`.split(/\s+/),
)

/** A word as words are compared here: singular, then cut to its stem. */
export const stemWord = (folded: string): string => stemmer(toSingular(folded))

/** The stems of a question's content words, each once. */
export const splitQuestion = (text: string): readonly string[] => {
  const words = foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
  return [...new Set(words.filter(word => !questionWords.has(word)).map(stemWord))]
}
