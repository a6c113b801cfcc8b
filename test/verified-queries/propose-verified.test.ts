import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/domain/database.ts'
import type { Understanding } from '../../src/domain/question-context.ts'
import { makeProposeVerified } from '../../src/verified-queries/save-verified.ts'
import { answered } from '../slack/listeners/answered.ts'

const database = { name: 'shop' } as Database

const understood = (changes: Partial<Understanding>): Understanding => ({
  kind: 'data',
  text: 'how many hires were started in 2026, by month',
  spans: [],
  today: '2026-11-20',
  timeZone: 'UTC',
  ...changes,
})

/** The question and SQL under which an answer is saved. */
const savedFrom = async (understanding: Understanding | null, sql?: string) => {
  const saved: unknown[] = []
  await makeProposeVerified({
    findAnswered: async () => ({ ...answered, question: { ...answered.question, text: 'and by month?' } }),
    findUnderstanding: async () => understanding,
    openDatabase: async () => database,
    saveVerified: async ({ question, sql }) => {
      saved.push({ question, sql })
      return { status: 'taken' }
    },
  })({ questionId: 'q', person: 'U1', status: 'proposed', ...(sql === undefined ? {} : { sql }) })
  return saved
}

describe('saving an answer as verified', () => {
  it('uses the question as asked', async () => {
    expect(await savedFrom(understood({}))).toEqual([{ question: 'and by month?', sql: answered.sql }])
    expect(await savedFrom(null, 'select 2')).toEqual([{ question: 'and by month?', sql: 'select 2' }])
  })

  it('uses the self-contained question of a follow-up', async () => {
    const followUp = { said: 'and by month?', askedAt: '', before: '', chain: [], confidence: 1 }
    const whole = { question: 'how many hires were started in 2026, by month', sql: answered.sql }
    expect(await savedFrom(understood({ followUp }))).toEqual([whole])
    expect(await savedFrom(understood({ rewritten: true }))).toEqual([whole])
  })
})
