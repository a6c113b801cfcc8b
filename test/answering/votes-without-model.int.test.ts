import { MemorySaver } from '@langchain/langgraph-checkpoint'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAnswerRuns } from '../../graphs/answer/answer-runs.ts'
import { connect } from '../../src/databases/connect.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { makeRunQuery } from '../../src/databases/run-query.ts'
import { widenSchema } from '../../src/databases/schema-linking/link-schema.ts'
import type { AnswerRuns } from '../../src/domain/answer.ts'
import type { DraftPath } from '../../src/domain/candidate.ts'
import type { Connector } from '../../src/domain/database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { noModelUsage } from '../../src/domain/operations/usage.ts'
import { makeLoadChampion, makeRollBackSelector } from '../../src/feedback/champion.ts'
import { makeTrainChallenger } from '../../src/feedback/train-challenger.ts'
import { rateExperts } from '../../src/ranking/experts.ts'
import { measureGroups } from '../../src/ranking/features/measure-groups.ts'
import { makeChallenge } from '../../src/ranking/learning/challenge.ts'
import type { FeedbackSignal } from '../../src/ranking/learning/signals.ts'
import { makeWeighFeedback } from '../../src/ranking/learning/weigh-feedback.ts'
import { makeRankGroups } from '../../src/ranking/selector/rank-groups.ts'
import {
  makeComparePair,
  makeFeedbackShift,
  type SelectorModel,
  selectorModelSchema,
} from '../../src/ranking/selector/selector-model.ts'
import { answerDeps } from '../helpers/answer-deps.ts'
import { selectionParts } from '../helpers/selection-parts.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { makeSelectorModel } from '../ranking/selector/make-measured.ts'
import { makeQuestion } from '../store/setup/make-question.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

/** Two readings of "which ports are our boats from": each boat's, or each port once. */
const repeated = 'select home_port from boats'

const once = 'select distinct home_port from boats'

const shipped: SelectorModel = {
  ...makeSelectorModel({ 'rank-first': 0.5, 'sql-distinct': 0, 'vote-share': 1 }),
  version: 'shipped',
}

/** What reads a question without a model, and is a little surer of the first of its readings. */
const reader: DraftPath = {
  name: 'semantic-parser',
  cost: 'free',
  samples: 1,
  draft: async () => ({
    kind: 'statements',
    drafts: [
      { sql: repeated, prior: 0.45 },
      { sql: once, prior: 0.4 },
    ].map(draft => ({ ...draft, lineage: 'semantic-parser', decisions: [], assumptions: [], unused: [] })),
    usage: noModelUsage,
  }),
}

const harbor = makeSqliteFile(`
  create table boats (id integer primary key, name text, home_port text);
  insert into boats values (1, 'Alba', 'Kiel'), (2, 'Brisa', 'Kiel'), (3, 'Cyan', 'Bergen');
`)

