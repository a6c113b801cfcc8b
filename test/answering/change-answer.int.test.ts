import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDecideReview, makeRequestReview } from '../../src/answering/request-review.ts'
import {
  makeListAlternativeResults,
  makePickResult,
  makeRerunSql,
} from '../../src/answering/revise-answer.ts'
import { makeDescribeResult } from '../../src/bootstrap/answering/describe-results.ts'
import { makeFindAnswered } from '../../src/bootstrap/slack/delivery.ts'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../src/databases/open-database.ts'
import type { Database } from '../../src/domain/database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import type { SendJob } from '../../src/domain/operations/jobs.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import type { Store } from '../../src/store/store.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'
import { makeTrace } from '../helpers/make-trace.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { makeQuestion } from '../store/setup/make-question.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

/** What people change about answers, on a real store and a real database. */

const now = () => new Date()

const sent: { readonly queue: string; readonly data: unknown }[] = []

const sendJob: SendJob = async (queue, data) => {
  sent.push({ queue, data })
}

let opened: Awaited<ReturnType<typeof openTestStore>>

let store: Store

let file: ReturnType<typeof makeSqliteFile>

let boats: OpenDatabase

let database: Database

beforeAll(async () => {
  opened = await openTestStore()
  store = opened.store
  file = makeSqliteFile(`create table boats (name text, port text);
    insert into boats values ('Anna', 'Kiel'), ('Berta', 'Kiel'), ('Cleo', 'Oslo');`)
  boats = await openDatabase(parseDatabaseReference(`sqlite:${file.file}`, { baseFolder: '/' }), {
    audit: silentAudit,
    guard: makeGuard(),
    limits: { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 },
  })
  database = boats.database
})

afterAll(async () => {
  await boats?.close()
  file?.remove()
  await opened?.[Symbol.asyncDispose]()
})

const inKiel = "select count(*) as boats from boats where port = 'Kiel'"

const inOslo = "select count(*) as boats from boats where port = 'Oslo'"

/** An answered question of two candidates, the first of which is the answer. */
const answerQuestion = async () => {
  const { repositories, questionLog, saveResult } = store
  const question = makeQuestion()
  const location = { team: 'T1', channel: 'C1', thread: question.id, message: question.id }
  await repositories.questions.insert(question, location)
  await questionLog.begin(question.id, ['queued'])
  const run = async (id: string, sql: string, key: string) => {
    const verdict = database.guard(sql)
    if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
    const resultId = await saveResult(question.id, await database.run(verdict.guarded))
    const ran = ranWith(key)
    return makeCandidate({ id, sql, run: ran.status === 'ran' ? { ...ran, resultId } : ran })
  }
  const [first, second] = [await run('c1', inKiel, 'kiel'), await run('c2', inOslo, 'oslo')]
  const outcome = {
    status: 'answered',
    candidateId: 'c1',
    resultId: first.run?.status === 'ran' ? first.run.resultId : '',
    sql: inKiel,
    confidence: 0.7,
    headline: 'Boats (Kiel): 2',
    assumptions: ['Boats in Kiel.'],
    alternatives: [{ label: 'in Oslo', hint: '1 row', candidateId: 'c2' }],
  } as const
  const candidates = [first, second]
  const usage = { modelCalls: 0, promptTokens: 0, completionTokens: 0 }
  const group = (candidate: (typeof candidates)[number], key: string, score: number) => ({
    ...{ key, candidateIds: [candidate.id], representativeId: candidate.id, score, head: null },
  })
  const trace = makeTrace({
    questionId: question.id,
    candidates,
    groups: [group(first, 'kiel', 0.7), group(second, 'oslo', 0.2)],
    outcome,
  })
  await questionLog.storeReport({ questionId: question.id, outcome, candidates, usage, trace })
  return question.id
}

/** The key that the result of a statement has. */
const keyOf = async (sql: string): Promise<string> => {
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  return resultKey(await database.run(verdict.guarded), { ordered: false })
}

