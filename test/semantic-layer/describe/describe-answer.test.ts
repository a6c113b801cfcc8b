import { describe, expect, it } from 'vitest'
import { composeHeadline } from '../../../graphs/answer/headline/compose-headline.ts'
import type { AnswerSubject } from '../../../src/domain/metrics/answer-meaning.ts'
import type { Cell } from '../../../src/domain/result.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { describeAnswer } from '../../../src/semantic-layer/describe/describe-statement.ts'
import { harborCatalog } from '../../ranking/question-match/harbor-catalog.ts'

const TODAY = '2026-11-20'

const subjectOf = (
  sql: string,
  { dialect = 'sqlite', text = '' }: { dialect?: Dialect; text?: string } = {},
) =>
  describeAnswer({
    sql,
    understanding: {
      text,
      spans: [{ phrase: 'last year', at: [0, 9], from: '2025-01-01', until: '2026-01-01' }],
      today: TODAY,
      timeZone: 'UTC',
    },
    database: { catalog: harborCatalog(dialect) },
  })

const headlineOf = (
  sql: string,
  rows: readonly (readonly Cell[])[],
  options: { readonly dialect?: Dialect; readonly text?: string } = {},
): string | null => {
  const subject = subjectOf(sql, options)
  if (subject === null) return null
  const columns = subject.columns.map(({ label }) => ({ name: label, kind: 'unknown' as const }))
  return composeHeadline(subject, { columns, rows, truncated: null, milliseconds: 1 }, TODAY)
}

const dialects = ['sqlite', 'postgres', 'mysql', 'duckdb'] as const

describe('the headline of a statement, in every dialect', () => {
  it.each<[string, readonly (readonly Cell[])[], string]>([
    ['select count(*) from boats', [[12]], 'Boats: 12'],
    ['select count(distinct country) from boats', [[5]], 'Different countries: 5'],
    ['select count(distinct boat_id) as n from trips', [[7]], 'Boats: 7'],
    ['select avg(length) from boats', [[9.25]], 'Average length: 9.25'],
    ['select max(built) from boats', [['2020-05-01']], 'Latest built: May 1, 2020'],
    ['select name from boats', [['Ada'], ['Bea']], '2 boats'],
    ["select name from boats where country = 'Chile'", [['Ada'], ['Bea']], '2 boats from Chile'],
    [
      "select name from boats where country in ('Chile', 'Peru')",
      [['Ada']],
      '1 boat from Chile or Peru: Ada',
    ],
    ["select name from boats where country <> 'Chile'", [['Ada'], ['Bea']], '2 boats (not Chile)'],
    ['select name from boats where length > 12', [['Ada'], ['Bea']], '2 boats with length over 12'],
    [
      'select name from boats where length between 5 and 9',
      [['Ada'], ['Bea']],
      '2 boats with length at least 5 and up to 9',
    ],
    ["select name from boats where name like '%wind%'", [['Ada'], ['Bea']], '2 boats with name with “wind”'],
    [
      'select name from boats where length > (select avg(length) from boats)',
      [['Ada'], ['Bea']],
      '2 boats with length above average',
    ],
    [
      'select name from boats where id not in (select boat_id from trips)',
      [['Ada'], ['Bea']],
      '2 boats without trips',
    ],
    [
      'select name from boats b where exists (select 1 from trips t where t.boat_id = b.id and t.distance > 5)',
      [['Ada'], ['Bea']],
      '2 boats with trips (distance over 5)',
    ],
    ["select name from boats where built < '2020-01-01'", [['Ada'], ['Bea']], '2 boats built before 2020'],
    ['select distinct country from boats', [['Chile'], ['Peru']], '2 countries'],
    ['select name from boats order by length desc limit 1', [['Ada']], 'Ada'],
    [
      'select name, length from boats order by length desc limit 1',
      [['Ada', 30]],
      'Ada has the highest length: 30',
    ],
    [
      'select name, length from boats order by length desc limit 2',
      [
        ['Ada', 30],
        ['Bea', 20],
      ],
      'Top 2 boats by length: Ada leads with 30',
    ],
    [
      'select country, count(*) from boats group by country',
      [
        ['Chile', 6],
        ['Peru', 2],
      ],
      'Chile had the most boats: 6 of 8 (75%)',
    ],
    [
      'select country, count(*) as n from boats group by country having count(*) > 1 order by n desc limit 2',
      [
        ['Chile', 6],
        ['Peru', 2],
      ],
      'Top 2 countries by boats (boats over 1): Chile leads with 6',
    ],
    [
      'select b.name, sum(t.distance) from trips t join boats b on b.id = t.boat_id group by b.id, b.name',
      [
        ['Ada', 60],
        ['Bea', 40],
      ],
      'Ada had the highest total distance: 60 of 100 (60%)',
    ],
    [
      'select t.n from (select country, count(*) as n from boats group by country) as t',
      [[3], [4]],
      '2 rows',
    ],
    ['select skipper from trips union select name from boats', [['Ada'], ['Bea']], '2 rows'],
  ])('%s', (sql, rows, headline) => {
    for (const dialect of dialects) expect(headlineOf(sql, rows, { dialect }), dialect).toBe(headline)
  })
})

