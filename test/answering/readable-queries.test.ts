import { describe, expect, it } from 'vitest'
import { type ReaderDatabase, readableQueries } from '../../src/answering/readable.ts'
import type { DataRights } from '../../src/domain/access/data-rights.ts'
import type { GuardedSql } from '../../src/domain/sql.ts'

const queries = [
  { question: 'How many deals are there?', sql: 'select count(*) from deals', slots: [] },
  {
    question: 'How many deals of Northwind are won?',
    sql: "select count(*) from deals where account = 'Northwind' and stage = 'won'",
    slots: [],
  },
  {
    question: 'How is our key account?',
    sql: 'select sum(amount) from deals where account_id = 42',
    slots: [],
  },
]

/** Everyone sees that deals are won, and nobody with rights of their own sees Northwind. */
const databaseFor = (rights: DataRights | null): ReaderDatabase => ({
  dialect: 'postgres',
  guard: sql => ({ verdict: 'allow', guarded: { sql, dialect: 'postgres' } as GuardedSql }) as never,
  findValues: keyword =>
    keyword === 'won' ? [{ keyword, table: 'deals', column: 'stage', value: 'Won', score: 1 }] : [],
  ...(rights && { rights }),
})

describe('verified queries in a list', () => {
  it('are whole for a person who sees everything', () => {
    expect(readableQueries(queries, databaseFor(null))).toEqual(
      queries.map(({ question, sql }) => ({ question, sql })),
    )
  })

  it('have no value of rows that a person does not see', () => {
    expect(readableQueries(queries, databaseFor({ key: 'k' } as DataRights))).toEqual([
      { question: 'How many deals are there?', sql: 'select count(*) from deals' },
      {
        question: 'How many deals of ... are won?',
        sql: "select count(*) from deals where account = '...' and stage = 'won'",
      },
    ])
  })
})