describe('votes on interpretations without a model', () => {
  let opened: Awaited<ReturnType<typeof openTestStore>>
  let connector: Connector
  let runs: AnswerRuns
  let now = new Date('2026-06-03T03:00:00Z')

  beforeAll(async () => {
    opened = await openTestStore()
    const { store } = opened
    connector = await connect(
      { dialect: 'sqlite', name: 'harbour', location: harbor.file },
      { audit: silentAudit },
    )
    const guard = makeGuard()
    const database = {
      name: 'harbour',
      dialect: 'sqlite' as const,
      catalog: await connector.introspect(),
      findValues: () => [],
      guard: (sql: string) => guard(sql, 'sqlite'),
      run: makeRunQuery({ connector, limits: { timeoutMs: 5_000, maxRows: 100, maxBytes: 100_000 } }),
      indexMilliseconds: 0,
    }
    runs = makeAnswerRuns(
      answerDeps({
        ...selectionParts,
        database: async () => database,
        understand: (text, clock) => ({
          ...{ kind: 'data', text, spans: [], timeZone: clock.timeZone },
          today: clock.now().toISOString().slice(0, 10),
        }),
        linkSchema: async () => ({ tables: [{ table: 'boats', keep: 'all' }] }),
        widenSchema,
        paths: [reader],
        fixers: [],
        selector: {
          measure: measureGroups,
          champion: makeLoadChampion({
            find: () => store.repositories.selectorVersions.findChampion(),
            readModel: stored => {
              const model = selectorModelSchema.parse(stored)
              return { rank: makeRankGroups(model), shift: makeFeedbackShift(model, shipped) }
            },
            shipped: { version: 'shipped', rank: makeRankGroups(shipped) },
            now: () => now,
            log: silentLog,
          }),
          saveSnapshot: (questionId, snapshot) =>
            store.repositories.selectionSnapshots.upsert(questionId, snapshot),
        },
        findClarification: () => null,
        runStore: store.runStore,
        saveResult: store.saveResult,
        loadResult: store.loadResult,
        thresholds: { answer: 0, ask: 0.2 },
      }),
      new MemorySaver(),
    )
  })

  afterAll(async () => {
    await connector?.close()
    harbor.remove()
    await opened?.[Symbol.asyncDispose]()
  })

  const ask = async () => {
    const { store } = opened
    const question = makeQuestion({ text: 'which ports are our boats from?', database: 'harbour' })
    const { id, ...rest } = question
    await store.repositories.questions.insert({ id, ...rest }, null)
    const report = await runs.start(question)
    await store.questionLog.storeReport(report)
    const { outcome, candidates } = report
    if (outcome.status !== 'answered') throw new Error(outcome.status)
    const keyOf = (sql: string): string => {
      const run = candidates.find(one => one.sql === sql)?.run
      return run?.status === 'ran' ? run.groupKey : ''
    }
    return { id, sql: outcome.sql, confidence: outcome.confidence, keyOf, groups: report.trace?.groups }
  }

  const night = () => {
    const { selectorVersions, feedback, expertWeights, voters } = opened.store.repositories
    return makeTrainChallenger<SelectorModel, FeedbackSignal>({
      listFeedback: () => feedback.list(),
      countFeedbackSince: since => feedback.countSince(since),
      findChampion: async () => ({ version: 'shipped', model: shipped }),
      listVersions: () => selectorVersions.list(),
      challenge: makeChallenge({ compare: makeComparePair, rank: makeRankGroups, shipped, benchmark: [] }),
      rateExperts,
      weighFeedback: makeWeighFeedback({ believe: makeComparePair(shipped), trusted: new Set() }),
      replaceExperts: expertWeights.replace,
      replaceVoters: voters.replace,
      teachExperts: async () => {},
      insertVersion: selectorVersions.insert,
      setState: selectorVersions.setState,
      nameModel: (model, version) => ({ ...model, version }),
      inTransaction: opened.store.inTransaction,
      minimumVotes: 40,
      now: () => now,
    })()
  }

  it('are stored with the measurements, and change nothing by themselves', async () => {
    const first = await ask()
    expect(first).toMatchObject({ sql: repeated, confidence: expect.closeTo(0.45, 10) })
    expect(first.groups?.every(({ reasons }) => reasons === undefined)).toBe(true)
    const { feedback } = opened.store.repositories
    for (const person of ['U1', 'U2', 'U3', 'U4'])
      for (let times = 0; times < 12; times++) {
        const { id, keyOf } = await ask()
        await feedback.upsert({
          ...{ questionId: id, person, kind: 'alternative', reason: null, note: null, sql: null },
          answerKey: keyOf(repeated),
          groupKey: keyOf(once),
          givenAt: new Date(now.getTime() - times * 3_600_000),
        })
      }
    const [kept] = await feedback.list()
    expect(kept?.snapshot).toMatchObject({
      version: 'shipped',
      groups: [
        { key: first.keyOf(repeated), measures: { 'rank-first': 1, 'vote-share': 0.5 } },
        { key: first.keyOf(once), measures: { 'sql-distinct': 1 } },
      ],
    })
    expect(await ask()).toMatchObject({ sql: repeated, confidence: expect.closeTo(0.45, 10) })
  })

  it('swap two interpretations after nightly training, and a rollback swaps them back', async () => {
    const trained = await night()
    expect(trained).toMatchObject({ status: 'judged', report: { verdict: 'promoted' } })
    now = new Date(now.getTime() + 60_000)
    const turned = await ask()
    expect(turned.sql).toBe(once)
    // What both are given together stays what the reader gave them.
    expect(turned.groups?.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(0.85, 10)
    expect(turned.groups?.[0]?.reasons).toEqual(['votes on earlier answers are for it'])

    const { store } = opened
    const rollBack = makeRollBackSelector({
      ...store.repositories.selectorVersions,
      inTransaction: store.inTransaction,
      now: () => now,
    })
    expect(await rollBack('shipped', 'ada')).toMatchObject({ status: 'in-use' })
    now = new Date(now.getTime() + 60_000)
    expect(await ask()).toMatchObject({ sql: repeated, confidence: expect.closeTo(0.45, 10) })
  })
})
