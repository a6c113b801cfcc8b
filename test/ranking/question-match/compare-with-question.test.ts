import { describe, expect, it } from 'vitest'
import {
  compareWithQuestion,
  mismatchMeasures,
  mismatchReason,
  type QuestionMismatch,
} from '../../../src/ranking/question-match/compare-with-question.ts'
import { describeSql } from '../../../src/sql/describe/describe-sql.ts'
import { harborCatalog } from './harbor-catalog.ts'

const compare = (question: string, sql: string): QuestionMismatch => {
  const catalog = harborCatalog()
  const described = describeSql(sql, catalog)
  if (described === null) throw new Error(`cannot read ${sql}`)
  return compareWithQuestion(question, described, catalog)
}

const joined = 'from boats join trips on trips.boat_id = boats.id'

/** A measure, a question, a statement that matches the question by it, and one that does not. */
const cases: readonly (readonly [string, string, string, string])[] = [
  [
    'unread-schema-words',
    'Which boats made a trip?',
    `select boats.name ${joined}`,
    'select name from boats',
  ],
  [
    'unread-words',
    'How many trips did skipper Olsen make?',
    "select count(*) from trips where skipper = 'Olsen'",
    'select count(*) from trips',
  ],
  [
    'unread-names',
    'How many boats are from Norway?',
    "select count(*) from boats where country = 'Norway'",
    'select count(*) from boats',
  ],
  [
    'unasked-tables',
    'What is the name of each boat?',
    'select name from boats',
    `select boats.name ${joined}`,
  ],
  [
    'unasked-outputs',
    'What is the name of each boat?',
    'select name from boats',
    'select name, length from boats',
  ],
  [
    'outputs-from-conditions',
    'Show the name of boats whose length is more than 20.',
    'select name from boats where length > 20',
    'select name, length from boats where length > 20',
  ],
  [
    'unasked-filters',
    'What is the name of each boat from Norway?',
    "select name from boats where country = 'Norway'",
    "select name from boats where country = 'Norway' and length > 7",
  ],
  [
    'unasked-identifiers',
    'What is the name of each boat?',
    'select name from boats',
    'select id, name from boats',
  ],
  ['all-columns', 'What is the name of each boat?', 'select name from boats', 'select * from boats'],
  [
    'missing-outputs',
    'Show the name and country of all boats.',
    'select name, country from boats',
    'select name, length from boats',
  ],
  [
    'output-count',
    'Show the name and country of all boats.',
    'select name, country from boats',
    'select name from boats',
  ],
  [
    'invented-texts',
    'How many French boats are there?',
    "select count(*) from boats where country = 'France'",
    "select count(*) from boats where country = 'Chile'",
  ],
  [
    'invented-numbers',
    'Which boats are longer than 20?',
    'select name from boats where length >= 21',
    'select name from boats where length > 30',
  ],
  [
    'missing-numbers',
    'Which boats are longer than twenty?',
    'select name from boats where length > 20',
    'select name from boats',
  ],
  [
    'missing-quotes',
    'Which boats are called "Sea Star"?',
    "select * from boats where name = 'Sea Star'",
    "select * from boats where name = 'Star'",
  ],
  [
    'recased-quotes',
    'Which boats are called "Sea Star"?',
    "select * from boats where name = 'Sea Star'",
    "select * from boats where name = 'sea star'",
  ],
  [
    'unasked-count',
    'Which country has the most boats?',
    'select country from boats group by country order by count(*) desc limit 1',
    'select country, count(*) from boats group by country order by count(*) desc limit 1',
  ],
  ['missing-count', 'How many boats are there?', 'select count(*) from boats', 'select id from boats'],
  [
    'missing-average',
    'What is the average length of boats?',
    'select avg(length) from boats',
    'select length from boats',
  ],
  [
    'unasked-average',
    'What is the highest length of a boat?',
    'select max(length) from boats',
    'select avg(length) from boats',
  ],
  [
    'missing-sum',
    'What is the total distance of trips?',
    'select sum(distance) from trips',
    'select distance from trips',
  ],
  [
    'unasked-sum',
    'What is the distance of each trip?',
    'select distance from trips',
    'select sum(distance) from trips',
  ],
  [
    'missing-superlative',
    'Which boat is the longest?',
    'select name from boats order by length desc limit 1',
    'select name from boats',
  ],
  [
    'unasked-superlative',
    'Which boats are from Norway?',
    "select name from boats where country = 'Norway'",
    "select name from boats where country = 'Norway' limit 1",
  ],
  [
    'missing-negation',
    'Which boats never made a trip?',
    'select name from boats where id not in (select boat_id from trips)',
    'select name from boats where id in (select boat_id from trips)',
  ],
  [
    'unasked-negation',
    'Which boats are from Norway?',
    "select name from boats where country = 'Norway'",
    "select name from boats where country <> 'Norway'",
  ],
  [
    'missing-groups',
    'How many boats does each country have?',
    'select country, count(*) from boats group by country',
    'select count(*) from boats',
  ],
  [
    'unasked-groups',
    'What is the average length of boats?',
    'select avg(length) from boats',
    'select avg(length) from boats group by built',
  ],
  [
    'missing-distinct',
    'Which different countries do boats come from?',
    'select distinct country from boats',
    'select country from boats',
  ],
  [
    'missing-order',
    'Show boats sorted by length.',
    'select name from boats order by length',
    'select name from boats',
  ],
  [
    'unasked-order',
    'Show the name of boats.',
    'select name from boats',
    'select name from boats order by length',
  ],
  [
    'missing-comparison',
    'Which boats are longer than 20?',
    'select name from boats where length > 20',
    'select name from boats where length = 20',
  ],
  [
    'unasked-comparison',
    'Which boats have length 20?',
    'select name from boats where length = 20',
    'select name from boats where length > 20',
  ],
  [
    'wrong-bound',
    'Which boats have a length of at least 20?',
    'select name from boats where length >= 20',
    'select name from boats where length > 20',
  ],
  [
    'missing-both',
    'Which skippers sailed both in Bergen and Bilbao?',
    "select skipper from trips where skipper = 'a' intersect select skipper from trips where skipper = 'b'",
    "select skipper from trips where skipper = 'a'",
  ],
  [
    'missing-either',
    'Which boats are from Norway or Chile?',
    "select name from boats where country in ('Norway', 'Chile')",
    "select name from boats where country = 'Norway'",
  ],
  [
    'unasked-either',
    'Which boats are from Norway?',
    "select name from boats where country = 'Norway'",
    "select name from boats where country = 'Norway' or length = 3",
  ],
  [
    'unasked-keeping',
    'Which boats made a trip?',
    `select boats.name ${joined}`,
    'select boats.name from boats left join trips on trips.boat_id = boats.id',
  ],
  [
    'wrong-end',
    'Which is the oldest boat?',
    'select name from boats order by built limit 1',
    'select name from boats order by built desc limit 1',
  ],
  [
    'wrong-direction',
    'Show boats by length in descending order.',
    'select name from boats order by length desc',
    'select name from boats order by length',
  ],
  [
    'several',
    'What is the name of each boat?',
    'select name from boats',
    'select id, name, built from boats',
  ],
  [
    'unasked-ranking',
    'Which boat has the highest length?',
    'select name from boats order by length desc limit 1',
    'select name from boats order by country desc limit 1',
  ],
]

