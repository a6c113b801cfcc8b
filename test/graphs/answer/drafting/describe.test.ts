import { describe, expect, it } from 'vitest'
import { describeTime, describeValues } from '../../../../graphs/answer/drafting/prompt-inputs.ts'
import type { TimeSpan } from '../../../../src/domain/question-context.ts'

const span = (phrase: string, from: string | null, until: string | null): TimeSpan => ({
  phrase,
  at: [0, 1],
  from,
  until,
})

describe('describeTime', () => {
  it('gives bounds on either side, or on one', () => {
    const spans = [
      span('May', '2026-05-01', '2026-06-01'),
      span('since May', '2026-05-01', null),
      span('ever', null, null),
    ]
    expect(describeTime({ today: '2026-11-20', timeZone: 'UTC', spans })).toBe(
      [
        'Today is 2026-11-20 in UTC.',
        '"May" is from 2026-05-01 until 2026-06-01, the end excluded.',
        '"since May" is from 2026-05-01.',
      ].join('\n'),
    )
  })
  it('says so when there is no period', () => {
    expect(describeTime({ today: '2026-11-20', timeZone: 'UTC', spans: [] })).toMatch(/names no period/)
  })
})

describe('describeValues', () => {
  const match = (keyword: string, value: string, score: number) => ({
    keyword,
    table: 'makers',
    column: 'city',
    value,
    score,
  })
  it('lists the best few of each word, best first, on one line each', () => {
    const matches = [
      match('a', 'A5', 0.5),
      match('a', 'A9', 0.9),
      match('a', 'A6', 0.6),
      match('a', 'A7', 0.7),
      match('b', "O'Hare\nNorth", 0.8),
    ]
    expect(describeValues(matches)).toBe(
      [
        `"a" may be makers.city = 'A9'`,
        `"b" may be makers.city = 'O''Hare North'`,
        `"a" may be makers.city = 'A7'`,
        `"a" may be makers.city = 'A6'`,
      ].join('\n'),
    )
  })
  it('leaves no value out because another stands in many columns', () => {
    const columns = ['billing_country', 'shipping_country', 'country', 'origin']
    const inAll = (value: string, score: number) =>
      columns.map(column => ({ keyword: 'Low Countries', table: 'orders', column, value, score }))
    const lines = describeValues([...inAll('Belgium', 0.9), ...inAll('Netherlands', 0.8)]).split('\n')
    expect(lines.filter(line => line.includes('Belgium'))).toHaveLength(3)
    expect(lines.filter(line => line.includes('Netherlands'))).toHaveLength(3)
  })
  it('cuts a value that is a document', () => {
    expect(describeValues([match('a', 'long '.repeat(1_000), 1)]).length).toBeLessThan(150)
  })
  it('says so when nothing was found', () => {
    expect(describeValues([])).toBe('None were found.')
  })
})
