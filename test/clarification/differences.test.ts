import { describe, expect, it } from 'vitest'
import { findClarification } from '../../src/clarification/find-clarification.ts'
import type { AnswerSubject } from '../../src/domain/metrics/answer-meaning.ts'
import { askAbout, contest, harbor, read } from './harbor.ts'

const one = (sql: string, score: number, rows = 2) => ({ sql: [sql], score, rows })

describe('candidates of any path', () => {
  it('are told apart by the column that a value is looked for in', () => {
    const found = askAbout(
      'Which owners are from Fresno?',
      one("SELECT name FROM Owners WHERE city = 'Fresno'", 0.4, 3),
      one("SELECT o.name FROM Owners AS o WHERE o.county = 'Fresno'", 0.35, 41),
    )
    expect(read(found)).toEqual([
      'What do you mean by “Fresno”?',
      'city Fresno: 3 rows',
      'county Fresno: 41 rows',
    ])
    expect(found?.clarification.options[1]?.means).toEqual({
      phrase: 'Fresno',
      meaning: 'county Fresno',
      sql: "Owners.county = 'Fresno'",
      columns: ['Owners.county'],
    })
    expect(found?.value).toBeCloseTo(0.35)
  })

  it.each([
    {
      what: 'a literal',
      sqls: [
        "SELECT name FROM Boats WHERE home_port = 'Kiel'",
        "SELECT name FROM Boats WHERE home_port = 'Kiel Canal'",
      ],
      asked: ['Which ones do you mean?', 'home port Kiel: 2 rows', 'home port Kiel Canal: 2 rows'],
    },
    {
      what: 'an operator',
      sqls: ['SELECT name FROM Boats WHERE length_m > 10', 'SELECT name FROM Boats WHERE length_m >= 10'],
      asked: ['Which ones do you mean?', 'length m over 10: 2 rows', 'length m at least 10: 2 rows'],
    },
    {
      what: 'an aggregation',
      sqls: ['SELECT avg(cost) FROM Repairs', 'SELECT sum(cost) FROM Repairs'],
      asked: ['What should the answer show?', 'average cost: 2 rows', 'total cost: 2 rows'],
    },
    {
      what: 'a further column',
      sqls: ['SELECT name FROM Boats', 'SELECT name, length_m FROM Boats'],
      asked: ['What should the answer show?', 'name: 2 rows', 'name and length m: 2 rows'],
    },
    {
      what: 'a limit',
      sqls: [
        'SELECT name FROM Boats ORDER BY length_m DESC LIMIT 1',
        'SELECT name FROM Boats ORDER BY length_m DESC',
      ],
      asked: ['Which ones do you want to see?', 'the highest length m: 2 rows', 'all of them: 2 rows'],
    },
    {
      what: 'an order that decides who is there',
      sqls: [
        'SELECT name FROM Boats ORDER BY length_m DESC LIMIT 3',
        'SELECT name FROM Boats ORDER BY length_m LIMIT 3',
      ],
      asked: ['Which ones do you want to see?', 'top 3 by length m: 2 rows', 'bottom 3 by length m: 2 rows'],
    },
    {
      what: 'a join that keeps rows without a partner',
      sqls: [
        'SELECT b.name, r.cost FROM Boats b JOIN Repairs r ON r.boat_id = b.id',
        'SELECT b.name, r.cost FROM Boats b LEFT JOIN Repairs r ON r.boat_id = b.id',
      ],
      asked: [
        'Which ones should be included?',
        'only those with a repair: 2 rows',
        'also those without a repair: 2 rows',
      ],
    },
    {
      what: 'a time bound',
      sqls: [
        "SELECT sum(cost) FROM Repairs WHERE day >= '2026-01-01'",
        "SELECT sum(cost) FROM Repairs WHERE day >= '2025-11-01'",
      ],
      asked: ['Which ones do you mean?', 'day since Jan 1, 2026: 2 rows', 'day since Nov 1, 2025: 2 rows'],
    },
    {
      what: 'a grouping',
      sqls: [
        'SELECT max(length_m) FROM Boats GROUP BY home_port',
        'SELECT max(length_m) FROM Boats GROUP BY build_port',
      ],
      asked: ['How should I group it?', 'by home port: 2 rows', 'by build port: 2 rows'],
    },
    {
      what: 'a subquery',
      sqls: [
        'SELECT name FROM Boats WHERE id NOT IN (SELECT boat_id FROM Repairs)',
        'SELECT name FROM Boats WHERE id NOT IN (SELECT boat_id FROM Repairs WHERE cost > 5)',
      ],
      asked: ['Which ones do you mean?', 'with no repair: 2 rows', 'with no repair with cost over 5: 2 rows'],
    },
    {
      what: 'the same name in two tables',
      sqls: [
        'SELECT b.name FROM Boats b JOIN Owners o ON b.owner_id = o.id',
        'SELECT o.name FROM Boats b JOIN Owners o ON b.owner_id = o.id',
      ],
      asked: ['What should the answer show?', 'name of the boat: 2 rows', 'name of the owner: 2 rows'],
    },
  ])('are told apart by $what', ({ sqls: [first = '', second = ''], asked }) => {
    expect(read(askAbout('boats', one(first, 0.5), one(second, 0.3)))).toEqual(asked)
  })

  it('are compared by what they mean, not by how they are written', () => {
    const found = askAbout(
      'boats from Kiel',
      one("SELECT T1.name FROM Boats AS T1 WHERE 'Kiel' = T1.home_port", 0.5),
      one("select boats.name from boats where (home_port = 'Kiel') and length_m > 5", 0.3),
    )
    expect(read(found)).toEqual([
      'Which ones do you mean?',
      'any length m: 2 rows',
      'length m over 5: 2 rows',
    ])
  })

  it('speak by the statement of a group that is most like the leader', () => {
    const found = askAbout('boats', one('SELECT name FROM Boats WHERE length_m > 10', 0.5), {
      sql: [
        'SELECT name FROM (SELECT * FROM Boats) x WHERE x.length_m NOT BETWEEN 0 AND 11.9',
        'SELECT name FROM Boats WHERE length_m > 12',
      ],
      score: 0.3,
    })
    expect(read(found).slice(1)).toEqual(['length m over 10: 2 rows', 'length m over 12: 2 rows'])
  })

  it('share an option where one thing is settled and what else differs hardly matters', () => {
    const found = askAbout(
      'owners',
      one("SELECT name FROM Owners WHERE city = 'Fresno'", 0.45),
      one("SELECT name FROM Owners WHERE county = 'Fresno'", 0.4),
      one("SELECT name, id FROM Owners WHERE county = 'Fresno'", 0.04),
    )
    expect(found?.clarification.options.map(({ candidateIds }) => candidateIds)).toEqual([
      ['c0.0'],
      ['c1.0', 'c2.0'],
    ])
  })
})

