import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { parse } from 'libpg-query'
import { describe, expect, it } from 'vitest'
import { quoteIdentifier, quoteLiteral } from '../../../src/sql/render/quote.ts'
import { renderExpression, renderQuery } from '../../../src/sql/render/render-query.ts'
import {
  aggregateOf,
  columnOf,
  literalOf,
  matchOf,
  selectOf,
  starOf,
  tableSource,
} from '../../../src/sql/tree/compose-query.ts'
import { compareOf, type Expression, emptyFrame, type SelectTree } from '../../../src/sql/tree/query-tree.ts'

const visits = { schema: null, name: 'visits' }

const query = (parts: Partial<SelectTree>): SelectTree =>
  selectOf({ outputs: [{ expression: starOf(), alias: null }], from: [tableSource(visits)], ...parts })

describe('a conditional aggregate', () => {
  const side = (value: string): Expression =>
    aggregateOf('sum', {
      kind: 'case',
      operand: null,
      branches: [{ when: compareOf('=', columnOf('kind'), literalOf(value)), value: columnOf('length') }],
      otherwise: literalOf(0),
    })

  it.each(['sqlite', 'postgres', 'mysql', 'duckdb'] as const)(
    'and what it is more than another, in %s',
    dialect => {
      expect(
        renderExpression({ kind: 'arithmetic', operator: '-', left: side('a'), right: side('b') }, dialect),
      ).toBe(
        "SUM(CASE WHEN kind = 'a' THEN length ELSE 0 END) - SUM(CASE WHEN kind = 'b' THEN length ELSE 0 END)",
      )
    },
  )

  it('leaves out the rest where nothing is said of it', () => {
    const rows: Expression = {
      kind: 'case',
      operand: null,
      branches: [{ when: columnOf('open'), value: literalOf(1) }],
      otherwise: null,
    }
    expect(renderExpression(aggregateOf('count', rows), 'sqlite')).toBe('COUNT(CASE WHEN open THEN 1 END)')
  })
})

describe('quoteIdentifier', () => {
  it.each([
    ['visits', 'postgres', 'visits'],
    ['Visits', 'postgres', '"Visits"'],
    ['Visits', 'sqlite', 'Visits'],
    ['order', 'sqlite', '"order"'],
    ['order', 'mysql', '`order`'],
    ['rank', 'mysql', '`rank`'],
    ['two words', 'duckdb', '"two words"'],
    ['say "hi"', 'postgres', '"say ""hi"""'],
    ['tick`s', 'mysql', '`tick``s`'],
    ['2nd', 'sqlite', '"2nd"'],
    ['größe', 'postgres', '"größe"'],
  ] as const)('%s in %s is %s', (name, dialect, expected) => {
    expect(quoteIdentifier(name, dialect)).toBe(expected)
  })

  it('names any column so that SQLite finds it again', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 12 }), name => {
        fc.pre(!name.includes('\0') && name.isWellFormed())
        const db = new DatabaseSync(':memory:')
        db.exec(`CREATE TABLE t (${quoteIdentifier(name, 'sqlite')} INTEGER)`)
        expect(Object.keys(db.prepare('INSERT INTO t VALUES (1) RETURNING *').get() ?? {})).toEqual([name])
        db.close()
      }),
      { numRuns: 60 },
    )
  })
})

describe('quoteLiteral', () => {
  it('doubles quotes, and backslashes where they would escape', () => {
    expect(quoteLiteral("O'Hara \\ Co", 'postgres')).toBe("'O''Hara \\ Co'")
    expect(quoteLiteral("O'Hara \\ Co", 'mysql')).toBe("'O''Hara \\\\ Co'")
  })

  it('writes booleans as the dialect has them, and what SQL has no number for as NULL', () => {
    expect(quoteLiteral(true, 'sqlite')).toBe('1')
    expect(quoteLiteral(false, 'postgres')).toBe('FALSE')
    expect(quoteLiteral(Number.NaN, 'duckdb')).toBe('NULL')
    expect(quoteLiteral(12n, 'duckdb')).toBe('12')
  })

  it('gives any text back unchanged from SQLite', () => {
    const db = new DatabaseSync(':memory:')
    fc.assert(
      fc.property(fc.string(), text => {
        fc.pre(!text.includes('\0') && text.isWellFormed())
        const row = db.prepare(`SELECT ${quoteLiteral(text, 'sqlite')} AS v`).get()
        expect(row?.v).toBe(text)
      }),
    )
    db.close()
  })
})

