import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extractKeywords } from '../../../../graphs/answer/understanding/keywords.ts'
import { flagMatches, matchKeywords } from '../../../../graphs/answer/understanding/value-matches.ts'
import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../../../src/databases/open-database.ts'
import { silentAudit } from '../../../../src/domain/operations/audit.ts'
import { makeSqliteFile } from '../../../helpers/sqlite-file.ts'

const names = ['Anna', 'Anne', 'Annika', 'Anni', 'Annabel', 'Annelie', 'Annette', 'Ann']

const club = makeSqliteFile(`
  create table sailors (id integer primary key, name text, sex text, country text, grade text, on_duty text);
  insert into sailors (name, sex, country, grade, on_duty) values
    ${names.map((name, at) => `('${name}', '${at % 2 ? 'F' : 'M'}', '${['Italy', 'FR', 'USA', 'Denmark'][at % 4]}', '${'ABCDEFGH'[at]}', '${at % 3 ? 'Y' : 'N'}')`).join(', ')};
  create table harbours (id integer primary key, title text, harbour text);
  insert into harbours (title, harbour) values ('Northquay', 'Old harbour'), ('Southquay', 'harbours'), ('Mill pond', 'New harbour');
`)

let opened: OpenDatabase

beforeAll(async () => {
  opened = await openDatabase(
    { dialect: 'sqlite', name: 'club', location: club.file },
    {
      audit: silentAudit,
      guard: makeGuard(),
      limits: { timeoutMs: 5_000, maxRows: 1_000, maxBytes: 1_000_000 },
    },
  )
})

afterAll(async () => {
  await opened.close()
  club.remove()
})

const matchesOf = (question: string) =>
  matchKeywords(extractKeywords(question), opened.database, {
    more: flagMatches(question, opened.database.catalog),
  })

const valuesOf = async (question: string, column: string) =>
  (await matchesOf(question)).filter(match => match.column === column).map(match => match.value)

describe('the matches of a question', () => {
  it('are at most five of a column, the best of all keywords, each value once', async () => {
    const found = await valuesOf(
      'Is any of Annette, Anne, Ann, Annika, Anni and Anna older than Annabel?',
      'name',
    )
    expect(found).toHaveLength(5)
    expect(new Set(found).size).toBe(5)
    expect(await valuesOf('Is Annette older than Ann?', 'name')).toEqual(
      expect.arrayContaining(['Annette', 'Ann']),
    )
  })

  it.each([
    ['italian sailors', 'country', 'Italy'],
    ['French sailors', 'country', 'FR'],
    ['American sailors', 'country', 'USA'],
    ['sailors who are Danes or Danish', 'country', 'Denmark'],
    ['female sailors', 'sex', 'F'],
  ])('%s: %s is %s, in the words of the question', async (question, column, value) => {
    const found = (await matchesOf(question)).filter(match => match.column === column)
    expect(found.map(match => match.value)).toEqual([value])
    expect(question).toContain(found[0]?.keyword)
  })

  it('take a letter for a word only where a column holds a handful', async () => {
    expect(await valuesOf('female sailors', 'grade')).toEqual([])
    expect(await valuesOf('sailors of grade F', 'grade')).toEqual(['F'])
  })

  it('leave out what only names a table or column, unless a value is the same text', async () => {
    expect(await valuesOf('How many harbours are there?', 'harbour')).toEqual(['harbours'])
    expect(await valuesOf('Where is the old harbour?', 'harbour')).toContain('Old harbour')
  })

  it('hold a piece of a word where the question quotes it', async () => {
    expect(await valuesOf("titles that contain 'North'", 'title')).toEqual(['Northquay'])
  })

  it('give up when the signal fires', async () => {
    const many = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ')
    await expect(
      matchKeywords(extractKeywords(many), opened.database, { signal: AbortSignal.abort() }),
    ).rejects.toThrow()
  })
})

describe('a flag that the question names', () => {
  it('is the yes of its column, and the no too where something is denied', async () => {
    expect(await valuesOf('How many sailors are on duty?', 'on_duty')).toEqual(['Y'])
    expect((await valuesOf('Which sailors are not on duty?', 'on_duty')).sort()).toEqual(['N', 'Y'])
    expect(await valuesOf('How many sailors are there?', 'on_duty')).toEqual([])
  })

  it('says which words of the question it is', () => {
    expect(flagMatches('sailors on duty today', opened.database.catalog)).toEqual([
      { keyword: 'duty', table: 'sailors', column: 'on_duty', value: 'Y', score: 0.7 },
    ])
  })

  it('is no column of two letters that are not yes and no', () => {
    expect(flagMatches('what is the sex of Anna?', opened.database.catalog)).toEqual([])
  })
})
