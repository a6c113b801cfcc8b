import { describe, expect, it } from 'vitest'
import { describeSql } from '../../../src/sql/describe/describe-sql.ts'
import { harborCatalog } from '../../ranking/question-match/harbor-catalog.ts'

/** What every dialect writes alike is described alike. */
const expectWords = (sql: string, words: string): void => {
  for (const dialect of ['sqlite', 'postgres', 'mysql', 'duckdb'] as const)
    expect(describeSql(sql, harborCatalog(dialect))?.text, dialect).toBe(words)
}

describe('columns and aggregates', () => {
  it.each([
    ['select name, country from boats', 'the name and country of each boat'],
    ['select distinct country from boats', 'the different countries of the boats'],
    [
      'select min(length), max(length), avg(length) from boats',
      'the lowest length, highest length and average length of the boats',
    ],
    ['select sum(distance) as total from trips', 'the total distance of the trips'],
    ['select count(skipper) from trips', 'the number of trips with a known skipper'],
    ['select count(distinct skipper) from trips', 'the number of different skippers of the trips'],
    ['select round(avg(distance), 2) from trips', 'the average distance of the trips'],
    ['select sum(distance) / count(*) from trips', 'the total distance divided by number of trips'],
    ['select length * 3.28 from boats', 'the length times 3.28 of each boat'],
  ])('%s', expectWords)
})

describe('conditions', () => {
  const where = 'select name from boats where'
  const each = 'the name of each boat where the'

  it.each([
    [`${where} length <> 12`, `${each} length is not 12`],
    [`${where} country not in ('Norway', 'Chile')`, `${each} country is not “Norway” or “Chile”`],
    [`${where} name like '%wind%'`, `${each} name contains “wind”`],
    [`${where} name like '%er'`, `${each} name ends with “er”`],
    [`${where} length not between 5 and 9`, `${each} length is not between 5 and 9`],
    [`${where} built is null`, `${each} built is missing`],
    [`${where} built is not null`, `${each} built is known`],
    [`${where} lower(country) = 'chile'`, `${each} country is “chile”`],
    [
      `${where} built >= '2020-01-01' and built < '2021-01-01'`,
      `${each} built is on or after “2020-01-01” and the built is before “2021-01-01”`,
    ],
    [
      `${where} length > 5 or length < 2 or country = 'Chile'`,
      `${each} length is more than 5, the length is less than 2 or the country is “Chile”`,
    ],
    [
      `${where} not country = 'Chile'`,
      'the name of each boat where it is not so that the country is “Chile”',
    ],
  ])('%s', expectWords)
})

describe('joins', () => {
  it.each([
    [
      'select b.name, h.city from boats b join trips t on t.boat_id = b.id join harbours h on h.id = t.harbour_id',
      'the name of the boat and city of the harbour, from boats and their trips and their harbours',
    ],
    [
      'select b.name from boats b inner join trips t on t.boat_id = b.id and t.distance > 10',
      'the name of the boat, from boats and their trips where the distance of the trip is more than 10',
    ],
    [
      'select b.name from boats b, trips t where t.boat_id = b.id and t.distance > 50',
      'the name of the boat, from boats and their trips where the distance of the trip is more than 50',
    ],
    [
      'select b.name from boats b left join trips t on t.boat_id = b.id where t.id is null',
      'the name of the boat, from boats and, where they have any, their trips where the id of the trip is missing',
    ],
    [
      'select count(*) from boats cross join harbours',
      'the number of rows, from boats in every combination with harbours',
    ],
  ])('%s', expectWords)
})

describe('groups, orders and limits', () => {
  it.each([
    [
      'select country, avg(length) from boats group by country having avg(length) > 10',
      'the country and average length of the boats, for each country, only those where the average length is more than 10',
    ],
    [
      'select country, count(*) from boats group by country having count(*) between 2 and 5',
      'the country and number of boats, for each country, only those where the number of boats is between 2 and 5',
    ],
    [
      'select skipper, boat_id, count(*) from trips group by skipper, boat_id',
      'the skipper, boat id and number of trips, for each skipper and boat id',
    ],
    [
      'select h.city, count(*) from trips t join harbours h on h.id = t.harbour_id group by h.city',
      'the city of the harbour and number of trips, from trips and their harbours, for each city of the harbour',
    ],
    [
      'select country from boats group by country order by count(*) desc limit 3',
      'the country of each boat, for each country, only the 3 with the highest number of boats',
    ],
    ['select name from boats order by length', 'the name of each boat, ordered by length (lowest first)'],
    [
      'select name from boats order by country, length desc',
      'the name of each boat, ordered by country (A to Z) and length (highest first)',
    ],
    [
      'select name from boats order by built desc limit 1',
      'the name of each boat, only the one with the latest built',
    ],
    ['select name from boats limit 10', 'the name of each boat, only the first 10'],
  ])('%s', expectWords)
})

describe('set operations', () => {
  it.each([
    [
      'select name from boats union all select skipper from trips',
      'the name of each boat; together with the skipper of each trip',
    ],
    [
      'select country from boats where length > 10 intersect select country from boats where length < 5',
      'what is in both: the country of each boat where the length is more than 10; and the country of each boat where the length is less than 5',
    ],
    [
      'select name from boats except select name from boats where length > 10',
      'the name of each boat; but without the name of each boat where the length is more than 10',
    ],
  ])('%s', expectWords)
})

describe('subqueries', () => {
  it.each([
    [
      'select name from boats where id in (select boat_id from trips)',
      'the name of each boat where the boat has a trip',
    ],
    [
      'select name from boats b where not exists (select 1 from trips t where t.boat_id = b.id)',
      'the name of each boat where there is no trip where the boat id is the id of the boat',
    ],
    [
      'select name from boats where length = (select max(length) from boats)',
      'the name of each boat where the length is the highest length of the boats',
    ],
    [
      'select name, (select count(*) from trips t where t.boat_id = b.id) from boats b',
      'the name and (the number of trips where the boat id is the id of the boat) of each boat',
    ],
    [
      'with far as (select * from trips where distance > 10) select count(*) from far',
      'the number of rows, from (all columns of the trips where the distance is more than 10)',
    ],
    [
      'select max(n) from (select skipper, count(*) as n from trips group by skipper) s',
      'the highest number of trips, from (the skipper and number of trips, for each skipper)',
    ],
  ])('%s', expectWords)
})

describe('windows and cases', () => {
  it.each([
    [
      'select skipper, row_number() over (partition by boat_id order by start_date) from trips',
      'the skipper and place by start date within each boat id of each trip',
    ],
    [
      'select name, dense_rank() over (order by length desc) from boats',
      'the name and rank by length of each boat',
    ],
    [
      'select skipper, sum(distance) over (partition by skipper order by start_date) from trips',
      'the skipper and total distance by start date within each skipper of each trip',
    ],
    [
      'select skipper from (select skipper, row_number() over (partition by boat_id order by distance desc) as r from trips) x where r = 1',
      'the skipper of the trip, from (the skipper and place by distance within each boat id of each trip) where the place by distance within each boat id is 1',
    ],
    [
      "select case when length > 20 then 'large' when length > 10 then 'medium' else 'small' end from boats",
      '“large” if the length is more than 20, “medium” if the length is more than 10, else “small” of each boat',
    ],
  ])('%s', expectWords)
})

describe('what is no question about data', () => {
  it.each([
    'values (1)',
    'select name from boats; select 1',
    'drop table boats',
    'update boats set name = 1',
  ])('%s has no words', sql => {
    expect(describeSql(sql, harborCatalog('sqlite'))).toBeNull()
  })
})
