import { describe, expect, it } from 'vitest'
import type { StoreOptions } from '../../../src/store/store.ts'
import { makeTrace } from '../../helpers/make-trace.ts'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { makeQuestion } from '../setup/make-question.ts'
import { openTestStore } from '../setup/open-test-store.ts'

describe.each(postgresServers('traces'))('traces on the %s server', on => {
  const openWithQuestion = async (options: Partial<StoreOptions> = {}) => {
    const opened = await openTestStore({ on, ...options })
    const { id } = makeQuestion()
    await opened.store.repositories.questions.insert(makeQuestion({ id }), null)
    await opened.store.questionLog.begin(id, ['queued', 'working', 'waiting'])
    return { opened, store: opened.store, id }
  }
  const usage = { modelCalls: 0, promptTokens: 0, completionTokens: 0 }
  const outcome = { status: 'refused', why: { code: 'written', reason: 'no', nextStep: 'yes' } } as const

  it('come with the report of a run, the last one staying', async () => {
    const { opened, store, id } = await openWithQuestion()
    await using _ = opened
    const [leader, ...others] = makeTrace().groups
    const groups = [{ ...leader!, reasons: ['more paths came to it'] }, ...others]
    const trace = makeTrace({ questionId: id, groups })
    const report = { questionId: id, outcome, candidates: [], usage }
    await store.questionLog.storeReport({ ...report, trace })
    expect(await store.repositories.traces.find(id, new Date())).toEqual(trace)
    const next = { ...trace, outcome, question: 'half \ud83d of a character' }
    await store.questionLog.storeReport({ ...report, trace: next })
    expect(await store.repositories.traces.find(id, new Date())).toEqual({
      ...next,
      question: 'half \ufffd of a character',
    })
    await store.questionLog.storeReport(report)
    expect((await store.repositories.traces.find(id, new Date()))?.outcome).toEqual(outcome)
  })

  it('go when the results go whose first rows they show', async () => {
    const asked = new Date('2026-06-01T00:00:00Z')
    const gone = new Date('2026-06-01T00:01:00Z')
    const limits = { maxBodyBytes: 1_000_000, keepMs: 60_000 }
    const { opened, store, id } = await openWithQuestion({ now: () => asked, resultLimits: limits })
    await using _ = opened
    const { traces } = store.repositories
    await store.questionLog.storeReport({
      questionId: id,
      outcome,
      candidates: [],
      usage,
      trace: makeTrace({ questionId: id }),
    })
    expect(await traces.find(id, new Date('2026-06-01T00:00:59Z'))).not.toBeNull()
    expect(await traces.find(id, gone)).toBeNull()
    expect([await traces.purgeExpired(gone), await traces.purgeExpired(gone)]).toEqual([1, 0])
  })

  it('take first rows from saved results, of those that are still there', async () => {
    let now = new Date('2026-06-01T00:00:00Z')
    const limits = { maxBodyBytes: 1_000_000, keepMs: 60_000 }
    const { opened, store, id } = await openWithQuestion({ now: () => now, resultLimits: limits })
    await using _ = opened
    const columns = [{ name: 'big', kind: 'integer' }] as const
    const rows = [[9_007_199_254_740_993n], [null], [3], [4]]
    const saved = await store.saveResult(id, { columns, rows, truncated: null, milliseconds: 1 })
    expect(await store.loadHeads([saved, crypto.randomUUID()], 2)).toEqual(
      new Map([[saved, { columns, rows: rows.slice(0, 2), rowCount: 4 }]]),
    )
    expect(await store.loadHeads([], 2)).toEqual(new Map())
    now = new Date('2026-06-01T00:01:00Z')
    expect(await store.loadHeads([saved], 2)).toEqual(new Map())
  })
})
