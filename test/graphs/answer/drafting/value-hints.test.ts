import { describe, expect, it } from 'vitest'
import { describeHints, describeValues } from '../../../../graphs/answer/drafting/value-hints.ts'
import type { ValueHint } from '../../../../graphs/answer/understanding/choose-hints.ts'
import { harborWords, matched } from '../understanding/harbor-words.ts'

const hint = (keyword: string, value: string, more: Partial<ValueHint> = {}): ValueHint => ({
  ...matched(keyword, 'harbors.harbor', value, 0.9),
  kind: 'form',
  ...more,
})

describe('values for a prompt', () => {
  it('are one line each, with the words, the columns, the value and how alike they are', () => {
    expect(
      describeValues(
        [
          matched('bergen', 'harbors.harbor', 'Bergen', 0.99),
          matched('bergen', 'harbors.county', 'Bergen', 0.99),
          matched('grain', 'ships.cargo', 'Grains', 0.95),
          matched('women', 'crew.gender', 'F', 0.89),
          matched('Nordlis', 'ships.name', 'Nordlys', 0.677),
        ],
        { question: 'grain to bergen by women on the Nordlis', catalog: harborWords },
      ),
    ).toMatchInlineSnapshot(`
      ""bergen": harbors.harbor or harbors.county = 'Bergen' (exact)
      "grain": ships.cargo = 'Grains' (spelled differently, 0.95)
      "women": crew.gender = 'F' (another form, 0.89)
      "Nordlis": ships.name = 'Nordlys' (similar, 0.68)"
    `)
  })

  it('are nothing if none are worth telling', () => {
    expect(describeValues([], { question: 'how many ships?', catalog: harborWords })).toBe('')
    expect(
      describeValues([matched('greater', 'ships.name', 'Grater', 0.68)], {
        question: 'cargo greater than 10',
        catalog: harborWords,
      }),
    ).toBe('')
  })

  it('are a few of each word, fewer if they are only similar', () => {
    const values = ['A', 'B', 'C', 'D']
    expect(describeHints(values.map(value => hint('a', value))).split('\n')).toHaveLength(3)
    const similar = values.map(value => hint('a', value, { kind: 'similar' }))
    expect(describeHints(similar).split('\n')).toHaveLength(2)
  })

  it('leave no value out because another is in many columns', () => {
    const columns = ['billing_country', 'shipping_country', 'country', 'origin']
    const inAll = (value: string) => columns.map(column => hint('Low Countries', value, { column }))
    const lines = describeHints([...inAll('Belgium'), ...inAll('Netherlands')]).split('\n')
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(line.match(/harbors\./g)).toHaveLength(3)
  })

  it('cut a value that is a document, and keep quotes and lines from ending it', () => {
    expect(describeHints([hint('a', 'long '.repeat(1_000))]).length).toBeLessThan(160)
    expect(describeHints([hint("o'hare", "O'Hare\nNorth")])).toBe(
      `"o'hare": harbors.harbor = 'O''Hare North' (another form, 0.90)`,
    )
  })
})