const parts = () => {
  const { repositories, saveResult, loadResult, inTransaction } = store
  const { answerRevisions, reviewRequests: humanRequests, candidates, traces } = repositories
  const findAnswered = makeFindAnswered(repositories, now)
  const common = {
    ...{
      findAnswered,
      saveResult,
      describe: makeDescribeResult({ openDatabase: async () => database, now }),
      resultKey,
      now,
    },
    openDatabase: async () => database,
  }
  const listCandidates = (questionId: string) => candidates.list(questionId)
  const insertRevision: Parameters<typeof makeRerunSql>[0]['insertRevision'] = (revision, request) =>
    answerRevisions.insert(revision, request)
  return {
    findAnswered,
    rerun: makeRerunSql({ ...common, kind: 'edited', insertRevision }),
    pick: makePickResult({ ...common, listCandidates, loadResult, insertRevision }),
    others: makeListAlternativeResults({
      findAnswered,
      listCandidates,
      openDatabase: async () => database,
      findTrace: questionId => traces.find(questionId, now()),
    }),
    ask: makeRequestReview({
      ...{ findAnswered, inTransaction, sendJob, now },
      channel: 'C9',
      insertRequest: humanRequests.insert,
    }),
    decide: makeDecideReview({
      ...{ inTransaction, sendJob, now },
      findRequest: humanRequests.find,
      decide: humanRequests.decide,
    }),
  }
}

it('an edit becomes the answer, once per submission, and earlier votes stay with the earlier answer', async () => {
  const { findAnswered, rerun } = parts()
  const questionId = await answerQuestion()
  const answer = await store.repositories.answers.find(questionId)
  const vote = (person: string) =>
    store.repositories.votes.upsert({
      ...{ questionId, person, vote: 'down', candidateId: 'c1' },
      runId: answer?.runId ?? '',
    })
  await vote('ada')
  expect(await findAnswered(questionId)).toMatchObject({ revision: null, votes: { up: 0, down: 1 } })

  const edit = { questionId, sql: `${inOslo};`, person: 'bo', request: 'edit V1' }
  expect(await rerun(edit)).toEqual({
    status: 'revised',
    headline: 'Boats (Oslo): 1',
    rowCount: 1,
    groupKey: await keyOf(inOslo),
  })
  expect(await rerun(edit)).toEqual({ status: 'late' })
  expect(await findAnswered(questionId)).toMatchObject({
    ...{ sql: inOslo, headline: 'Boats (Oslo): 1', candidateId: null, assumptions: [] },
    ...{ revision: { kind: 'edited', person: 'bo' }, votes: { up: 0, down: 0 }, periods: [] },
    alternatives: [
      { label: 'the first answer', candidateId: 'c1' },
      { label: 'in Oslo', candidateId: 'c2' },
    ],
  })
  await vote('cy')
  expect(await findAnswered(questionId)).toMatchObject({ votes: { up: 0, down: 1 } })
  expect(await store.repositories.answerRevisions.list(questionId)).toHaveLength(1)
})

it('an edit that the guard or the database refuses changes nothing', async () => {
  const { findAnswered, rerun } = parts()
  const questionId = await answerQuestion()
  const unfit = async (sql: string) => rerun({ questionId, sql, person: 'bo', request: randomUUID() })
  for (const sql of [
    'delete from boats',
    'select 1; select 2',
    'select colour from boats',
    "attach 'x' as y",
    '',
  ])
    expect(await unfit(sql), sql).toMatchObject({ status: 'unfit', reason: expect.any(String) })
  expect(await findAnswered(questionId)).toMatchObject({ sql: inKiel, revision: null })
  expect(await rerun({ questionId: randomUUID(), sql: inKiel, person: 'bo', request: 'x' })).toEqual({
    status: 'gone',
  })
})

