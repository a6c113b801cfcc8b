import { describe, expect, it } from 'vitest'
import type { Cell, ResultTable } from '../../../src/domain/result.ts'
import { asksForOne, compareResults } from '../../../src/ranking/probes/compare-results.ts'
import { sumPreferences } from '../../../src/ranking/probes/probe-pair.ts'
import { readQuestionWords } from '../../../src/ranking/question-match/question-words.ts'

const table = (...rows: readonly (readonly Cell[])[]): ResultTable => ({
  columns: (rows[0] ?? [null]).map((_, at) => ({ name: `c${at}`, kind: 'unknown' as const })),
  rows,
  truncated: null,
  milliseconds: 0,
})

/** A kind of finding, a question, the better result and the worse one. */
const cases: readonly (readonly [string, string, ResultTable, ResultTable])[] = [
  ['one-is-empty', 'Which boats are from Norway?', table(['Ann']), table()],
  ['one-is-empty', 'What is the longest trip?', table([12]), table([null])],
  ['one-is-zero', 'How many boats are there?', table([3]), table([0])],
  [
    'one-repeats',
    'Which different countries are there?',
    table(['NO'], ['CL']),
    table(['NO'], ['CL'], ['NO']),
  ],
  ['extra-column', 'Show the name of boats.', table(['Ann'], ['Bo']), table(['Ann', 3], ['Bo', 4])],
  [
    'extra-column',
    'Show the name and length of boats.',
    table(['Ann', 3], ['Bo', 4]),
    table(['Ann'], ['Bo']),
  ],
  ['one-is-part', 'Which boats are not from Norway?', table(['Ann'], ['Bo']), table(['Ann'], ['Bo'], ['Cy'])],
  ['one-is-part', 'Show all boats.', table(['Ann'], ['Bo'], ['Cy']), table(['Ann'], ['Bo'])],
  ['one-of-several', 'Which is the oldest boat?', table(['Ann']), table(['Ann'], ['Bo'])],
  ['one-of-several', 'Which are the oldest boats?', table(['Ann'], ['Bo']), table(['Ann'])],
  ['one-cell', 'How many boats are there?', table([3]), table(['NO', 1], ['CL', 2])],
  ['one-cell', 'What is the average length per country?', table(['NO', 1], ['CL', 2]), table([3])],
]

describe('compareResults', () => {
  it.each(cases)('%s: %s', (kind, question, better, worse) => {
    const words = readQuestionWords(question)
    const of = (first: ResultTable, second: ResultTable) =>
      compareResults(first, second, words).find(finding => finding.kind === kind)
    expect(of(better, worse)?.preference).toBeGreaterThan(0)
    expect(of(worse, better)?.preference).toBe(-(of(better, worse)?.preference ?? 0))
    expect(of(better, worse)?.reason).toMatch(/^the other /)
  })

  it.each(cases)('%s says nothing of equal results', (_kind, question, better) => {
    expect(compareResults(better, better, readQuestionWords(question))).toEqual([])
  })

  it('does not take other rows with other columns for an extra column', () => {
    const words = readQuestionWords('Show the name of boats.')
    const kinds = compareResults(table(['Ann']), table(['Bo', 4]), words).map(({ kind }) => kind)
    expect(kinds).not.toContain('extra-column')
  })

  it('holds an empty result less against a statement that looks for what is not there', () => {
    const preference = (question: string): number =>
      compareResults(table([1]), table(), readQuestionWords(question))[0]?.preference ?? 0
    expect(preference('Which boats never sailed?')).toBeLessThan(preference('Which boats sailed?'))
  })
})

describe('asksForOne', () => {
  it.each([
    ['Which country has the most boats?', true],
    ['Who is the oldest skipper?', true],
    ['Show the name of the longest boat.', true],
    ['Which are the oldest boats?', false],
    ['What are the name and length of the oldest boat?', true],
    ['Which boats are from Norway?', null],
    ['What is the longest boat of each country?', null],
  ])('%s: %s', (question, one) => {
    expect(asksForOne(readQuestionWords(question))).toBe(one)
  })
})

describe('sumPreferences', () => {
  it.each([
    [[], 0],
    [[0.5, -0.2], 0.3],
    [[0.8, 0.8], 1],
    [[-1, -0.5], -1],
  ])('%j: %d', (preferences, sum) => {
    expect(sumPreferences(preferences)).toBeCloseTo(sum)
  })
})
