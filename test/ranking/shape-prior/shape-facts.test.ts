import { expect, test } from 'vitest'
import { type FactName, factNames, shapeFacts } from '../../../src/ranking/shape-prior/answer-prior.ts'
import { stemCatalog } from '../../../src/ranking/shape-prior/catalog-words.ts'
import { sqlShape } from '../../../src/sql/analyze/sql-shape.ts'
import { nursery } from './nursery.ts'

/** The facts in which a query differs from the plainest one. */
const facts = (sql: string): Partial<Record<FactName, string>> => {
  const read = (text: string): readonly [FactName, string][] =>
    factNames.map(fact => {
      const shape = sqlShape(text, 'sqlite')
      if (shape === null) throw new Error(`no shape: ${text}`)
      return [fact, shapeFacts[fact](shape, stemCatalog(nursery))]
    })
  const plain = new Map(read('SELECT city FROM grower'))
  return Object.fromEntries(read(sql).filter(([fact, value]) => plain.get(fact) !== value))
}

test.each([
  ['SELECT DISTINCT city FROM grower', { distinct: 'yes' }],
  ['SELECT city, founded FROM grower', { items: '2' }],
  ['SELECT * FROM grower', { items: 'all' }],
  ['SELECT city, founded, city, founded, city FROM grower', { items: '4+' }],
  ['SELECT count(*) FROM grower', { aggregate: 'count', counted: 'rows' }],
  ['SELECT count(DISTINCT city) FROM grower', { aggregate: 'count', counted: 'distinct' }],
  ['SELECT max(price), min(price) FROM plant', { items: '2', aggregate: 'several' }],
  [
    'SELECT city FROM grower GROUP BY city HAVING count(*) > 2',
    { grouped: 'yes', having: 'count', greater: 'yes' },
  ],
  ['SELECT city FROM grower ORDER BY founded DESC LIMIT 1', { order: 'column-descending', limit: 'one' }],
  [
    'SELECT city FROM grower GROUP BY city ORDER BY count(*) LIMIT 3',
    { grouped: 'yes', order: 'count-ascending', limit: 'several' },
  ],
  ['SELECT city FROM grower EXCEPT SELECT city FROM grower', { combined: 'except' }],
  ['SELECT city FROM grower WHERE grower_id NOT IN (SELECT grower_id FROM plant)', { nested: 'not-in' }],
  [
    'SELECT city FROM grower WHERE founded = (SELECT max(founded) FROM grower)',
    { nested: 'other', equal: '1' },
  ],
  [
    "SELECT city FROM grower WHERE city LIKE 'K%' OR founded BETWEEN 1 AND 2",
    { like: 'yes', between: 'yes', either: 'yes' },
  ],
  ['SELECT city FROM grower WHERE founded IS NULL', { missing: 'yes' }],
  [
    'SELECT name FROM plant AS p LEFT JOIN grower AS g ON p.grower_id = g.grower_id',
    { sources: '2', 'shows-name': 'yes' },
  ],
  ['SELECT plant_id FROM plant', { 'shows-key': 'yes' }],
])('%s', (sql, expected) => {
  expect(facts(sql)).toEqual(expected)
})
