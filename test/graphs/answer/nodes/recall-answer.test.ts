import { expect, it } from 'vitest'
import { makeRecallAnswer } from '../../../../graphs/answer/nodes/recall-answer.ts'
import type { State } from '../../../../graphs/answer/state.ts'
import type { ReuseQuery } from '../../../../src/domain/answer-cache.ts'
import type { Database } from '../../../../src/domain/database.ts'
import { noKnowledge } from '../../../../src/domain/knowledge.ts'
import { measureGroups } from '../../../../src/ranking/features/measure-groups.ts'
import { makeRankGroups } from '../../../../src/ranking/selector/rank-groups.ts'
import { makeMemoryRunStore } from '../../../../src/store/in-memory.ts'
import { makeSelectorModel } from '../../../ranking/selector/make-measured.ts'

const question = { id: 'q1', text: 'how many?', database: 'd', askedAt: '2026-11-20', timeZone: 'UTC' }

const database = {
  name: 'd',
  dialect: 'sqlite',
  catalog: { dialect: 'sqlite', tables: [], foreignKeys: [], fingerprint: 'f' },
  knowledge: noKnowledge,
} as unknown as Database

/** What is looked for while these rank results, one after the other. */
const askedWith = async (
  versions: readonly (string | null)[],
  text = question.text,
): Promise<readonly ReuseQuery[]> => {
  const workbench = makeMemoryRunStore()
  await workbench.saveContext('q1', {
    understanding: { kind: 'data', text: 'how many?', spans: [], today: '2026-11-20', timeZone: 'UTC' },
    matches: [],
    linked: { tables: [] },
  })
  const asked: ReuseQuery[] = []
  let at = 0
  const selector = {
    measure: measureGroups,
    champion: async () => ({
      version: versions[at++] ?? 'none',
      rank: makeRankGroups(makeSelectorModel({ 'vote-share': 1 }, [1])),
    }),
    saveSnapshot: () => Promise.reject(new Error('nothing is saved here')),
  }
  const recall = makeRecallAnswer({
    strategy: 'adaptive' as const,
    database: async () => database,
    choosing: { selector: versions[0] === null ? null : selector },
    storing: {
      runStore: workbench,
      answerReuse: {
        find: async one => {
          asked.push(one)
          return { key: null, answer: null }
        },
        store: async () => {},
      },
    },
  })
  for (const _ of versions) await recall({ question: { ...question, text } } as unknown as State, {})
  return asked
}

it('looks for an answer that the selector in use has chosen, and not one before it', async () => {
  const [first, second] = await askedWith(['shipped', 'trained'])
  expect(first).toMatchObject({ questionId: 'q1', database: 'd', selector: 'shipped' })
  expect(second).toEqual({ ...first, selector: 'trained' })
})

it('looks for one that the vote has chosen where no selector ranks', async () => {
  expect(await askedWith([null])).toMatchObject([{ selector: null }])
})

it('looks for none, and keeps none, of the newest rows alone: it reads like the whole question', async () => {
  expect(
    await askedWith(['shipped'], 'which are there, looking only at the newest 1,000 rows of nets?'),
  ).toEqual([])
})
