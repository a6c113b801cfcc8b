import type { ValueMatch } from '../../../src/domain/question-context.ts'
import { foldText, splitName } from '../../../src/lib/fold-text.ts'
import { codeValues } from '../../../src/lib/lexicon/value-forms.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'
import { stemsOf } from './schema-words.ts'

/**
 * How a value is like the words of the question: the same text but for case and accents; the same words, spelled
 * differently; another form of them (`Florida`: FL, `female`: F, a flag); or a text that only looks similar.
 */
export type HintKind = 'exact' | 'respelled' | 'form' | 'similar'

/** From here on the index found the same words: in the plural, in another order, with other punctuation. */
const SAME_WORDS = 0.93

/** From here on the value has every word of the keyword, or of another form in which it was looked up. */
const CONTAINS = 0.8

/** What a flag scores at most: this if the question says its name in full. */
const WHOLE_FLAG = 0.7

const flagTexts: ReadonlySet<string> = new Set(['yes', 'no'].flatMap(said => codeValues.get(said) ?? []))

/** The kind of a match, by its texts and its score. */
export const kindOfMatch = ({ keyword, value, score }: ValueMatch): HintKind => {
  if (foldText(keyword) === foldText(value)) return 'exact'
  if (score >= SAME_WORDS) return 'respelled'
  if (score <= WHOLE_FLAG) return flagTexts.has(foldText(value)) ? 'form' : 'similar'
  const ofValue = new Set(stemsOf(value))
  return score >= CONTAINS && !stemsOf(keyword).every(stem => ofValue.has(stem)) ? 'form' : 'similar'
}

/** Whether a match of another form is the value of a flag, such as the `Y` of `on_scholarship`. */
export const isFlagMatch = ({ score, kind }: ValueMatch & { readonly kind: HintKind }): boolean =>
  kind === 'form' && score <= WHOLE_FLAG

/** Whether the question says of a flag what it is a flag for, not only what its table is about. */
export const namesFlag = ({ keyword, table, column, score }: ValueMatch): boolean => {
  if (score === WHOLE_FLAG) return true
  const ofTable = new Set(splitName(table).map(stemWord))
  const ofColumn = new Set(splitName(column).map(stemWord))
  return stemsOf(keyword).some(stem => ofColumn.has(stem) && !ofTable.has(stem))
}

/** The score of initials that one of both writes in capitals. */
const INITIALS = 0.78

/** A word and a value are alike if two letters in nine are others, and they have enough letters for that to mean something. */
const LEAST_ALIKE = 0.6

const FEWEST_LETTERS = 5

/** Several words that hold a value and more are another thing, unless it is most of them. */
const LEAST_ALIKE_OF_PHRASE = 0.7

/** Whether a similar value is like enough to be meant: it has every word, or is an abbreviation, another ending or a typo. */
export const isAlikeEnough = ({ keyword, value, score }: ValueMatch): boolean => {
  if (score >= CONTAINS || abbreviates(keyword, value)) return true
  // Of a run of small words the initials mean nothing ("first and last": FL).
  if (score === INITIALS) return /^(?:\p{Lu}\S*\s*)+$/u.test(keyword)
  if (/\s/.test(keyword)) return score >= LEAST_ALIKE_OF_PHRASE
  return (
    sharesBeginning(foldText(keyword), foldText(value)) ||
    (score >= LEAST_ALIKE && Math.min(keyword.length, value.length) >= FEWEST_LETTERS)
  )
}

/** `computer science` and `Comp. Sci.` */
const abbreviates = (keyword: string, value: string): boolean => {
  const [said, stored] = [keyword, value].map(text => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [])
  return (
    said !== undefined &&
    said.length > 1 &&
    said.length === stored?.length &&
    said.every((word, at) => {
      const other = stored[at] ?? ''
      return word.startsWith(other) || other.startsWith(word)
    })
  )
}

const FEWEST_OF_BEGINNING = 4

const LEAST_OF_ENDINGS = 0.6

/** "successful" and Success, "failure" and Fail, "nomination" and Nominated: one word with different endings. */
const sharesBeginning = (a: string, b: string): boolean => {
  const longer = Math.max(a.length, b.length)
  const shorter = Math.min(a.length, b.length)
  let shared = 0
  while (shared < shorter && a[shared] === b[shared]) shared += 1
  const isWhole = shared === shorter && longer <= 2 * shorter
  return shared >= FEWEST_OF_BEGINNING && (isWhole || shared >= LEAST_OF_ENDINGS * longer)
}