describe('compareWithQuestion', () => {
  it.each(cases)('%s: %s', (name, question, right, wrong) => {
    expect(compare(question, right)[name] ?? 0).toBeLessThan(compare(question, wrong)[name] ?? 0)
  })

  it.each(cases.filter(([name]) => name !== 'unread-words'))(
    '%s: nothing differs',
    (name, question, right) => {
      expect(compare(question, right)).not.toHaveProperty(name)
    },
  )

  it('has a test for every measure, and a reason for a person', () => {
    expect(new Set(cases.map(([name]) => name))).toEqual(new Set(mismatchMeasures.map(({ name }) => name)))
    for (const { name } of mismatchMeasures) expect(mismatchReason(name)).toMatch(/^the /)
    expect(mismatchReason('votes')).toBeNull()
  })

  it('counts what disagrees once for each measure', () => {
    const sql = "select id, built from boats where country = 'Chile'"
    expect(compare('What is the name of each boat?', sql)).toMatchObject({
      'unasked-identifiers': 1,
      'unasked-outputs': 1,
      'invented-texts': 1,
      'unasked-filters': 1,
      several: 4,
    })
  })

  it.each([
    ['Show the name and country of each boat.', 'select name, country from boats', 0],
    ['For each country, show the longest boat and its length.', 'select name, length from boats', 0],
    ['What is the average length of boats per country?', 'select avg(length) from boats group by country', 0],
    ['What is the average length per country?', 'select country, avg(length) from boats group by country', 0],
    ['Which boats are from Chile? List their name, length and country.', 'select name from boats', 2],
    ['Show names of boats built before 1990 and after 2000.', 'select name from boats', 0],
  ])('counts the columns that "%s" lists', (question, sql, off) => {
    expect(compare(question, sql)['output-count'] ?? 0).toBe(off)
  })

  it('knows what people call the values that databases keep', () => {
    expect(
      compare('Which American boats are there?', "select name from boats where country = 'USA'"),
    ).not.toHaveProperty('invented-texts')
  })

  it('takes a key behind IN for plumbing', () => {
    const sql = 'select name from boats where id in (select boat_id from trips)'
    expect(compare('Which boats made a trip?', sql)).not.toHaveProperty('unasked-filters')
  })

  it('takes what stands in ON beside the keys for a filter', () => {
    const sql = `select boats.name ${joined} and trips.skipper = 'Olsen'`
    expect(compare('Which boats did Berg sail?', sql)).toHaveProperty('invented-texts')
  })
})
