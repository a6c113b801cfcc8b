import { describe, expect, it } from 'vitest'
import type { StoredFeedback } from '../../../src/domain/feedback.ts'
import type {
  ChallengeReport,
  SelectionSnapshot,
  SelectorVersion,
} from '../../../src/domain/selection/ranking.ts'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { storeAnswered } from '../setup/store-answered.ts'
import { storeOn } from '../setup/store-on.ts'

const at = new Date('2026-11-20T12:00:00.125Z')

const later = new Date('2026-11-20T13:00:00Z')

const snapshot: SelectionSnapshot = {
  version: 'shipped',
  groups: [
    { key: 'g1', candidateIds: ['a'], representativeId: 'a', measures: { share: 0.5, 'ünï "x"': -1 } },
    { key: 'g2', candidateIds: ['b'], representativeId: 'b', measures: {} },
  ],
}

const report: ChallengeReport = {
  against: 'shipped',
  verdict: 'promoted',
  trainedOn: { questions: 90, voters: 7, weight: 55.5 },
  heldOut: { questions: 30, champion: 0.7, challenger: 0.6, gain: 0.1, standardError: 0.04 },
  benchmark: { questions: 40, champion: 31, challenger: 32 },
}

describe.each(postgresServers('selection'))('what selection learns from, on the %s server', on => {
  const store = storeOn(on)

  /** A question with candidates `a` and `b`, answered with `a`. */
  const answered = () => storeAnswered(store(), snapshot)

  /** Somebody edits its SQL; each time is a request of its own. */
  const edited = (questionId: string, madeAt: Date, request = 'request 1') =>
    store().repositories.answerRevisions.insert(
      {
        questionId,
        kind: 'edited',
        person: 'U2',
        candidateId: null,
        sql: 'select 3',
        resultId: 'r3',
        headline: '',
        assumptions: [],
        madeAt,
      },
      request,
    )

  const vote = async (questionId: string, person: string, vote: 'up' | 'down') => {
    const { answers, votes } = store().repositories
    const { runId } = (await answers.find(questionId))!
    await votes.upsert({ questionId, person, vote, runId, candidateId: 'a' })
  }

  const kept = (questionId: string, changes: Partial<StoredFeedback> = {}): StoredFeedback => ({
    questionId,
    person: 'U1',
    kind: 'alternative',
    answerKey: 'g1',
    groupKey: 'g2',
    reason: null,
    note: null,
    sql: null,
    givenAt: at,
    ...changes,
  })

  it('keeps what a selector saw, the last time it chose', async () => {
    const { selectionSnapshots } = store().repositories
    const id = await answered()
    expect(await selectionSnapshots.find(id)).toEqual(snapshot)
    await selectionSnapshots.upsert(id, { version: 'v2', groups: [] })
    expect(await selectionSnapshots.find(id)).toEqual({ version: 'v2', groups: [] })
    expect(await selectionSnapshots.find(crypto.randomUUID())).toBeNull()
  })

  it('reads votes and feedback with the snapshot and the candidates, the last of each kind', async () => {
    const { feedback } = store().repositories
    const id = await answered()
    await vote(id, 'U1', 'down')
    await vote(id, 'U2', 'down')
    await vote(id, 'U2', 'up')
    const reason = kept(id, { kind: 'reason', groupKey: 'g1', reason: 'wrong-filter', note: 'nicht "so"\0' })
    await feedback.upsert(kept(id, { groupKey: 'g9' }))
    await feedback.upsert(kept(id, { givenAt: later }))
    await feedback.upsert(reason)
    const [found] = (await feedback.list()).filter(({ questionId }) => questionId === id)
    expect(found).toMatchObject({
      database: 'warehouse',
      question: 'how many bikes were sold in May?',
      snapshot,
      candidates: [
        { id: 'a', sql: 'select 1' },
        { id: 'b', sql: 'select 2' },
      ],
    })
    expect(found!.votes.map(({ person, vote }) => `${person} ${vote}`).sort()).toEqual(['U1 down', 'U2 up'])
    expect(found!.votes[0]).toMatchObject({ candidateId: 'a', votedAt: expect.any(Date) })
    expect(found!.feedback).toEqual([{ ...reason, note: 'nicht "so"\ufffd' }, kept(id, { givenAt: later })])
  })

  it('leaves out answers that nobody said anything of', async () => {
    const id = await answered()
    expect((await store().repositories.feedback.list()).map(({ questionId }) => questionId)).not.toContain(id)
  })

  it('leaves out votes on what somebody had made of the answer', async () => {
    const { feedback } = store().repositories
    const id = await answered()
    await vote(id, 'U1', 'up')
    await edited(id, new Date(Date.now() + 60_000))
    const votes = async () => (await feedback.list()).find(({ questionId }) => questionId === id)!.votes
    expect(await votes()).toHaveLength(1)
    await edited(id, new Date(0), 'request 2')
    expect(await votes()).toEqual([])
  })

  it('leaves out exports and verifications of what somebody had made of the answer', async () => {
    const { feedback } = store().repositories
    const id = await answered()
    await edited(id, at)
    for (const kind of ['export', 'verification', 'alternative'] as const)
      await feedback.upsert(kept(id, { kind, person: 'after', givenAt: later }))
    await feedback.upsert(kept(id, { kind: 'export', person: 'before', givenAt: new Date(0) }))
    const read = (await feedback.list()).find(({ questionId }) => questionId === id)!.feedback
    expect(read.map(({ person, kind }) => `${person} ${kind}`)).toEqual([
      'before export',
      'after alternative',
    ])
  })

  it('counts what came since', async () => {
    const { feedback } = store().repositories
    const before = await feedback.countSince(new Date(0))
    const id = await answered()
    await vote(id, 'U1', 'up')
    await feedback.upsert(kept(id))
    expect(await feedback.countSince(new Date(0))).toBe(before + 2)
    expect(await feedback.countSince(new Date(Date.now() + 60_000))).toBe(0)
  })

  it('deletes feedback with its question', async () => {
    const { feedback, questions, selectionSnapshots } = store().repositories
    const id = await answered()
    await feedback.upsert(kept(id))
    await questions.remove(id)
    expect(await selectionSnapshots.find(id)).toBeNull()
    expect((await feedback.list()).map(({ questionId }) => questionId)).not.toContain(id)
    await expect(feedback.upsert(kept(id))).rejects.toThrow(/foreign key/)
  })

  it('has one champion, and keeps the history of selectors', async () => {
    const { selectorVersions } = store().repositories
    const version = (name: string, state: SelectorVersion['state'], trainedAt: Date): SelectorVersion => ({
      version: name,
      state,
      model: { features: [{ name: 'share', scale: 1, weight: 2 }] },
      report,
      trainedAt,
      decidedBy: null,
      decidedAt: trainedAt,
    })
    const first = version('v1', 'champion', at)
    const second = version('v2', 'rejected', later)
    await selectorVersions.insert(first)
    await selectorVersions.insert(second)
    expect(await selectorVersions.list()).toEqual([second, first])
    expect(await selectorVersions.findChampion()).toEqual(first)
    await expect(selectorVersions.setState('v2', 'champion', { by: 'ada', at: later })).rejects.toThrow(
      /one_champion/,
    )
    await store().inTransaction(async tx => {
      await selectorVersions.setState('v1', 'retired', { by: 'ada', at: later }, tx)
      await selectorVersions.setState('v2', 'champion', { by: 'ada', at: later }, tx)
    })
    expect(await selectorVersions.findChampion()).toEqual({
      ...second,
      state: 'champion',
      decidedBy: 'ada',
    })
    expect(await selectorVersions.find('v1')).toMatchObject({ state: 'retired', decidedAt: later })
    expect(await selectorVersions.setState('v3', 'retired', { by: null, at })).toBeNull()
  })

  it('replaces what is known of experts', async () => {
    const { expertWeights } = store().repositories
    const replace = (weights: Readonly<Record<string, number>>) =>
      store().inTransaction(tx =>
        expertWeights.replace(
          Object.entries(weights).map(([expert, weight]) => ({ expert, weight, mistakes: 1, rounds: 3 })),
          tx,
        ),
      )
    await replace({ light: 0.1, heavy: 0.9 })
    await replace({ b: 0.5, a: 0.5, c: 1 })
    expect((await expertWeights.list()).map(({ expert }) => expert)).toEqual(['c', 'a', 'b'])
    await replace({})
    expect(await expertWeights.list()).toEqual([])
  })
})