it('another result can be picked, and is read again after it expired', async () => {
  const { findAnswered, pick, others } = parts()
  const questionId = await answerQuestion()
  expect(await others(questionId)).toMatchObject([{ groupKey: 'oslo', candidateId: 'c2', sql: inOslo }])
  const pickOslo = { questionId, candidateId: 'c2', person: 'bo' }
  expect(await pick({ ...pickOslo, request: 'a' })).toMatchObject({ status: 'revised', groupKey: 'oslo' })
  expect(await others(questionId)).toMatchObject([{ candidateId: 'c1' }])
  expect(await findAnswered(questionId)).toMatchObject({
    revision: { kind: 'picked', person: 'bo' },
    alternatives: [{ label: 'the first answer', candidateId: 'c1' }],
  })
  await store.repositories.savedResults.purgeExpired(new Date(Date.now() + 30 * 24 * 3_600_000))
  expect(await pick({ ...pickOslo, candidateId: 'c1', request: 'b' })).toMatchObject({
    headline: 'Boats (Kiel): 2',
  })
  const again = await findAnswered(questionId)
  expect(await store.loadResult(again?.resultId ?? '')).toMatchObject({ rows: [[2]] })
  expect(await pick({ ...pickOslo, candidateId: 'c9', request: 'c' })).toEqual({ status: 'gone' })
})

it('a result whose query the guard now refuses is no longer shown', async () => {
  const { findAnswered } = parts()
  const questionId = await answerQuestion()
  const { repositories, loadResult, saveResult } = store
  const refusing: Pick<Database, 'guard' | 'run'> = {
    run: database.run,
    guard: () => ({ verdict: 'refuse', reason: 'there is no table boats' }),
  }
  const pick = makePickResult({
    ...{
      findAnswered,
      loadResult,
      saveResult,
      describe: makeDescribeResult({ openDatabase: async () => database, now }),
      now,
    },
    openDatabase: async () => refusing,
    listCandidates: id => repositories.candidates.list(id),
    insertRevision: (revision, request) => repositories.answerRevisions.insert(revision, request),
  })
  const picked = await pick({ questionId, candidateId: 'c2', person: 'bo', request: 'a' })
  expect(picked).toEqual({ status: 'unfit', reason: 'there is no table boats' })
  expect(await parts().others(questionId)).toHaveLength(1)
  const others = makeListAlternativeResults({
    findAnswered,
    findTrace: id => repositories.traces.find(id, now()),
    listCandidates: id => repositories.candidates.list(id),
    openDatabase: async () => refusing,
  })
  expect(await others(questionId)).toEqual([])
  expect(await findAnswered(questionId)).toMatchObject({ sql: inKiel, revision: null })
})

it('a review is requested once, the first decision counts, and it applies to the reviewed SQL', async () => {
  const { findAnswered, rerun, ask, decide } = parts()
  const questionId = await answerQuestion()
  sent.length = 0
  const asked = await Promise.all(['ada', 'bo'].map(person => ask({ questionId, person })))
  expect(asked.toSorted()).toEqual(['already', 'asked'])
  const decisions = await Promise.all([
    decide({ questionId, decision: 'approved', person: 'cy', reason: null }),
    decide({ questionId, decision: 'rejected', person: 'di', reason: 'No.' }),
  ])
  expect(decisions.toSorted()).toEqual(['late', 'taken'])
  expect(sent).toEqual([
    { queue: 'human', data: { questionId, step: 'asked' } },
    { queue: 'human', data: { questionId, step: 'decided' } },
  ])
  const isApproved = decisions[0] === 'taken'
  expect((await findAnswered(questionId))?.approvedBy).toBe(isApproved ? 'cy' : null)
  await rerun({ questionId, sql: inOslo, person: 'bo', request: 'x' })
  expect((await findAnswered(questionId))?.approvedBy).toBeNull()
  expect(await decide({ questionId: randomUUID(), decision: 'approved', person: 'cy', reason: null })).toBe(
    'gone',
  )
})

it('names the period and filters of an answer until a person edits its SQL', async () => {
  const { findAnswered, rerun } = parts()
  const questionId = await answerQuestion()
  expect((await findAnswered(questionId))?.periods).toEqual(['last year: Jan 1 to Dec 31, 2025 (UTC)'])
  await rerun({ questionId, sql: inKiel, person: 'bo', request: 'x' })
  expect((await findAnswered(questionId))?.periods).toEqual([])
})
