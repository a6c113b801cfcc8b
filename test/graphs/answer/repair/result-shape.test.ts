import { describe, expect, it } from 'vitest'
import { checkShape, expectedShape } from '../../../../graphs/answer/repair/result-shape.ts'
import type { Cell, ResultTable, ValueKind } from '../../../../src/domain/result.ts'

const result = (kinds: readonly ValueKind[], ...rows: readonly (readonly Cell[])[]): ResultTable => ({
  columns: kinds.map((kind, at) => ({ name: `c${at}`, kind })),
  rows,
  truncated: null,
  milliseconds: 1,
})

const number = result(['integer'], [7])

const list = result(['text'], ['Ada'], ['Bo'], ['Cy'])

const counts = result(['text', 'integer'], ['Bergen', 2], ['Aarhus', 1])

describe('what a question says of the shape of its answer', () => {
  it.each([
    ['How many makers are there?', { oneNumber: true }],
    ['How many makers does each city have?', { oneNumber: false, perGroup: true }],
    ['How many makers and how many studios are there?', { oneNumber: false }],
    ['How many pages per minute does it print?', { perGroup: false }],
    ['Show the number of makers per city', { perGroup: true }],
    ['Which are the top 5 makers by pieces?', { mostRows: 5 }],
    ['Show the three oldest makers', { mostRows: 3 }],
    ['Who is the third oldest maker?', { mostRows: null }],
    ['Show the first piece that was fired', { mostRows: null }],
    ['Show the top 3 makers of each city', { mostRows: null }],
    ['What are the names of the makers?', { label: true }],
    ['How many names are there?', { label: false }],
    ['Who made the most pieces?', { oneNumber: false, perGroup: false, mostRows: null, label: false }],
  ])('%s', (question, shape) => {
    expect(expectedShape(question)).toMatchObject(shape)
  })
})

describe('a result', () => {
  it.each([
    ['How many makers are there?', list, /one number; the result has 3 rows and 1 column/],
    ['How many makers are there in each city?', number, /one row for each group/],
    ['Show the two oldest makers', list, /at most 2 rows; the result has 3/],
    ['List the names of all makers', number, /names; the result has numbers only/],
  ])('cannot be the answer to: %s', (question, table, said) => {
    expect(checkShape(question, table)).toMatch(said)
  })

  it.each([
    ['How many makers are there?', number],
    ['How many makers are there in each city?', counts],
    ['Show the five oldest makers', list],
    ['List the names of all makers', list],
    ['List the names of all makers', result(['text'], [null])],
    ['What is the average price?', result(['number'], [null])],
  ])('can be the answer to: %s', (question, table) => {
    expect(checkShape(question, table)).toBeNull()
  })
})