describe('renderExpression', () => {
  it('puts OR inside AND in parentheses', () => {
    const is = (value: string): Expression => compareOf('=', columnOf('city'), literalOf(value))
    const both: Expression = {
      kind: 'and',
      operands: [
        { kind: 'or', operands: [is('Ulm'), is('Bonn')] },
        { kind: 'null-test', operand: columnOf('left_on'), negated: true },
      ],
    }
    expect(renderExpression(both, 'postgres')).toBe("(city = 'Ulm' OR city = 'Bonn') AND left_on IS NOT NULL")
  })

  it('escapes wildcards in text that is looked for', () => {
    const match = matchOf(columnOf('code'), { place: 'start', text: '50%_!', negated: false })
    expect(renderExpression(match, 'postgres')).toBe("code ILIKE '50!%!_!!%' ESCAPE '!'")
    const db = new DatabaseSync(':memory:')
    const found = (code: string) =>
      db
        .prepare(`SELECT count(*) AS n FROM (SELECT ? AS code) WHERE ${renderExpression(match, 'sqlite')}`)
        .get(code)?.n
    expect(found('50%_! off')).toBe(1)
    expect(found('50 x! off')).toBe(0)
    db.close()
  })

  it.each([
    ['date', 'postgres', "DATE '2026-10-01'"],
    ['local', 'postgres', "TIMESTAMP '2026-10-01 00:00:00'"],
    ['instant', 'postgres', "TIMESTAMP '2026-10-01 00:00:00' AT TIME ZONE 'Europe/Berlin'"],
    ['instant', 'duckdb', "TIMESTAMP '2026-10-01 00:00:00' AT TIME ZONE 'Europe/Berlin'"],
    ['instant', 'mysql', "TIMESTAMP '2026-10-01 00:00:00'"],
    ['text', 'sqlite', "'2026-10-01'"],
  ] as const)('writes midnight for a %s column of %s', (type, dialect, expected) => {
    expect(
      renderExpression({ kind: 'moment', day: '2026-10-01', type, timeZone: 'Europe/Berlin' }, dialect),
    ).toBe(expected)
  })

  it.each([
    ['day', '2024-02-29'],
    ['week', '2024-02-26'],
    ['month', '2024-02-01'],
    ['quarter', '2024-01-01'],
    ['year', '2024-01-01'],
  ] as const)('cuts a day to its %s in SQLite', (unit, expected) => {
    const cut = renderExpression(
      { kind: 'truncate', unit, operand: literalOf('2024-02-29 13:14:15'), type: 'text', timeZone: 'UTC' },
      'sqlite',
    )
    const db = new DatabaseSync(':memory:')
    expect(db.prepare(`SELECT ${cut} AS day`).get()?.day).toBe(expected)
    db.close()
  })

  it('cuts Mondays and Sundays to the same week, the one that began on Monday', () => {
    const db = new DatabaseSync(':memory:')
    const week = (day: string) =>
      db
        .prepare(
          `SELECT ${renderExpression({ kind: 'truncate', unit: 'week', operand: literalOf(day), type: 'text', timeZone: 'UTC' }, 'sqlite')} AS day`,
        )
        .get()?.day
    expect([week('2026-11-16'), week('2026-11-22'), week('2026-11-23')]).toEqual([
      '2026-11-16',
      '2026-11-16',
      '2026-11-23',
    ])
    db.close()
  })
})

describe('renderQuery', () => {
  it('names the tables of a star that is not alone, where MySQL takes no bare one', () => {
    const outputs = [
      { expression: columnOf('seen_at', 'v'), alias: null },
      { expression: starOf(), alias: null },
    ] as const
    const from = [tableSource({ ...visits, alias: 'v' })]
    expect(renderQuery(query({ outputs, from }), 'mysql')).toBe('SELECT v.seen_at, v.*\nFROM visits AS v')
    expect(renderQuery(query({ outputs, from }), 'sqlite')).toBe('SELECT v.seen_at, *\nFROM visits AS v')
  })

  it('writes one clause a line', () => {
    const full = query({
      outputs: [
        { expression: columnOf('city', 'places'), alias: null },
        { expression: aggregateOf('count'), alias: 'number_of_visits' },
      ],
      from: [
        tableSource(visits),
        tableSource(
          { schema: 'travel', name: 'places' },
          { join: 'inner', on: compareOf('=', columnOf('place_id', 'visits'), columnOf('id', 'places')) },
        ),
      ],
      where: compareOf('>', columnOf('days', 'visits'), literalOf(2)),
      groupBy: [columnOf('city', 'places')],
      having: compareOf('>=', aggregateOf('count'), literalOf(3)),
      orderBy: [{ expression: aggregateOf('count'), direction: 'desc', details: [] }],
      limit: literalOf(5),
    })
    expect(renderQuery(full, 'postgres')).toBe(
      [
        'SELECT places.city, COUNT(*) AS number_of_visits',
        'FROM visits',
        'JOIN travel.places ON visits.place_id = places.id',
        'WHERE visits.days > 2',
        'GROUP BY places.city',
        'HAVING COUNT(*) >= 3',
        'ORDER BY COUNT(*) DESC',
        'LIMIT 5',
      ].join('\n'),
    )
  })

  it.each([
    ['postgres', 'desc', 'days DESC NULLS LAST'],
    ['postgres', 'asc', 'days'],
    ['sqlite', 'desc', 'days DESC'],
    ['sqlite', 'asc', 'days NULLS LAST'],
    ['mysql', 'asc', 'days IS NULL, days'],
    ['mysql', 'desc', 'days DESC'],
  ] as const)('puts missing values last in %s %s', (dialect, direction, expected) => {
    const ordered = query({
      orderBy: [{ expression: columnOf('days'), direction, details: [], nullsLast: true }],
    })
    expect(renderQuery(ordered, dialect)).toBe(`SELECT *\nFROM visits\nORDER BY ${expected}`)
  })

  it('writes nested and combined queries that Postgres parses', async () => {
    const inner = query({
      outputs: [{ expression: columnOf('id'), alias: null }],
      where: { kind: 'null-test', operand: columnOf('days'), negated: false },
    })
    const outer = query({
      distinct: true,
      where: { kind: 'in', operand: columnOf('id'), among: inner, negated: true, bare: false, details: [] },
    })
    const sql = renderQuery(
      { ...emptyFrame, kind: 'set', operator: 'except', all: false, left: outer, right: query({}) },
      'postgres',
    )
    expect(sql).toBe(
      'SELECT DISTINCT *\nFROM visits\nWHERE id NOT IN (SELECT id FROM visits WHERE days IS NULL)\nEXCEPT\nSELECT *\nFROM visits',
    )
    expect((await parse(sql)).stmts).toHaveLength(1)
  })
})