describe('options', () => {
  const head = (...names: string[]) => ({
    columns: [{ name: 'name', kind: 'text' as const }],
    rows: names.map(name => [name]),
    rowCount: names.length,
  })

  it('the value itself where it is one', () => {
    const value = (n: number) => ({
      columns: [{ name: 'n', kind: 'integer' as const }],
      rows: [[n]],
      rowCount: 1,
    })
    const found = askAbout(
      'repairs',
      { sql: ['SELECT sum(cost) FROM Repairs'], score: 0.5, rows: 1, head: value(1200) },
      { sql: ['SELECT max(cost) FROM Repairs'], score: 0.3, rows: 1, head: value(70) },
    )
    expect(read(found).slice(1)).toEqual(['total cost: 1,200', 'highest cost: 70'])
  })

  it('are the results where no words tell the statements apart', () => {
    const unread = (names: string[], score: number) => ({ sql: ['not sql'], score, head: head(...names) })
    const found = askAbout('boats', unread(['Alba', 'Brisa'], 0.5), unread(['Cyan'], 0.3))
    expect(read(found)).toEqual(['Which of these results do you mean?', 'Alba; Brisa', 'Cyan'])
    expect(found?.clarification.options[0]?.means).toBeUndefined()
  })

  it('are never the results beside an answer that leads, nor an answer without rows', () => {
    const unread = (names: string[], score: number) => ({ sql: ['not sql'], score, head: head(...names) })
    expect(askAbout('boats', unread(['Alba', 'Brisa'], 0.7), unread(['Cyan'], 0.2))).toBeNull()
    expect(
      askAbout(
        'costs',
        one('SELECT avg(cost) FROM Repairs', 0.4),
        one('SELECT sum(cost) FROM Repairs', 0.35, 0),
      ),
    ).toBeNull()
  })

  it('that nobody could tell apart become one, and one option is no question', () => {
    const unread = (score: number) => ({ sql: ['not sql'], score, head: head('Alba') })
    expect(askAbout('boats', unread(0.5), unread(0.3))).toBeNull()
  })

  it('are never about repeated rows alone', () => {
    const twice = (sql: string, score: number) => ({ sql: [sql], score, columnsKey: 'same' })
    expect(
      askAbout(
        'ports',
        twice('SELECT home_port FROM Boats', 0.5),
        twice('SELECT DISTINCT home_port FROM Boats', 0.4),
      ),
    ).toBeNull()
  })

  it('are called as the semantic layer calls what the answers show', () => {
    const subject = (label: string): AnswerSubject => ({
      ...{ rowsOf: null, groupsOf: null, countsOf: null, period: null, conditions: [], isComplete: true },
      ...{ order: null, limit: null, limitsGroups: false, compare: null, isYesNo: false, extent: null },
      columns: [
        {
          label,
          unit: { kind: 'currency', code: 'EUR', scale: 0.01 },
          role: { kind: 'figure', of: 'value', goodDirection: null, isAdditive: true },
        },
      ],
    })
    const sqls = ['SELECT sum(cost) FROM Repairs', 'SELECT count(*) FROM Repairs']
    const head = { columns: [{ name: 'n', kind: 'integer' as const }], rows: [[1250]], rowCount: 1 }
    const given = contest(sqls.map((sql, at) => ({ sql: [sql], score: 0.4 - at / 20, rows: 1, head })))
    const found = findClarification({
      ...{ question: 'repairs', catalog: harbor, ...given },
      subjectOf: ({ sql }) => subject(sql === sqls[0] ? 'Repair cost' : 'Repairs'),
    })
    expect(read(found).slice(1)).toEqual(['repair cost: €12.50', 'repairs: €12.50'])
  })

  it('fit a button and are at most four', () => {
    const found = askAbout(
      'boats',
      ...[1, 2, 3, 4, 5, 6].map(n =>
        one(
          `SELECT name FROM Boats WHERE ${Array.from({ length: 6 }, (_, i) => `length_m <> ${n}${i}`).join(' AND ')}`,
          0.15,
        ),
      ),
    )
    const labels = found?.clarification.options.map(({ label }) => label) ?? []
    expect(labels).toHaveLength(4)
    expect(new Set(labels).size).toBe(4)
    for (const label of labels) expect(label.length).toBeLessThanOrEqual(40)
  })
})
