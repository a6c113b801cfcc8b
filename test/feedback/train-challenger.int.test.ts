import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { comparePairs, rankByUtility } from '../../bench/feedback/pair-selector.ts'
import type { LabeledGroups } from '../../src/domain/selection/ranking.ts'
import { makePromoteSelector, makeRollBackSelector } from '../../src/feedback/champion.ts'
import { makeTrainChallenger } from '../../src/feedback/train-challenger.ts'
import { rateExperts } from '../../src/ranking/experts.ts'
import { makeChallenge } from '../../src/ranking/learning/challenge.ts'
import type { FeedbackSignal } from '../../src/ranking/learning/signals.ts'
import { makeWeighFeedback } from '../../src/ranking/learning/weigh-feedback.ts'
import { type SelectorModel, selectorModelSchema } from '../../src/ranking/selector/selector-model.ts'
import type { Store } from '../../src/store/store.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'
import { makeGroup } from '../ranking/learning/make-feedback.ts'
import { makeQuestion } from '../store/setup/make-question.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

/** Follows the crowd alone; that a result is empty weighs nothing yet. */
const shipped: SelectorModel = {
  version: 'shipped',
  provenance: { databases: [], trainedOn: [], method: '', date: '' },
  features: [
    { name: 'share', scale: 1, weight: 1 },
    { name: 'empty', scale: 1, weight: 0 },
  ],
  calibration: [0],
}

/** The crowd is for an empty result; another has rows. */
const groups = [makeGroup('empty', { share: 0.6, empty: 1 }), makeGroup('rows', { share: 0.4, empty: 0 })]

const labelled = (right: string): LabeledGroups => ({
  id: right,
  database: 'd',
  groups,
  right: new Set([right]),
  weight: 1,
})

