import { distance } from 'fastest-levenshtein'
import type { FindValues } from '../../src/domain/question-context.ts'
import { foldText } from '../../src/lib/fold-text.ts'
import { stemWord } from '../../src/lib/stem-word.ts'
import type { GoldLiteral } from './gold-literals.ts'

/** Why a literal was not found, as far as its texts tell. */
export type KindOfMiss =
  | 'column of numbers or days'
  | 'column not indexed'
  | 'piece of a value'
  | 'among the question’s words, but crowded out'
  | 'code or abbreviation'
  | 'part of it in the question’s words'
  | 'other spelling'
  | 'not in the question’s words'

/** Sorts a miss by what the question and the index hold. */
export const kindOfMiss = (
  question: string,
  { table, column, isText, values, text }: GoldLiteral,
  findValues: FindValues,
): KindOfMiss => {
  if (!isText) return 'column of numbers or days'
  const isIndexed = [...values]
    .slice(0, 20)
    .some(value => findValues(value, { columns: [{ table, column }] }).some(match => values.has(match.value)))
  if (!isIndexed) return 'column not indexed'
  const said = wordsOf(question)
  const meant = wordsOf(text)
  const same = meant.filter(word => said.some(other => stemWord(other) === stemWord(word)))
  if (text.includes('%')) return 'piece of a value'
  if (meant.length > 0 && same.length === meant.length) return 'among the question’s words, but crowded out'
  if (text.length <= 4) return 'code or abbreviation'
  if (same.length > 0) return 'part of it in the question’s words'
  const isAlike = (a: string, b: string): boolean =>
    Math.min(a.length, b.length) > 3 && distance(a, b) <= Math.max(a.length, b.length) * 0.4
  return meant.some(word => said.some(other => isAlike(word, other)))
    ? 'other spelling'
    : 'not in the question’s words'
}

const wordsOf = (text: string): readonly string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []
