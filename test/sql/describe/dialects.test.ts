import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../src/domain/sql.ts'
import { describeSql } from '../../../src/sql/describe/describe-sql.ts'
import { harborCatalog } from '../../ranking/question-match/harbor-catalog.ts'

const tripsPer = (unit: string): string =>
  `the ${unit} of the start date and number of trips, for each ${unit} of the start date`

const longOrShort = '“long” if the length is more than 10, else “short” of each boat'

/** What one dialect has words of its own for. */
const cases: Readonly<Record<Dialect, readonly (readonly [sql: string, words: string])[]>> = {
  sqlite: [
    ["select strftime('%Y', start_date), count(*) from trips group by 1", tripsPer('year')],
    [
      "select count(*) from trips where strftime('%Y-%m', start_date) = '2024-03'",
      'the number of trips where the month of the start date is “2024-03”',
    ],
    ['select name || country from boats', 'the name followed by country of each boat'],
    ['select cast(count(*) as real) / 2 from trips', 'the number of trips divided by 2'],
  ],
  postgres: [
    ['select extract(month from start_date), count(*) from trips group by 1', tripsPer('month')],
    ["select to_char(start_date, 'YYYY'), count(*) from trips group by 1", tripsPer('year')],
    ["select date_trunc('month', start_date), count(*) from trips group by 1", tripsPer('month')],
    ["select name from boats where name ilike 'a%'", 'the name of each boat where the name begins with “a”'],
    [
      "select name from boats where country = any(array['Norway', 'Chile'])",
      'the name of each boat where the country is “Norway” or “Chile”',
    ],
    [
      'select count(*) filter (where distance > 10) from trips',
      'the number of trips where the distance is more than 10',
    ],
    [
      "select name from boats where built >= date '2020-01-01'",
      'the name of each boat where the built is on or after “2020-01-01”',
    ],
    [
      "select name from boats where built > current_date - interval '30 days'",
      'the name of each boat where the built is after today minus “30 days”',
    ],
    ["select name from boats where length::text = '5'", 'the name of each boat where the length is “5”'],
    [
      'select name from boats order by length desc nulls last limit 5',
      'the name of each boat, only the 5 with the highest length',
    ],
    ['select name from boats fetch first 3 rows only', 'the name of each boat, only the first 3'],
    ["select string_agg(name, ', ') from boats", 'the list of name of the boats'],
  ],
  mysql: [
    ['select year(start_date), count(*) from trips group by year(start_date)', tripsPer('year')],
    [
      'select count(*) from trips where month(start_date) = 3',
      'the number of trips where the month of the start date is 3',
    ],
    [
      'select `name` from `boats` where `length` > 5',
      'the name of each boat where the length is more than 5',
    ],
    ["select if(length > 10, 'long', 'short') from boats", longOrShort],
    ["select group_concat(name separator ', ') from boats", 'the list of name of the boats'],
    [
      'select name from boats order by length desc limit 5, 10',
      'the name of each boat, ordered by length (highest first), only the first 10 after leaving out 5',
    ],
  ],
  duckdb: [
    ["select date_trunc('month', start_date), count(*) from trips group by all", tripsPer('month')],
    ['select year(start_date), count(*) from trips group by 1', tripsPer('year')],
    ['select country, count(*) from boats group by all', 'the country and number of boats, for each country'],
    [
      'select name from boats qualify row_number() over (partition by country order by length desc) = 1',
      'the name of each boat, only those where the place by length within each country is 1',
    ],
    ['select median(length) from boats', 'the median length of the boats'],
    ['from boats select name', 'the name of each boat'],
  ],
}

describe.each(Object.entries(cases))('statements of %s', (dialect, statements) => {
  it.each(statements)('%s', (sql, words) => {
    expect(describeSql(sql, harborCatalog(dialect as Dialect))?.text).toBe(words)
  })
})