describe('a nightly training', () => {
  let opened: Awaited<ReturnType<typeof openTestStore>>
  let store: Store
  beforeAll(async () => {
    opened = await openTestStore()
    store = opened.store
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())

  let today = new Date('2026-06-03T03:00:00Z')
  const now = () => today
  /** A version is named for the second in which it was trained. */
  beforeEach(() => {
    today = new Date(today.getTime() + 60_000)
  })

  const night = (benchmark: readonly LabeledGroups[] = [], minimumVotes = 40) =>
    makeTrainChallenger<SelectorModel, FeedbackSignal>({
      listFeedback: () => store.repositories.feedback.list(),
      countFeedbackSince: since => store.repositories.feedback.countSince(since),
      findChampion: async () => {
        const found = await store.repositories.selectorVersions.findChampion()
        return found
          ? { ...found, model: selectorModelSchema.parse(found.model) }
          : { version: 'shipped', model: shipped }
      },
      listVersions: () => store.repositories.selectorVersions.list(),
      challenge: makeChallenge({
        compare: comparePairs,
        rank: rankByUtility,
        shipped,
        benchmark,
      }),
      rateExperts,
      weighFeedback: makeWeighFeedback({ believe: comparePairs(shipped), trusted: new Set() }),
      replaceExperts: store.repositories.expertWeights.replace,
      replaceVoters: store.repositories.voters.replace,
      teachExperts: async () => {},
      insertVersion: store.repositories.selectorVersions.insert,
      setState: store.repositories.selectorVersions.setState,
      nameModel: (model, version) => ({ ...model, version }),
      inTransaction: store.inTransaction,
      minimumVotes,
      now,
    })()

  /** People find that the empty result is wrong, and pick the other one. */
  const complain = async (person: string, times: number) => {
    const { questions, selectionSnapshots, feedback } = store.repositories
    for (let i = 0; i < times; i++) {
      const { id: questionId, ...question } = makeQuestion()
      await questions.insert({ id: questionId, ...question }, null)
      await store.questionLog.storeReport({
        questionId,
        outcome: {
          status: 'answered',
          candidateId: 'empty/1',
          resultId: 'r',
          sql: 'select 1',
          confidence: 0.6,
          headline: '',
          assumptions: [],
        },
        candidates: ['empty', 'rows'].map(key =>
          makeCandidate({ id: `${key}/1`, lineage: `writer of ${key}`, run: ranWith(key) }),
        ),
        usage: { modelCalls: 0, promptTokens: 0, completionTokens: 0 },
      })
      await selectionSnapshots.upsert(questionId, { version: 'shipped', groups })
      await feedback.upsert({
        questionId,
        person,
        kind: 'alternative',
        answerKey: 'empty',
        groupKey: 'rows',
        reason: null,
        note: null,
        sql: null,
        givenAt: new Date(today.getTime() - i * 3_600_000),
      })
    }
  }

  const states = async () => (await store.repositories.selectorVersions.list()).map(({ state }) => state)
  const by = 'ada'
  const deciding = () => ({ ...store.repositories.selectorVersions, inTransaction: store.inTransaction, now })

  it('learns nothing from few votes, or from many votes by one person', async () => {
    await complain('loud', 45)
    await complain('U1', 5)
    expect(await night()).toEqual({ status: 'too-few-votes', votes: 25, counted: 'all', waiting: 0 })
    expect(await states()).toEqual([])
    // The experts' weights need no minimum: they only say who was right so far.
    expect(await store.repositories.expertWeights.list()).toEqual([
      { expert: 'writer of rows', weight: 1, mistakes: 0, rounds: 50 },
      { expert: 'writer of empty', weight: expect.any(Number), mistakes: 50, rounds: 50 },
    ])
  })

  it('rejects a challenger that is worse on the shipped benchmark, and keeps its report', async () => {
    for (const person of ['U1', 'U2', 'U3']) await complain(person, 15)
    expect(await night([labelled('empty')])).toMatchObject({
      status: 'judged',
      report: {
        against: 'shipped',
        verdict: 'worse-on-benchmark',
        benchmark: { questions: 1, champion: 1, challenger: 0 },
      },
    })
    expect(await states()).toEqual(['rejected'])
    expect(await store.repositories.selectorVersions.findChampion()).toBeNull()
  })

  it('promotes one that is better on held-out votes', async () => {
    const trained = await night([labelled('rows')])
    expect(trained).toMatchObject({
      status: 'judged',
      report: { verdict: 'promoted', trainedOn: { voters: 4 }, benchmark: { champion: 0, challenger: 1 } },
    })
    const champion = await store.repositories.selectorVersions.findChampion()
    expect(champion).toMatchObject({ version: (trained as { version: string }).version, decidedBy: null })
    const model = selectorModelSchema.parse(champion!.model)
    expect(model.version).toBe(champion!.version)
    expect(rankByUtility(model)(groups)[0]!.key).toBe('rows')
  })

  it('keeps the champion while nothing is better', async () => {
    const before = await store.repositories.selectorVersions.findChampion()
    expect(await night()).toMatchObject({
      report: { against: before!.version, verdict: 'not-better-on-votes' },
    })
    expect(await store.repositories.selectorVersions.findChampion()).toEqual(before)
  })

  it('can be rolled back by hand, and is not undone the next night', async () => {
    const { version } = (await store.repositories.selectorVersions.findChampion())!
    const rollBack = makeRollBackSelector(deciding())
    today = new Date()
    expect(await rollBack('never', by)).toEqual({ status: 'unknown' })
    expect(await rollBack('shipped', by)).toEqual({ status: 'in-use', version: 'shipped', before: version })
    expect(await store.repositories.selectorVersions.find(version)).toMatchObject({
      state: 'rejected',
      decidedBy: 'ada',
    })
    expect(await night()).toEqual({
      status: 'too-few-votes',
      votes: 0,
      counted: 'since-decision',
      waiting: 0,
    })
    expect(await rollBack(version, by)).toEqual({ status: 'not-before', state: 'rejected' })
    expect(await rollBack('shipped', by)).toEqual({ status: 'in-use', version: 'shipped', before: 'shipped' })
  })

  it('can promote any version by hand, and retires the previous one', async () => {
    const promote = makePromoteSelector(deciding())
    const [newest, middle] = await store.repositories.selectorVersions.list()
    expect(await promote('never', by)).toEqual({ status: 'unknown' })
    expect(await promote(middle!.version, by)).toMatchObject({ status: 'in-use', before: 'shipped' })
    expect(await promote(newest!.version, by)).toMatchObject({ before: middle!.version })
    expect(await store.repositories.selectorVersions.find(middle!.version)).toMatchObject({
      state: 'retired',
    })
    expect(await makeRollBackSelector(deciding())(middle!.version, by)).toEqual({
      status: 'in-use',
      version: middle!.version,
      before: newest!.version,
    })
  })
})
