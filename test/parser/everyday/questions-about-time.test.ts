import { describe, expect, it } from 'vitest'
import { readFirst } from '../read.ts'

/** Everyday questions with a period or a unit of time. Today is Friday, November 20, 2026. */
describe('days of a period', () => {
  it.each([
    ['loans today', "lent_at >= '2026-11-20' AND lent_at < '2026-11-21'"],
    ['loans yesterday', "lent_at >= '2026-11-19' AND lent_at < '2026-11-20'"],
    ['loans last week', "lent_at >= '2026-11-09' AND lent_at < '2026-11-16'"],
    ['loans in October', "lent_at >= '2026-10-01' AND lent_at < '2026-11-01'"],
    ['loans in 2025', "lent_at >= '2025-01-01' AND lent_at < '2026-01-01'"],
    ['loans in Q2 2026', "lent_at >= '2026-04-01' AND lent_at < '2026-07-01'"],
    ['loans in the last 30 days', "lent_at >= '2026-10-22' AND lent_at < '2026-11-21'"],
    ['loans since June', "lent_at >= '2026-06-01'"],
    ['loans before 2020', "lent_at < '2020-01-01'"],
    ['members who joined this month', "joined_on >= '2026-11-01' AND joined_on < '2026-12-01'"],
    ['how many members joined last year', "joined_on >= '2025-01-01' AND joined_on < '2026-01-01'"],
    ['how many branches opened before 2000', "opened_on < '2000-01-01'"],
    ['how many loans were returned last month', "returned_at >= '2026-10-01' AND returned_at < '2026-11-01'"],
  ])('%s', (question, condition) => {
    expect(readFirst(question)?.split(' WHERE ')[1]).toBe(condition)
  })
})

describe('units of time', () => {
  const month = "date(lent_at, 'start of month')"
  const year = "date(lent_at, 'start of year')"

  it.each([
    [
      'how many loans were there per month in 2025',
      `SELECT ${month} AS month, COUNT(*) AS number_of_loans FROM loans WHERE lent_at >= '2025-01-01' AND lent_at < '2026-01-01' GROUP BY ${month} ORDER BY ${month}`,
    ],
    [
      'loans per day last week',
      "SELECT date(lent_at) AS day, COUNT(*) AS number_of_loans FROM loans WHERE lent_at >= '2026-11-09' AND lent_at < '2026-11-16' GROUP BY date(lent_at) ORDER BY date(lent_at)",
    ],
    [
      'loans by year',
      `SELECT ${year} AS year, COUNT(*) AS number_of_loans FROM loans GROUP BY ${year} ORDER BY ${year}`,
    ],
    [
      'fines per month',
      `SELECT ${month} AS month, SUM(fine_cents) AS total_fine_cents FROM loans GROUP BY ${month} ORDER BY ${month}`,
    ],
    [
      'loans per month in the last 12 months',
      `SELECT ${month} AS month, COUNT(*) AS number_of_loans FROM loans WHERE lent_at >= '2025-12-01' AND lent_at < '2026-11-21' GROUP BY ${month} ORDER BY ${month}`,
    ],
  ])('%s', (question, sql) => {
    expect(readFirst(question)).toBe(sql)
  })
})

/** Moments with a time zone are cut at midnight where the asker is; days without a time are compared as they are. */
describe('on Postgres', () => {
  const midnight = (day: string): string => `TIMESTAMP '${day} 00:00:00' AT TIME ZONE 'Europe/Berlin'`
  const cut = (unit: string): string =>
    `CAST(date_trunc('${unit}', lent_at AT TIME ZONE 'Europe/Berlin') AS date)`

  it.each<[string, string]>([
    [
      'loans today',
      `SELECT * FROM loans WHERE lent_at >= ${midnight('2026-11-20')} AND lent_at < ${midnight('2026-11-21')}`,
    ],
    [
      'how many loans were there in the second half of 2025',
      `SELECT COUNT(*) AS number_of_loans FROM loans WHERE lent_at >= ${midnight('2025-07-01')} AND lent_at < ${midnight('2026-01-01')}`,
    ],
    [
      'members who joined in 2024',
      "SELECT first_name, last_name FROM members WHERE joined_on >= DATE '2024-01-01' AND joined_on < DATE '2025-01-01'",
    ],
    ['books published before 1950', 'SELECT title FROM books WHERE published_year < 1950'],
    ...(['week', 'quarter'] as const).map((unit): [string, string] => [
      `loans by ${unit}`,
      `SELECT ${cut(unit)} AS ${unit}, COUNT(*) AS number_of_loans FROM loans GROUP BY ${cut(unit)} ORDER BY ${cut(unit)}`,
    ]),
  ])('%s', (question, sql) => {
    expect(readFirst(question, 'postgres')).toBe(sql)
  })
})
