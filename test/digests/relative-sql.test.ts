import { describe, expect, it } from 'vitest'
import { makeFindPhraseDays } from '../../src/digests/relative-dates/day-literals.ts'
import {
  parseRelativeSql,
  rebindPeriods,
  resolveRelativeSql,
} from '../../src/digests/relative-dates/relative-sql.ts'
import type { Dialect } from '../../src/domain/sql.ts'
import { understandQuestion } from '../../src/parser/understand/understand-question.ts'
import { renderMoment } from '../../src/sql/render/render-query.ts'

const daysOf = makeFindPhraseDays(understandQuestion)

/** A Sunday. */
const TODAY = '2026-11-22'

const readOf = (question: string, sql: string, { today = TODAY, dialect = 'postgres' as Dialect } = {}) => {
  const clock = { now: () => new Date(`${today}T10:00:00Z`), timeZone: 'UTC' }
  const { spans } = understandQuestion(question, clock)
  return parseRelativeSql({ sql, dialect, today, periods: spans }, daysOf)
}

/** The statement as it is on another day, with the remarks before it. */
const on = (day: string, question: string, sql: string, given: Parameters<typeof readOf>[2] = {}): string => {
  const { statement, notes: remarks } = readOf(question, sql, given)
  const resolved = resolveRelativeSql(statement, day, daysOf)
  if (resolved.status === 'lost') return `lost: ${resolved.phrase}`
  return [...remarks, resolved.sql].join(' | ')
}

const lastWeek = 'How many orders were there last week?'