describe('the parts of a date', () => {
  it.each([
    ['sqlite', "strftime('%Y-%m', start_date)"],
    ['postgres', "date_trunc('month', start_date)"],
    ['mysql', "date_format(start_date, '%Y-%m')"],
    ['duckdb', "date_trunc('month', start_date)"],
  ] as const)('%s groups by month with %s', (dialect, month) => {
    const sql = `select ${month}, count(*) from trips group by 1 order by 1`
    const rows = [
      ['2026-09-01', 10],
      ['2026-10-01', 20],
      ['2026-11-01', 3],
    ]
    expect(headlineOf(sql, rows, { dialect })).toBe(
      'Trips grew 100% from Sep 2026 to Oct 2026 · peak in Oct 2026, 20 · Nov 2026 is not over yet',
    )
  })

  it.each([
    ['sqlite', "strftime('%Y', start_date) = '2025'"],
    ['postgres', 'extract(year from start_date) = 2025'],
    ['mysql', 'year(start_date) = 2025'],
    ['duckdb', "start_date >= date '2025-01-01' and start_date < date '2026-01-01'"],
  ] as const)('%s limits rows to a year with %s', (dialect, condition) => {
    const sql = `select count(*) from trips where ${condition}`
    expect(headlineOf(sql, [[9]], { dialect })).toBe('Trips in 2025: 9')
    expect(headlineOf(sql, [[0]], { dialect })).toBe('No trips last year.')
    expect(headlineOf(sql, [[9]], { dialect, text: 'Were there any trips last year?' })).toBe(
      'Yes. 9 trips in 2025.',
    )
  })
})

describe('the columns of a statement', () => {
  const columnsOf = (sql: string): readonly (readonly [string, string])[] =>
    subjectOf(sql)?.columns.map(({ label, role }) => [label, role.kind] as const) ?? []

  it('are traced through subqueries and stars to the columns of tables', () => {
    expect(columnsOf('select * from harbours')).toEqual([
      ['ID', 'detail'],
      ['City', 'detail'],
      ['Depth', 'detail'],
    ])
    expect(columnsOf('with far as (select boat_id, distance as d from trips) select d from far')).toEqual([
      ['Distance', 'detail'],
    ])
  })

  it('are called as an alias that says more than the expression', () => {
    expect(columnsOf('select sum(distance) / count(*) as distance_per_trip from trips')).toEqual([
      ['Distance per trip', 'figure'],
    ])
    expect(columnsOf('select sum(distance) as n from trips')).toEqual([['Total distance', 'figure']])
  })

  it('are told apart if they share a name', () => {
    const pairs = 'select a.country, b.country from boats a join boats b on a.length = b.length'
    expect(columnsOf(pairs).map(([label]) => label)).toEqual(['Country', 'Country 2'])
  })
})

describe('what has no short words', () => {
  const isComplete = (sql: string): AnswerSubject['isComplete'] | undefined => subjectOf(sql)?.isComplete

  it('is known to be left out', () => {
    expect(isComplete('select name from boats where length > 3')).toBe(true)
    expect(isComplete('select name from boats where length % 2 = 1')).toBe(false)
    expect(headlineOf('select name from boats where length % 2 = 1', [['Ada'], ['Bea']])).toBe(
      '2 matching boats',
    )
  })

  it('is not described if it cannot be read', () => {
    expect(subjectOf('select from where')).toBeNull()
    expect(subjectOf('delete from boats')).toBeNull()
  })
})
