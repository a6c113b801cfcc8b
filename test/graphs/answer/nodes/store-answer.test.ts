import { describe, expect, it } from 'vitest'
import { knownVersion } from '../../../../graphs/answer/nodes/recall-answer.ts'
import { makeStoreAnswer } from '../../../../graphs/answer/nodes/store-answer.ts'
import type { State } from '../../../../graphs/answer/state.ts'
import type { AnswerCacheKey } from '../../../../src/domain/answer-cache.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { noKnowledge } from '../../../../src/domain/knowledge.ts'

const makeDatabase = (glossary: readonly string[] = []): Database =>
  ({
    name: 'd',
    dialect: 'sqlite',
    catalog: { dialect: 'sqlite', tables: [], foreignKeys: [], fingerprint: 'f' },
    knowledge: { ...noKnowledge, glossary },
  }) as unknown as Database

/** The ids of the questions whose answers are kept, where the second state is the one at the end. */
const stored = async (
  before: { readonly database: Database; readonly verified: readonly string[] },
  after: { readonly database: Database; readonly verified: readonly string[] },
): Promise<readonly string[]> => {
  const kept: string[] = []
  const schemaVersion = await knownVersion(before.database, { listVerifiedIds: async () => before.verified })
  const store = makeStoreAnswer({
    database: async () => after.database,
    storing: {
      listVerifiedIds: async () => after.verified,
      answerReuse: {
        find: () => Promise.reject(new Error('nothing is looked for here')),
        store: async (_, questionId) => void kept.push(questionId),
      },
    },
  })
  const cacheKey = { schemaVersion } as AnswerCacheKey
  await store({ cacheKey, question: { id: 'q1', database: 'd' } } as unknown as State, {})
  return kept
}

const now = { database: makeDatabase(), verified: ['v1'] }

describe('an answer that may be shown again', () => {
  it('is kept', async () => {
    expect(await stored(now, { ...now, database: makeDatabase() })).toEqual(['q1'])
  })

  it('is not kept if a verified query was accepted or removed while it was made', async () => {
    expect(await stored({ ...now, verified: [] }, now)).toEqual([])
    expect(await stored(now, { ...now, verified: [] })).toEqual([])
  })

  it('is not kept if the words of the team changed while it was made', async () => {
    expect(await stored(now, { ...now, database: makeDatabase(['heavies']) })).toEqual([])
  })
})
