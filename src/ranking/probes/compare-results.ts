import type { ResultTable } from '../../domain/result.ts'
import { countRequestedColumns, type QuestionWords } from '../question-match/question-words.ts'
import { canonicalCell } from '../result-key.ts'
import type { Finding } from './probe-pair.ts'

/** One thing that two results and a question can tell without a query; null where it does not apply. */
type CompareResults = (first: ResultTable, second: ResultTable, question: QuestionWords) => Finding | null

/** Everything that two different results tell about which of them answers the question. */
export const compareResults = (
  first: ResultTable,
  second: ResultTable,
  question: QuestionWords,
): readonly Finding[] =>
  comparers.map(compare => compare(first, second, question)).filter(finding => finding !== null)

/** A finding from the first's side: `sides` says for which of the two something holds. */
const finding = (
  kind: string,
  reason: string,
  holds: { readonly first: boolean; readonly second: boolean },
  preference: number,
): Finding | null =>
  holds.first === holds.second || preference === 0
    ? null
    : { kind, reason, preference: holds.first ? preference : -preference }

const onlyNothing = ({ rows }: ResultTable): boolean =>
  rows.length === 0 || rows.every(row => row.every(cell => cell === null))

/** "None" is a rare answer, unless the question looks for what is not there. */
const oneIsEmpty: CompareResults = (first, second, { cues }) =>
  finding(
    'one-is-empty',
    'the other finds nothing',
    { first: !onlyNothing(first), second: !onlyNothing(second) },
    cues.has('negation') ? 0.5 : 1,
  )

const isZero = ({ rows, columns }: ResultTable): boolean =>
  rows.length === 1 && columns.length === 1 && (rows[0]?.[0] === 0 || rows[0]?.[0] === 0n)

const oneIsZero: CompareResults = (first, second, { cues }) =>
  first.rows.length === 1 && second.rows.length === 1
    ? finding(
        'one-is-zero',
        'the other counts nothing',
        { first: !isZero(first), second: !isZero(second) },
        cues.has('negation') ? 0.4 : 0.8,
      )
    : null

const rowKeys = ({ rows, columns }: ResultTable): readonly string[] =>
  rows.map(row => row.map((cell, at) => canonicalCell(cell, columns[at]?.kind ?? 'unknown')).join('\u001f'))

/** The same rows, of which one result has some more than once. */
const oneRepeats: CompareResults = (first, second, { cues, folded }) => {
  if (first.columns.length !== second.columns.length) return null
  const [a, b] = [rowKeys(first), rowKeys(second)]
  const [inA, inB] = [new Set(a), new Set(b)]
  if (inA.size !== inB.size || ![...inA].every(key => inB.has(key)) || a.length === b.length) return null
  const each = /\b(?:each|every|per|all)\b/.test(folded)
  return finding(
    'one-repeats',
    'the other has the same rows, some of them more than once',
    { first: a.length < b.length, second: b.length < a.length },
    cues.has('distinct') ? 1 : each ? 0.1 : 0.4,
  )
}

/** One result is the other and some columns more. */
const extraColumn: CompareResults = (first, second, question) => {
  const [few, many] = first.columns.length < second.columns.length ? [first, second] : [second, first]
  if (few.columns.length === many.columns.length || few.rows.length !== many.rows.length) return null
  if (few.rows.length === 0 || !isProjectionOf(few, many)) return null
  const { least, most } = countRequestedColumns(question)
  const off = ({ columns }: ResultTable): number => Math.max(0, least - columns.length, columns.length - most)
  return finding(
    'extra-column',
    'the other has columns more or fewer than the question lists',
    { first: off(first) < off(second), second: off(second) < off(first) },
    0.8,
  )
}

const isProjectionOf = (few: ResultTable, many: ResultTable): boolean => {
  const columnOf = ({ rows, columns }: ResultTable, at: number): string =>
    rows
      .map(row => canonicalCell(row[at] ?? null, columns[at]?.kind ?? 'unknown'))
      .sort()
      .join('\u001f')
  const columns = new Set(many.columns.map((_, at) => columnOf(many, at)))
  return few.columns.every((_, at) => columns.has(columnOf(few, at)))
}

