import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { parse } from 'libpg-query'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../../src/domain/sql.ts'
import type { Expression, SelectQuery } from '../../../src/sql/render/query.ts'
import { quoteIdentifier, quoteLiteral } from '../../../src/sql/render/quote.ts'
import { renderExpression, renderSelect } from '../../../src/sql/render/render-query.ts'

const column = (name: string, table: string | null = null): Expression => ({ kind: 'column', table, name })

const literal = (value: string | number | boolean | null): Expression => ({ kind: 'literal', value })

const count: Expression = {
  kind: 'aggregate',
  fn: 'count',
  argument: { kind: 'star', table: null },
  distinct: false,
}

const query = (parts: Partial<SelectQuery>): SelectQuery => ({
  kind: 'select',
  distinct: false,
  items: [{ expression: { kind: 'star', table: null }, alias: null }],
  from: { schema: null, name: 'visits', alias: null },
  joins: [],
  where: null,
  groupBy: [],
  having: null,
  orderBy: [],
  limit: null,
  ...parts,
})

const write = (expression: Expression, dialect: Dialect): string =>
  renderExpression(expression, dialect, renderSelect)

describe('a conditional aggregate', () => {
  const side = (value: string): Expression => ({
    kind: 'aggregate',
    fn: 'sum',
    argument: {
      kind: 'case',
      when: { kind: 'compare', operator: '=', left: column('kind'), right: literal(value) },
      result: column('length'),
      otherwise: literal(0),
    },
    distinct: false,
  })

  it.each(['sqlite', 'postgres', 'mysql', 'duckdb'] as const)(
    'and what it is more than another, in %s',
    dialect => {
      expect(write({ kind: 'minus', left: side('a'), right: side('b') }, dialect)).toBe(
        "SUM(CASE WHEN kind = 'a' THEN length ELSE 0 END) - SUM(CASE WHEN kind = 'b' THEN length ELSE 0 END)",
      )
    },
  )

  it('leaves out the rest where nothing is said of it', () => {
    const rows: Expression = { kind: 'case', when: column('open'), result: literal(1), otherwise: null }
    expect(write({ kind: 'aggregate', fn: 'count', argument: rows, distinct: false }, 'sqlite')).toBe(
      'COUNT(CASE WHEN open THEN 1 END)',
    )
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
    const is = (value: string): Expression => ({
      kind: 'compare',
      operator: '=',
      left: column('city'),
      right: literal(value),
    })
    const both: Expression = {
      kind: 'and',
      parts: [
        { kind: 'or', parts: [is('Ulm'), is('Bonn')] },
        { kind: 'is-null', argument: column('left_on'), negated: true },
      ],
    }
    expect(write(both, 'postgres')).toBe("(city = 'Ulm' OR city = 'Bonn') AND left_on IS NOT NULL")
  })

  it('escapes wildcards in text that is looked for', () => {
    const match: Expression = {
      kind: 'matches',
      argument: column('code'),
      place: 'start',
      text: '50%_!',
      negated: false,
    }
    expect(write(match, 'postgres')).toBe("code ILIKE '50!%!_!!%' ESCAPE '!'")
    const db = new DatabaseSync(':memory:')
    const found = (code: string) =>
      db.prepare(`SELECT count(*) AS n FROM (SELECT ? AS code) WHERE ${write(match, 'sqlite')}`).get(code)?.n
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
    expect(write({ kind: 'moment', day: '2026-10-01', type, timeZone: 'Europe/Berlin' }, dialect)).toBe(
      expected,
    )
  })

  it.each([
    ['day', '2024-02-29'],
    ['week', '2024-02-26'],
    ['month', '2024-02-01'],
    ['quarter', '2024-01-01'],
    ['year', '2024-01-01'],
  ] as const)('cuts a day to its %s in SQLite', (unit, expected) => {
    const cut = write(
      { kind: 'truncate', unit, argument: literal('2024-02-29 13:14:15'), type: 'text', timeZone: 'UTC' },
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
          `SELECT ${write({ kind: 'truncate', unit: 'week', argument: literal(day), type: 'text', timeZone: 'UTC' }, 'sqlite')} AS day`,
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

describe('renderSelect', () => {
  it('names the tables of a star that is not alone, where MySQL takes no bare one', () => {
    const items = [
      { expression: column('seen_at', 'v'), alias: null },
      { expression: { kind: 'star', table: null }, alias: null },
    ] as const
    const from = { schema: null, name: 'visits', alias: 'v' }
    expect(renderSelect(query({ items, from }), 'mysql')).toBe('SELECT v.seen_at, v.*\nFROM visits AS v')
    expect(renderSelect(query({ items, from }), 'sqlite')).toBe('SELECT v.seen_at, *\nFROM visits AS v')
  })

  it('writes one clause a line', () => {
    const full = query({
      items: [
        { expression: column('city', 'places'), alias: null },
        { expression: count, alias: 'number_of_visits' },
      ],
      joins: [
        {
          table: { schema: 'travel', name: 'places', alias: null },
          kind: 'inner',
          on: {
            kind: 'compare',
            operator: '=',
            left: column('place_id', 'visits'),
            right: column('id', 'places'),
          },
        },
      ],
      where: { kind: 'compare', operator: '>', left: column('days', 'visits'), right: literal(2) },
      groupBy: [column('city', 'places')],
      having: { kind: 'compare', operator: '>=', left: count, right: literal(3) },
      orderBy: [{ expression: count, direction: 'desc', nullable: false }],
      limit: 5,
    })
    expect(renderSelect(full, 'postgres')).toBe(
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
    const ordered = query({ orderBy: [{ expression: column('days'), direction, nullable: true }] })
    expect(renderSelect(ordered, dialect)).toBe(`SELECT *\nFROM visits\nORDER BY ${expected}`)
  })

  it('writes nested and combined queries that Postgres parses', async () => {
    const inner = query({
      items: [{ expression: column('id'), alias: null }],
      where: { kind: 'is-null', argument: column('days'), negated: false },
    })
    const outer = query({
      distinct: true,
      where: { kind: 'in', argument: column('id'), among: inner, negated: true },
    })
    const sql = renderSelect(
      { kind: 'set', operator: 'except', left: outer, right: query({ limit: null }) },
      'postgres',
    )
    expect(sql).toBe(
      'SELECT DISTINCT *\nFROM visits\nWHERE id NOT IN (SELECT id\nFROM visits\nWHERE days IS NULL)\nEXCEPT\nSELECT *\nFROM visits',
    )
    expect((await parse(sql)).stmts).toHaveLength(1)
  })
})
