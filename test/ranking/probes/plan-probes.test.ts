import { describe, expect, it } from 'vitest'
import { planProbes } from '../../../src/ranking/probes/probe-pair.ts'
import { indexedSqlite } from '../indexed-sqlite.ts'

describe('planProbes', () => {
  const { database, run } = indexedSqlite(
    'boats',
    `
      create table boats (id integer primary key, name text, country text, home text, length integer);
      create table trips (id integer primary key, boat_id integer references boats (id), crew integer, skipper text);
      insert into boats values (11, 'Ann', 'Norway', 'Bergen', 9), (12, 'Bo', 'Chile', 'Bergen', 12),
        (13, 'Cy', 'Chile', 'Arica', 12), (14, 'Di', 'Norway', 'Oslo', 7);
      insert into trips values (1, 11, 2, 'Olsen'), (2, 11, 3, 'Berg'), (3, 12, 1, 'Olsen'), (4, 13, 4, 'Rey');`,
  )

  /** What a probe says of two statements, in both orders: the second must be the first with its sign turned. */
  const probe = async (question: string, kind: string, first: string, second: string) => {
    const of = async (a: string, b: string): Promise<number | null> => {
      const [one, other] = [
        { sql: a, result: await run(a) },
        { sql: b, result: await run(b) },
      ]
      const found = planProbes(one, other, question, database().catalog).probes.find(
        planned => planned.kind === kind,
      )
      if (found === undefined) return null
      expect(found.reason).toMatch(/^whether /)
      return found.judge(await run(found.sql))
    }
    const [there, back] = [await of(first, second), await of(second, first)]
    expect(back === null ? null : -back + 0).toBe(there === null ? null : there + 0)
    return there
  }

  it('looks up which column holds a text', async () => {
    const says = (first: string, second: string) =>
      probe('How many boats are from Chile?', 'literal-held', first, second)
    const country = "select count(*) from boats where country = 'Chile'"
    const home = "select count(*) from boats where home = 'Chile'"
    expect(await says(country, home)).toBe(1)
    expect(await says(country, "select count(*) from boats where country = 'chile'")).toBe(1)
    expect(await says(country, "select count(*) from boats where home = 'Arica'")).toBe(0)
    expect(await says(country, "select count(*) from boats where home like 'Chile%'")).toBeNull()
    expect(await says(country, 'select count(*) from boats')).toBeNull()
  })

  it('counts rows without a partner', async () => {
    const inner = 'select name, count(*) from boats join trips on trips.boat_id = boats.id group by name'
    const left = 'select name, count(*) from boats left join trips on trips.boat_id = boats.id group by name'
    const says = (question: string) => probe(question, 'rows-without-partner', left, inner)
    expect(await says('How many trips did each boat make?')).toBeGreaterThan(0)
    expect(await says('How many trips did the boats that sailed make?')).toBeLessThan(0)
  })

  it('says nothing of joins where every row has a partner', async () => {
    const from = (join: string) =>
      `select skipper, name from trips ${join} boats on trips.boat_id = boats.id where length > 9`
    expect(
      await probe('Who sailed each boat?', 'rows-without-partner', from('join'), from('left join')),
    ).toBe(0)
  })

  it('looks up which columns belong together', async () => {
    const joined = (column: string) => `select name from boats join trips on trips.${column} = boats.id`
    expect(await probe('Which boats sailed?', 'partners-of-keys', joined('boat_id'), joined('crew'))).toBe(
      0.75,
    )
  })

  it('looks up whether several rows tie for the top', async () => {
    const one = 'select name from boats order by length desc limit 1'
    const several = 'select name from boats where length = (select max(length) from boats)'
    const says = (question: string) => probe(question, 'tie-at-top', one, several)
    expect(await says('Which are the longest boats?')).toBe(-0.7)
    expect(await says('Which boat is the longest?')).toBe(0.3)
    expect(await says('Which boats are from Norway?')).toBeNull()
  })

  it('has no tie to look up in a list that takes no extreme', async () => {
    const one = 'select name from boats order by length desc limit 1'
    const list = 'select name from boats order by length desc'
    expect(await probe('Which boat is the longest?', 'tie-at-top', one, list)).toBeNull()
  })

  it('never asks for what is masked', async () => {
    const { catalog } = database()
    const masked = {
      ...catalog,
      tables: catalog.tables.map(table => ({
        ...table,
        columns: table.columns.map(column => ({ ...column, masked: true as const })),
      })),
    }
    const sides = ['country', 'home'].map(column => `select name from boats where ${column} = 'Chile'`)
    const [first, second] = await Promise.all(sides.map(async sql => ({ sql, result: await run(sql) })))
    expect(planProbes(first!, second!, 'Which boats are from Chile?', masked).probes).toEqual([])
    expect(planProbes(first!, second!, 'Which boats are from Chile?', catalog).probes).toHaveLength(1)
  })

  it('keeps to the results of what it cannot read', async () => {
    const result = await run('select name from boats')
    const plan = planProbes(
      { sql: 'select name frm', result },
      { sql: 'select', result: await run('select name from boats where id = 1') },
      'Which boats are there?',
      database().catalog,
    )
    expect(plan.probes).toEqual([])
    expect(plan.findings.map(({ kind }) => kind)).toEqual(['one-is-empty'])
  })
})
