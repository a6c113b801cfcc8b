import { foldText } from '../../../src/lib/fold-text.ts'

/** Words that carry no value of a database by themselves. A span may contain them, but not begin or end with one. */
const functionWords: ReadonlySet<string> = new Set(
  `a an the of in on at by for from to with and or not no is are was were be been do does did has have had how what
  which who whom whose when where why many much there their its it that this these those all any each every me my we our you your they them he she i
  show list give find tell get display return count number total average than more less most least`.split(
    /\s+/,
  ),
)

/** A word of a question without the marks around it. */
export interface QuestionWord {
  readonly text: string
  /** True for the first word of a sentence, which is capitalised whatever it is. */
  readonly opens: boolean
  /** True where a mark stands between the word and the next one, over which no name reaches. */
  readonly closes: boolean
  /** True where a value may begin or end with it. */
  readonly mayBound: boolean
}

const edge = /^[^\p{L}\p{N}$€£#+-]+|[^\p{L}\p{N}%+]+$/gu

/** The words of a question in order. `No`, `A` and the like, capitalised within a sentence, are as good as others. */
export const questionWords = (text: string): readonly QuestionWord[] => {
  const words: QuestionWord[] = []
  let opens = true
  for (const [written] of text.matchAll(/[^\s()[\]{}"“”,;]+[,;]?/gu)) {
    const word = written.replace(edge, '')
    if (word !== '') {
      const isMarked = isCapital(word) && (!opens || /^\p{Lu}{2,}$/u.test(word))
      const mayBound = isMarked || !functionWords.has(foldText(word))
      words.push({ text: word, opens, closes: /[.!?:;]$/.test(written), mayBound })
    }
    opens = /[.!?:]["'”’]?$/.test(written)
  }
  return words
}

/** Whether a word begins with a capital letter. */
export const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word)