describe('relative periods of a statement', () => {
  it.each([
    [
      'half open bounds',
      lastWeek,
      "select count(*) from orders where day >= '2026-11-09' and day < '2026-11-16'",
      "select count(*) from orders where day >= '2026-11-16' and day < '2026-11-23'",
    ],
    [
      'both ends included',
      lastWeek,
      "select count(*) from orders where day between date '2026-11-09' and date '2026-11-15'",
      "select count(*) from orders where day between date '2026-11-16' and date '2026-11-22'",
    ],
    [
      'timestamps',
      lastWeek,
      "select 1 from o where at >= timestamp '2026-11-09 00:00:00' and at <= '2026-11-15 23:59:59'",
      "select 1 from o where at >= timestamp '2026-11-16 00:00:00' and at <= '2026-11-22 23:59:59'",
    ],
    [
      'casts, and the literal first',
      lastWeek,
      "select 1 from o where '2026-11-09'::date <= at and cast('2026-11-16' as date) > at",
      "select 1 from o where '2026-11-16'::date <= at and cast('2026-11-23' as date) > at",
    ],
    [
      'one day',
      'How many orders were there yesterday?',
      "select 1 from o where day = '2026-11-21'",
      "select 1 from o where day = '2026-11-24'",
    ],
    [
      'two relative periods that meet',
      'Compare orders this week with last week',
      "select count(*) filter (where d >= '2026-11-16' and d < '2026-11-23'), count(*) filter (where d >= '2026-11-09' and d < '2026-11-16') from o",
      "select count(*) filter (where d >= '2026-11-23' and d < '2026-11-30'), count(*) filter (where d >= '2026-11-16' and d < '2026-11-23') from o",
    ],
    [
      'a month by its name, held equal',
      'How many orders were there last month?',
      "select 1 from o where strftime('%Y-%m', day) = '2026-10'",
      "select 1 from o where strftime('%Y-%m', day) = '2026-10'",
    ],
  ])('moves with %s', (_, question, sql, expected) => {
    expect(on('2026-11-25', question, sql)).toBe(expected)
  })

  it('moves days in every form that the parser writes', () => {
    for (const dialect of ['postgres', 'sqlite', 'mysql', 'duckdb'] as const)
      for (const type of ['date', 'local', 'instant', 'text'] as const) {
        const sqlOf = (from: string, until: string): string => {
          const [low, high] = [from, until].map(day => renderMoment(day, type, 'Europe/Berlin', dialect))
          return `SELECT COUNT(*) FROM o WHERE o.d >= ${low} AND o.d < ${high}`
        }
        expect(
          on('2026-11-25', lastWeek, sqlOf('2026-11-09', '2026-11-16'), { dialect }),
          `${dialect} ${type}`,
        ).toBe(sqlOf('2026-11-16', '2026-11-23'))
      }
  })

  it('moves a month by name to the next', () => {
    const sql = "select 1 from o where strftime('%Y-%m', day) = '2026-10'"
    expect(on('2027-01-02', 'How many orders were there last month?', sql)).toBe(
      "select 1 from o where strftime('%Y-%m', day) = '2026-12'",
    )
  })

  it('distinguishes the first day of a new period from its last', () => {
    const sql = "select 1 from o where d >= '2026-11-01' and d <= '2026-11-01'"
    expect(on('2026-11-20', 'Orders month to date', sql, { today: '2026-11-01' })).toBe(
      "select 1 from o where d >= '2026-11-01' and d <= '2026-11-20'",
    )
  })

  it('leaves similar literals alone', () => {
    const question = 'How many orders last month from customers who joined since 2026-10-01?'
    const sql = "select 1 from o where joined >= '2026-10-01' and d >= '2026-10-01' and d < '2026-11-01'"
    // Which of the two is meant cannot be told, so neither moves, and that is said.
    expect(on('2026-12-24', question, sql)).toBe(
      `Its SQL has fixed dates where the question says “last month”, so every run covers the same dates. | ${sql}`,
    )
    const other = "select 1 from o where note = 'at 2026-11-09' and d >= '2026-11-09' and d < '2026-11-16'"
    expect(on('2026-11-25', lastWeek, other)).toBe(
      "select 1 from o where note = 'at 2026-11-09' and d >= '2026-11-16' and d < '2026-11-23'",
    )
  })

  it('moves nothing if the question names only dates', () => {
    const sql = "select 1 from o where d >= '2026-10-01' and d < '2026-11-01'"
    expect(on('2026-12-24', 'How many orders in October 2026?', sql)).toBe(sql)
  })

  it('notes fixed dates that the question does not name', () => {
    const sql = "select 1 from o where d > '2026-11-08' and d < '2026-11-16'"
    const said =
      'Its SQL has fixed dates where the question says “last week”, so every run covers the same dates.'
    expect(on('2026-11-25', lastWeek, sql)).toBe(`${said} | ${sql}`)
    const zoned = "select 1 from o where d >= '2026-11-09 00:00:00+01' and d < '2026-11-16 00:00:00+01'"
    expect(on('2026-11-25', lastWeek, zoned)).toBe(`${said} | ${zoned}`)
  })

  it("notes nothing for a statement that uses the database's current date", () => {
    const sql = 'select 1 from o where d >= current_date - 7'
    expect(on('2026-11-25', lastWeek, sql)).toBe(sql)
    const lite = "select 1 from o where d >= date('now', '-7 days')"
    expect(on('2026-11-25', lastWeek, lite, { dialect: 'sqlite' })).toBe(lite)
  })

  it('accepts an open end for a running period', () => {
    const sql = "select 1 from o where d >= '2026-11-01'"
    expect(on('2027-02-03', 'Orders this month', sql)).toBe("select 1 from o where d >= '2027-02-01'")
  })

  it('returns the same text on the same day', () => {
    for (const [question, sql] of [
      [lastWeek, "select 1 from o where d >= '2026-11-09' and d < '2026-11-16'"],
      ['Orders of the last 30 days', "select 1 from o where d >= '2026-10-24' and d < '2026-11-23'"],
      ['Orders since last month', "select 1 from o where d >= '2026-10-01'"],
      ['Orders year to date', "select 1 from o where d between '2026-01-01' and '2026-11-22'"],
    ] as const) {
      const { statement } = readOf(question, sql)
      expect(statement.periods.length, question).toBe(1)
      expect(resolveRelativeSql(statement, TODAY, daysOf)).toMatchObject({ status: 'resolved', sql })
      const later = resolveRelativeSql(statement, '2027-03-17', daysOf)
      if (later.status === 'lost') throw new Error(later.phrase)
      expect(later.sql).not.toBe(sql)
      // Reading that text on that day moves it back to this one.
      expect(on(TODAY, question, later.sql, { today: '2027-03-17' })).toBe(sql)
    }
  })

  it('describes the period with its days', () => {
    const { statement } = readOf(lastWeek, "select 1 from o where d >= '2026-11-09' and d < '2026-11-16'")
    expect(resolveRelativeSql(statement, '2026-11-30', daysOf)).toMatchObject({
      periods: ['last week: Nov 23 to 29, 2026'],
    })
  })

  it('finds the periods in a repaired statement, or reports a missing one', () => {
    const { statement } = readOf(lastWeek, "select 1 from o where d >= '2026-11-09' and d < '2026-11-16'")
    const fixed = "select 1 from orders where ordered_on >= '2026-11-09' and ordered_on < '2026-11-16'"
    const again = rebindPeriods(statement, fixed, 'postgres', daysOf)
    expect(again && resolveRelativeSql(again, '2026-11-25', daysOf)).toMatchObject({
      sql: "select 1 from orders where ordered_on >= '2026-11-16' and ordered_on < '2026-11-23'",
    })
    expect(rebindPeriods(statement, 'select 1 from orders', 'postgres', daysOf)).toBeNull()
  })
})
