import { describe, expect, it } from 'vitest'
import type { SemanticLayer } from '../../../src/domain/metrics/semantic-layer.ts'
import { findMeantPhrases } from '../../../src/semantic-layer/ask/meant-phrases.ts'
import { prepareLayer } from '../../../src/semantic-layer/read-metric-question.ts'
import { bakerySuite } from '../interpret/bakery.ts'

const { bakery } = bakerySuite()

/** The proposed layer with a segment that the team has accepted. */
const layer = (): SemanticLayer => {
  const { layer: proposed } = prepareLayer(bakery())
  const hurried = {
    ...{ name: 'hurried_order', label: 'Hurried order', synonyms: [], description: null, model: 'order' },
    conditions: [{ kind: 'sql', text: "delivered_on < promised_on AND status = 'delivered'" }],
    status: 'accepted',
  } as const
  return { ...proposed, segments: [...proposed.segments, hurried] }
}

/** The first meaning of each phrase, as `text: kind table(columns)`, with its value. */
const meant = (question: string): readonly string[] =>
  findMeantPhrases(question, { ...bakery(), semanticLayer: layer() }).map(({ text, meanings: [first] }) => {
    const { kind, table, columns, value, isAccepted } = first!
    return `${text}: ${isAccepted ? 'accepted ' : ''}${kind} ${table}(${columns.join(', ')})${value === null ? '' : ` ${value}`}`
  })

describe('the phrases of a question', () => {
  it.each([
    ['orders by shop', ['orders: model orders()', 'shop: model shops()']],
    ['orders from Lund', ['orders: model orders()', 'Lund: value shops(city) Lund']],
    [
      'hurried orders by channel',
      [
        'hurried orders: accepted segment orders(delivered_on, promised_on, status)',
        'channel: dimension orders(channel)',
      ],
    ],
    ['average salary of bakers', ['salary: metric bakers(salary)', 'bakers: model bakers()']],
    ['what is the weather like?', []],
  ])('%s', (question, phrases) => {
    expect(meant(question)).toEqual(phrases)
  })

  it('have all that the same words may mean', () => {
    const [city] = findMeantPhrases('Lund', bakery())
    expect(city?.meanings.map(({ table }) => table)).toContain('shops')
  })
})