/** One result has all rows of the other and some more: "all" asks for more, "both" and "not" for fewer. */
const oneIsPart: CompareResults = (first, second, question) => {
  if (first.columns.length !== second.columns.length) return null
  const [a, b] = [new Set(rowKeys(first)), new Set(rowKeys(second))]
  const [few, many] = a.size < b.size ? [a, b] : [b, a]
  if (few.size === 0 || few.size === many.size || few.size === 1) return null
  if (![...few].every(key => many.has(key))) return null
  const wantsMore = question.cues.has('all-kept') && !question.cues.has('superlative')
  const wantsFewer = /\bboth\b/.test(question.folded) || question.cues.has('negation')
  if (wantsMore === wantsFewer) return null
  return finding(
    'one-is-part',
    wantsMore
      ? 'the other leaves out rows, and the question asks for all'
      : 'the other keeps rows that the question leaves out',
    wantsMore
      ? { first: a.size > b.size, second: b.size > a.size }
      : { first: a.size < b.size, second: b.size < a.size },
    0.3,
  )
}

/** One row against several that it is among: whether the question speaks of one thing or of several. */
const oneOfSeveral: CompareResults = (first, second, question) => {
  if (first.columns.length !== second.columns.length) return null
  const [a, b] = [new Set(rowKeys(first)), new Set(rowKeys(second))]
  if ((a.size === 1) === (b.size === 1) || a.size === 0 || b.size === 0) return null
  const [one, several] = a.size === 1 ? [a, b] : [b, a]
  if (![...one].every(key => several.has(key))) return null
  const asked = asksForOne(question)
  if (asked === null) return null
  return finding(
    'one-of-several',
    asked
      ? 'the other gives several where the question asks for one'
      : 'the other gives one where the question asks for several',
    asked ? { first: a.size === 1, second: b.size === 1 } : { first: a.size > 1, second: b.size > 1 },
    0.5,
  )
}

/**
 * Whether a question for the most or least speaks of one thing (true) or of several (false); null where it does not
 * say, or asks for something else. "What are the name and age of ..." has its plural from the list.
 */
export const asksForOne = (question: QuestionWords): boolean | null => {
  const { folded, cues } = question
  if (!cues.has('superlative') || /\b(?:each|every|all|per)\b/.test(folded)) return null
  const listsOne = countRequestedColumns(question).most === 1
  if (listsOne && /^\W*(?:what|which|who)\b[^,.?]*?\b(?:are|were|have)\b/.test(folded)) return false
  return /^\W*(?:what|which|who)\b[^,.?]*?\b(?:is|was|has|does)\b/.test(folded) ||
    /\bthe (?:most|least|highest|lowest|largest|smallest|oldest|youngest|longest|shortest)\b/.test(folded)
    ? true
    : null
}

/** One cell against a list: "how many" asks for one, "each" for several. */
const oneCell: CompareResults = (first, second, { folded }) => {
  const single = ({ rows, columns }: ResultTable): boolean => rows.length === 1 && columns.length === 1
  const grouped = /\b(?:each|every|per)\b/.test(folded)
  const counted = /^\W*(?:how many|how much|what is the (?:total|average|number|sum)|count)\b/.test(folded)
  if (!grouped && !counted) return null
  return finding(
    'one-cell',
    grouped
      ? 'the other gives one number where the question asks for each'
      : 'the other gives a list where the question asks for one number',
    grouped
      ? { first: !single(first), second: !single(second) }
      : { first: single(first), second: single(second) },
    0.8,
  )
}

const comparers: readonly CompareResults[] = [
  oneIsEmpty,
  oneIsZero,
  oneRepeats,
  extraColumn,
  oneIsPart,
  oneOfSeveral,
  oneCell,
]
