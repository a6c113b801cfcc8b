import { describe, expect, it } from 'vitest'
import { describeSql } from '../../../src/sql/describe/describe-sql.ts'
import { harborCatalog } from '../../ranking/question-match/harbor-catalog.ts'

const both = 'from boats b join trips t on t.boat_id = b.id'

const cases: readonly (readonly [string, string])[] = [
  ['select count(*) from boats', 'the number of boats'],
  [
    'select name, length from boats where length > 20',
    'the name and length of each boat where the length is more than 20',
  ],
  [
    'select country, count(*) from boats group by country order by count(*) desc',
    'the country and number of boats, for each country, ordered by number of boats (highest first)',
  ],
  [
    'select name from boats order by length desc limit 1',
    'the name of each boat, only the one with the highest length',
  ],
  [
    'select name from boats order by name limit 5',
    'the name of each boat, ordered by name (A to Z), only the first 5',
  ],
  [
    'select name from boats order by built limit 3 offset 2',
    'the name of each boat, ordered by built (earliest first), only the first 3 after leaving out 2',
  ],
  [
    "select name from boats where country in ('Norway', 'Chile') and name not like 'A%'",
    'the name of each boat where the country is “Norway” or “Chile” and the name does not begin with “A”',
  ],
  [
    "select name from boats where country = 'Norway' or (length >= 9 and built < '2000-01-01')",
    'the name of each boat where the country is “Norway” or (the length is at least 9 and the built is before “2000-01-01”)',
  ],
  [
    'select distinct skipper from trips where distance between 5 and 9 or skipper is null',
    'the different skippers of the trips where the distance is between 5 and 9 or the skipper is missing',
  ],
  [
    `select b.name, count(*) as journeys ${both} group by b.id, b.name having count(*) >= 2 order by journeys`,
    'the name of the boat and number of trips, from boats and their trips, for each boat, only those where the number of trips is at least 2, ordered by journeys (lowest first)',
  ],
  [`select count(distinct b.id) ${both}`, 'the number of different boats, from boats and their trips'],
  [
    `select avg(t.distance), max(b.built) ${both} where not (b.length = 3)`,
    'the average distance of the trip and latest built of the boat, from boats and their trips where it is not so that the length of the boat is 3',
  ],
  [
    'select b.name, sum(t.distance) from boats b left join trips t on t.boat_id = b.id group by b.name',
    'the name of the boat and total distance of the trip, from boats and, where they have any, their trips, for each name of the boat',
  ],
  [
    "select name from boats where id not in (select boat_id from trips where start_date > '2024-01-01')",
    'the name of each boat where the boat has no trip where the start date is after “2024-01-01”',
  ],
  [
    'select name from boats where exists (select 1 from trips where trips.boat_id = boats.id)',
    'the name of each boat where there is a trip where the boat id is the id of the boat',
  ],
  [
    'select name from boats where length > (select avg(length) from boats)',
    'the name of each boat where the length is more than the average length of the boats',
  ],
  [
    'select name from boats where length > all (select depth from harbours)',
    'the name of each boat where the length is more than each of the depth of each harbour',
  ],
  [
    'select skipper from trips intersect select name from boats',
    'what is in both: the skipper of each trip; and the name of each boat',
  ],
  [
    'select skipper from trips union select name from boats order by skipper limit 4',
    'the skipper of each trip; together with the name of each boat; ordered by skipper (A to Z), only the first 4',
  ],
  [
    'select skipper from trips except select name from boats',
    'the skipper of each trip; but without the name of each boat',
  ],
  [
    'select avg(n) from (select count(*) as n from trips group by skipper) x',
    'the average number of trips, from (the number of trips, for each skipper)',
  ],
  [
    'with far as (select boat_id, sum(distance) as total_distance from trips group by boat_id) select name, total_distance from boats join far on boat_id = id where total_distance > 100',
    'the name of the boat and total distance, from boats and (the boat id and total distance of the trips, for each boat id) where the total distance is more than 100',
  ],
  [
    "select case when length > 10 then 'long' else 'short' end from boats",
    '“long” if the length is more than 10, else “short” of each boat',
  ],
  [
    'select extract(year from start_date), sum(distance) - min(distance) from trips group by 1',
    'the year of the start date and total distance minus lowest distance of the trips, for each year of the start date',
  ],
  [
    'select name, rank() over (partition by country order by length desc) from boats',
    'the name and rank by length within each country of each boat',
  ],
  ['select * from boats, trips where boats.id = trips.boat_id', 'all columns of the boats and their trips'],
]

describe('describeSql', () => {
  it.each(cases)('reads %s', (sql, words) => {
    expect(describeSql(sql, harborCatalog('sqlite'))?.text).toBe(words)
    expect(describeSql(sql, harborCatalog('postgres'))?.text).toBe(words)
  })

  it('tells names of results from columns of the same name', () => {
    const text = describeSql('select abs(depth) as depth from harbours order by depth', harborCatalog())?.text
    expect(text).toBe('the depth without its sign of each harbour, ordered by depth (lowest first)')
  })

  it('reads what the catalog does not have, to any depth', () => {
    const inner = 'select a, (select c from u) as c from v union all select a, c from v'
    const sql = `select count(*) / (select count(*) from w) from (select a from (${inner}) group by a having count(c) > 1) x`
    const words = describeSql(sql, { ...harborCatalog(), tables: [], foreignKeys: [] })?.text
    expect(words).toContain('number of rows')
    const recursive =
      'with recursive c as (select 1 as n union all select n + 1 from c where n < 5) select n from c'
    expect(describeSql(recursive, harborCatalog('postgres'))?.text).toContain('the n is less than 5')
  })

  it.each(['delete from boats', 'selec', ''])('has no words for "%s"', sql => {
    expect(describeSql(sql, harborCatalog())).toBeNull()
  })

  it('says of every part what it names and does, those of subqueries deeper', () => {
    const sql =
      "select distinct name from boats where id not in (select boat_id from trips where distance >= 9) and country = 'Chile' order by length desc limit 2"
    const parts = describeSql(sql, harborCatalog())?.parts ?? []
    expect(parts.map(({ kind, depth, words }) => [kind, depth, words])).toEqual([
      ['output', 0, 'name'],
      ['distinct', 0, 'each only once'],
      ['source', 0, 'boats'],
      ['filter', 0, 'the boat has no trip where the distance is at least 9'],
      ['output', 1, 'boat id'],
      ['source', 1, 'trips'],
      ['filter', 1, 'the distance is at least 9'],
      ['filter', 0, 'the country is “Chile”'],
      ['order', 0, 'ordered by length, highest first'],
      ['limit', 0, 'only the first 2'],
    ])
    expect(parts[3]?.signs).toEqual(['negation'])
    expect(parts[6]).toMatchObject({
      columns: [{ table: 'trips', column: 'distance' }],
      values: [{ value: '9', kind: 'number', column: { table: 'trips', column: 'distance' } }],
      signs: ['at-least'],
    })
  })
})
