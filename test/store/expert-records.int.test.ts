import { beforeEach, describe, expect, it } from 'vitest'
import { teachExpertsFrom } from '../../src/bootstrap/weigh-feedback.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeRecordFeedback, makeRecordVote } from '../../src/feedback/record-feedback.ts'
import { makeReviewHeld } from '../../src/feedback/review-held.ts'
import { MOST_IN_BURST } from '../../src/ranking/learning/quarantine.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { expertRecordsContract } from '../contracts/expert-records.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'
import { postgresServers } from '../helpers/services/postgres-servers.ts'
import { makeQuestion } from './setup/make-question.ts'
import { storeAnswered } from './setup/store-answered.ts'
import { storeOn } from './setup/store-on.ts'

describe.each(postgresServers('expert-records'))('the records of experts on the %s server', on => {
  const store = storeOn(on)

  beforeEach(() =>
    store().inTransaction(async tx => {
      await store().executeIn(tx, 'truncate querent.expert_rounds, querent.expert_mistakes')
    }),
  )

  expertRecordsContract(async () => ({
    records: store().expertRecords,
    newQuestion: async () => {
      const question = makeQuestion()
      await store().repositories.questions.insert(question, null)
      return question.id
    },
  }))

  /** An answer with what its experts said: two gave what is shown, one gave `b`, one nothing. */
  const answered = async (): Promise<string> => {
    const id = await storeAnswered(store(), { version: 'shipped', groups: [] })
    await store().repositories.candidates.upsert(id, [
      makeCandidate({ id: 'a', run: ranWith('x') }),
      makeCandidate({ id: 'b', run: ranWith('y') }),
    ])
    await store().expertRecords.saveRound({
      questionId: id,
      groups: [
        { key: 'x', candidateIds: ['a'] },
        { key: 'y', candidateIds: ['b'] },
      ],
      answers: [
        { expert: 'first', key: 'x' },
        { expert: 'second', key: 'x' },
        { expert: 'third', key: 'y' },
        { expert: 'silent', key: null },
      ],
    })
    return id
  }

  const teach = (questionId: string) =>
    teachExpertsFrom(store(), loadConfig({ env: {}, cwd: import.meta.dirname }), silentLog)(questionId)

  const vote = async (questionId: string, person: string, vote: 'up' | 'down') => {
    const { answers, votes } = store().repositories
    await makeRecordVote({
      findAnswer: answers.find,
      upsertVote: votes.upsert,
      countVotes: votes.count,
    })({ questionId, person, vote })
    await teach(questionId)
  }

  const pick = async (questionId: string, groupKey: string) => {
    const { answers, candidates, feedback, questions } = store().repositories
    await makeRecordFeedback({
      findAnswer: answers.find,
      findQuestion: questions.find,
      listCandidates: id => candidates.list(id),
      openDatabase: async () => {
        throw new Error('nothing is to be run')
      },
      resultKey,
      upsertFeedback: feedback.upsert,
      now: () => new Date(),
    })({ questionId, person: 'U1', feedback: { kind: 'alternative', groupKey } })
    await teach(questionId)
  }

  const mistakes = async () =>
    Object.fromEntries([...(await store().expertRecords.listMistakes())].filter(([, count]) => count > 0))

  it('learn from thumbs, and from a changed mind', async () => {
    const id = await answered()
    await vote(id, 'U1', 'up')
    expect(await mistakes()).toEqual({ third: 1, silent: 1 })
    await vote(id, 'U1', 'down')
    expect(await mistakes()).toEqual({ first: 1, second: 1 })
  })

  it('learn which result was right when a person picks another one', async () => {
    const id = await answered()
    await vote(id, 'U1', 'down')
    await pick(id, 'y')
    expect(await mistakes()).toEqual({ first: 1, second: 1, silent: 1 })
  })

  it('count votes at the same time once', async () => {
    const id = await answered()
    await Promise.all(['U1', 'U2', 'U3', 'U4'].map(person => vote(id, person, 'up')))
    expect(await mistakes()).toEqual({ third: 1, silent: 1 })
  })

  it('learn nothing from a person whose word has sunk to nothing', async () => {
    const { voters } = store().repositories
    const weights = new Map([
      ['sunk', 0],
      ['known', 0.9],
    ])
    await store().inTransaction(tx => voters.replace(weights, new Date(), tx))
    expect(await voters.list()).toEqual(weights)
    const id = await answered()
    await vote(id, 'sunk', 'down')
    expect(await mistakes()).toEqual({})
    await vote(id, 'known', 'up')
    expect(await mistakes()).toEqual({ third: 1, silent: 1 })
  })

  it('unlearn what a burst taught, until an admin accepts it', async () => {
    const ids: string[] = []
    for (let i = 0; i <= MOST_IN_BURST; i++) ids.push(await answered())
    for (const id of ids) await vote(id, 'hasty', 'up')
    // The first ones were no burst yet.
    expect(await mistakes()).toEqual({ third: MOST_IN_BURST, silent: MOST_IN_BURST })
    for (const id of ids) await teach(id)
    expect(await mistakes()).toEqual({})
    const { voters } = store().repositories
    const decide = (decision: 'accepted' | 'dropped') =>
      makeReviewHeld({
        review: (questionIds, given) => voters.review(questionIds, given),
        teachExperts: teach,
        now: () => new Date(Date.now() + 1_000),
      })({ person: 'hasty', questionIds: ids, decision, by: 'admin' })
    expect(await decide('accepted')).toBe(ids.length)
    expect(await mistakes()).toEqual({ third: ids.length, silent: ids.length })
    await decide('dropped')
    expect(await mistakes()).toEqual({})
  })

  it('stay when the question is deleted', async () => {
    const id = await answered()
    await vote(id, 'U1', 'up')
    await store().repositories.retention.deleteQuestions([id])
    await teach(id)
    expect(await mistakes()).toEqual({ third: 1, silent: 1 })
  })
})
