import { describe, expect, it } from 'vitest'
import { mostWithoutWords } from '../../src/semantic-layer/doubt-statement.ts'

describe('a reading that leaves out words', () => {
  const most = (text: string, unused: string, sql: string): number =>
    mostWithoutWords(text, { unused: [unused], sql })

  it('may be right', () => {
    expect(most('orders that came wrapped', 'wrapped', 'SELECT id FROM orders')).toBe(0.55)
    expect(most('which stores are new and cozy?', 'cozy', 'SELECT name FROM stores WHERE is_new')).toBe(0.55)
  })

  it('is nothing to show where a loss is left out', () => {
    expect(most('did we lose customers?', 'lose', 'SELECT COUNT(*) FROM customers')).toBeLessThan(0.3)
  })

  it('is nothing to show where it lists everything', () => {
    expect(
      most('which stores are underperforming?', 'underperforming', 'SELECT name FROM stores'),
    ).toBeLessThan(0.3)
    expect(most('what are people complaining about?', 'complaining', 'SELECT name FROM staff')).toBeLessThan(
      0.3,
    )
  })

  it.each([
    ['how many orders did we ship late?', 'late', 'SELECT COUNT(*) FROM orders'],
    ['who is our best employee?', 'best', 'SELECT name FROM staff WHERE is_here'],
    ['what is the average age of our tickets?', 'age', 'SELECT AVG(satisfaction) FROM tickets'],
  ])('is nothing to show where what is asked is left out: %s', (text, unused, sql) => {
    expect(most(text, unused, sql)).toBeLessThan(0.3)
  })
})
