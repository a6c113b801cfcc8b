import { describe, expect, it } from 'vitest'
import { countAbsentLiterals, countColumnInversions } from '../../src/ranking/evidence.ts'
import { indexedSqlite } from './indexed-sqlite.ts'

describe('countAbsentLiterals', () => {
  const { database } = indexedSqlite(
    'harbours',
    `
      create table harbours (id integer primary key, name text, country text, opened text);
      insert into harbours values (1, 'Bergen', 'Norway', '1848-01-01'), (2, 'Bilbao', 'Spain', null);`,
  )

  const cases: readonly (readonly [string, number])[] = [
    ["select count(*) from harbours where country = 'Norway'", 0],
    ["select count(*) from harbours where country = 'norway'", 1],
    ["select count(*) from harbours where country in ('Norway', 'Chile')", 1],
    ["select count(*) from harbours as h where h.name = 'Norway'", 1],
    ["select count(*) from harbours where name like 'Ber%'", 0],
    ["select count(*) from harbours where opened > '1900-01-01'", 0],
    ['select count(*) from harbours where country = "Spain"', 0],
    ["select 'nowhere' from harbours", 0],
    ['select from where', 0],
  ]
  it.each(cases)('%s: %i', (sql, count) => {
    expect(countAbsentLiterals(sql, database())).toBe(count)
  })
})

describe('countColumnInversions', () => {
  const inversions = (question: string, names: readonly string[]): number =>
    countColumnInversions(
      question,
      names.map(name => ({ name, kind: 'text' as const })),
    )
  it('counts the pairs that the question names the other way round', () => {
    const question = 'What are the name, country and opening year of each harbour?'
    expect(inversions(question, ['name', 'country', 'opening_year'])).toBe(0)
    expect(inversions(question, ['country', 'name', 'opening_year'])).toBe(1)
    expect(inversions(question, ['opening_year', 'country', 'name'])).toBe(3)
  })
  it('knows the words that ask for a count', () => {
    expect(inversions('For each country, how many harbours are there?', ['count(*)', 'country'])).toBe(1)
    expect(inversions('How many harbours are there in each country?', ['count(*)', 'country'])).toBe(0)
  })
  it('leaves out what the question does not name', () => {
    expect(inversions('Which is the largest harbour?', ['tonnage', 'harbour', 'x'])).toBe(0)
  })
})
