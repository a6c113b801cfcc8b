import { describe, expect, it } from 'vitest'
import { findQuestionLiterals } from '../../../../graphs/answer/verified/question-literals.ts'
import { findSlots } from '../../../../graphs/answer/verified/read-verified.ts'
import { replayVerified } from '../../../../graphs/answer/verified/replay-verified.ts'
import type { ValueMatch } from '../../../../src/domain/question-context.ts'
import type { Dialect } from '../../../../src/domain/sql.ts'
import { understandQuestion } from '../../../../src/parser/understand/understand-question.ts'
import { sqlSkeleton } from '../../../../src/sql/analyze/sql-skeleton.ts'

const clock = { now: () => new Date('2026-11-20T12:00:00Z'), timeZone: 'UTC' }

const match = (keyword: string, value: string, score = 1): ValueMatch => ({
  keyword,
  table: 'shop.orders',
  column: 'city',
  value,
  score,
})

const read = (text: string, matches: readonly ValueMatch[]) => {
  const { spans } = understandQuestion(text, clock)
  return { text, spans, spoken: findQuestionLiterals(text, { matches, spans }) }
}

/** The SQL of one question put to another; the values that each names are given. */
const replay = (
  dialect: Dialect,
  [question, sql, ...known]: readonly [string, string, ...ValueMatch[]],
  [asked, ...named]: readonly [string, ...ValueMatch[]],
): string | null => {
  const skeleton = sqlSkeleton(sql, dialect)
  expect(skeleton).not.toBeNull()
  const slots = findSlots(question, sql, read(question, known).spoken, dialect)
  return replayVerified({ question, sql, skeleton, slots }, read(asked, named), dialect)?.sql ?? null
}

describe.each(['postgres', 'sqlite', 'mysql', 'duckdb'] as const)('replaying in %s', dialect => {
  it('puts another value, number and day into the text, and leaves the rest as it is written', () => {
    const sql =
      "SELECT  o.id -- the id\nFROM orders AS o WHERE o.city='Kiel' AND o.total > 10.5 AND o.placed >= '2026-10-01' AND o.placed < '2026-11-01'"
    const replayed = replay(
      dialect,
      ['Orders from Kiel over 10.5 in October 2026', sql, match('Kiel', 'Kiel')],
      ['orders from Bergen over 1,000 in March 2025', match('Bergen', 'Bergen')],
    )
    expect(replayed).toBe(
      "SELECT  o.id -- the id\nFROM orders AS o WHERE o.city='Bergen' AND o.total > 1000 AND o.placed >= '2025-03-01' AND o.placed < '2025-04-01'",
    )
  })

  it('quotes what it puts in', () => {
    const replayed = replay(
      dialect,
      ['Orders from Kiel', "SELECT id FROM orders WHERE city = 'Kiel'", match('Kiel', 'Kiel')],
      ['Orders from Odd', match('Odd', "O'D\\d")],
    )
    const written = dialect === 'mysql' ? "'O''D\\\\d'" : "'O''D\\d'"
    expect(replayed).toBe(`SELECT id FROM orders WHERE city = ${written}`)
  })

  it('gives each of two values of one column its own place', () => {
    const replayed = replay(
      dialect,
      [
        'Orders from Kiel and Oslo',
        "SELECT id FROM orders WHERE city IN ('Oslo', 'Kiel')",
        match('Kiel', 'Kiel'),
        match('Oslo', 'Oslo'),
      ],
      ['Orders from Bergen and Malmö', match('Bergen', 'Bergen'), match('Malmö', 'Malmö')],
    )
    expect(replayed).toBe("SELECT id FROM orders WHERE city IN ('Malmö', 'Bergen')")
  })

  it('is silent where two values are as likely, or a value would be a pattern', () => {
    const saved = [
      'Orders from Kiel',
      "SELECT id FROM orders WHERE city LIKE '%Kiel%'",
      match('Kiel', 'Kiel'),
    ] as const
    expect(
      replay(dialect, saved, ['Orders from Ber', match('Ber', 'Bergen', 0.9), match('Ber', 'Bern', 0.9)]),
    ).toBeNull()
    expect(replay(dialect, saved, ['Orders from Half', match('Half', '50%')])).toBeNull()
    expect(replay(dialect, saved, ['Orders from Bern', match('Bern', 'Bern')])).toContain("'%Bern%'")
  })

  it('is silent where words in another order may ask something else', () => {
    const saved = [
      'Sum of total of orders per city',
      'SELECT city, SUM(total) FROM orders GROUP BY city',
    ] as const
    expect(replay(dialect, saved, ['Sum of total per city of orders'])).toBeNull()
    expect(replay(dialect, saved, ['the sum of total of the orders per city, please'])).toBe(saved[1])
  })
})

describe('literals as dialects write them', () => {
  it.each([
    ['postgres', "placed >= DATE '2026-10-01' AND placed < '2026-11-01'::date"],
    ['postgres', "placed >= timestamp '2026-10-01 00:00:00' AND placed <= '2026-10-31 23:59:59'"],
    ['postgres', "to_char(placed, 'YYYY-MM') = '2026-10'"],
    ['duckdb', "placed >= DATE '2026-10-01' AND placed < DATE '2026-11-01'"],
    ['mysql', "DATE_FORMAT(placed, '%Y-%m') = '2026-10'"],
    ['sqlite', "placed LIKE '2026-10-%'"],
    ['sqlite', 'placed BETWEEN "2026-10-01" AND "2026-10-31"'],
  ] as const)('%s: %s', (dialect, condition) => {
    const sql = `SELECT id FROM orders WHERE ${condition}`
    const replayed = replay(dialect, ['Orders in October 2026', sql], ['Orders in February 2024'])
    const days = [
      ['2026-10-31', '2024-02-29'],
      ['2026-11-01', '2024-03-01'],
      ['2026-10', '2024-02'],
      ['"', "'"],
    ] as const
    expect(replayed).toBe(days.reduce((text, [then, now]) => text.replaceAll(then, now), sql))
  })

  it('a year as a number, and no month where it stands', () => {
    const saved = ['Orders in 2026', 'SELECT id FROM orders WHERE EXTRACT(YEAR FROM placed) = 2026'] as const
    expect(replay('postgres', saved, ['Orders in 2024'])).toContain('= 2024')
    expect(replay('postgres', saved, ['Orders in May 2024'])).toBeNull()
  })

  it("a number that stands twice is nobody's", () => {
    const saved = [
      'The first 5 orders over 5',
      'SELECT id FROM orders WHERE total > 5 ORDER BY placed LIMIT 5',
    ] as const
    expect(replay('sqlite', saved, ['The first 7 orders over 5'])).toBeNull()
    expect(replay('sqlite', saved, ['The first 5 orders over 5'])).toBe(saved[1])
  })
})
