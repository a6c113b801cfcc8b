import { describe, expect, it } from 'vitest'
import { withLiveValues } from '../../../../graphs/answer/understanding/live-values.ts'
import type { ValueMatch } from '../../../../src/domain/question-context.ts'
import { openSqliteDatabase } from '../../open-sqlite-database.ts'

const opened = openSqliteDatabase(
  'pier',
  'create table boats (id integer primary key, name text, owner text); create table moorings (boat_id integer, pier text)',
)

const held: ValueMatch = { keyword: '', table: 'moorings', column: 'pier', value: 'Gull Pier', score: 0.6 }

const boat = (value: string): ValueMatch => ({
  keyword: value,
  table: 'boats',
  column: 'name',
  value,
  score: 1,
})

/** A database that holds these boats beside what its index knows, and the texts that it was asked for. */
const withBoats = (...boats: readonly string[]) => {
  const asked: string[][] = []
  return {
    asked,
    database: {
      ...opened(),
      findValues: (keyword: string) => [{ ...held, keyword }],
      lookUpValues: async (texts: readonly string[]) => {
        asked.push([...texts])
        return boats.filter(name => texts.includes(name)).map(boat)
      },
    },
  }
}

describe('a database as one question needs it', () => {
  it('finds a value that the question names and the index leaves out, before what is only alike', async () => {
    const { database } = withBoats('Gull')
    const { findValues } = await withLiveValues(database, { text: 'where is Gull moored?' }, {})
    expect(findValues('gull').map(({ value }) => value)).toEqual(['Gull', 'Gull Pier'])
    expect(findValues('gull', { columns: [{ table: 'boats', column: 'owner' }] })).not.toContainEqual(
      expect.objectContaining({ value: 'Gull' }),
    )
    expect(findValues('gull', { limit: 1 })).toHaveLength(1)
  })

  it('asks for names, codes and what is in quotes, and neither for single words nor for names of columns', async () => {
    const { database, asked } = withBoats()
    const text = 'which boats of "low tide" and B-77 and Ada Lund are moored by owner?'
    await withLiveValues(database, { text }, {})
    const [texts = []] = asked
    expect(texts).toEqual(expect.arrayContaining(['low tide', 'B-77', 'Ada Lund']))
    expect(texts).not.toContain('owner')
    expect(texts).not.toContain('moored')
  })

  it('reads a follow-up with the questions before it', async () => {
    const { database } = withBoats('Gull', 'Tern II')
    const followUp = {
      ...{ said: 'and Tern II?', askedAt: '2026-03-01', before: 'where is Gull?', confidence: 1 },
      chain: [{ text: 'where is Gull?', askedAt: '2026-03-01', sql: '' }],
    }
    const { findValues } = await withLiveValues(database, { text: 'and Tern II?', followUp }, {})
    expect(['Gull', 'Tern II'].map(name => findValues(name)[0]?.value)).toEqual(['Gull', 'Tern II'])
  })

  it('stays the same where nothing is left out, and where nothing is found', async () => {
    const { database } = withBoats('Gull')
    expect(await withLiveValues(opened(), { text: 'where is Gull?' }, {})).toBe(opened())
    expect(await withLiveValues(database, { text: 'where is Tern?' }, {})).toBe(database)
  })
})
