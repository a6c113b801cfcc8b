import { describe, expect, it } from 'vitest'
import { makeAnswerRuns } from '../../../../graphs/answer/answer-runs.ts'
import { makeDivideAndConquerPath } from '../../../../graphs/answer/drafting/model-paths.ts'
import { makeFixByRule } from '../../../../graphs/answer/repair/fix-by-rule.ts'
import { makeFixWithModel } from '../../../../graphs/answer/repair/fix-with-model.ts'
import { findClarification } from '../../../../src/clarification/find-clarification.ts'
import { renderDdl } from '../../../../src/databases/catalog/render-schema.ts'
import { widenSchema } from '../../../../src/databases/schema-linking/link-schema.ts'
import type { AnswerReport } from '../../../../src/domain/answer.ts'
import { makeModelTasks } from '../../../../src/llm/call-model.ts'
import { makeAskForSql } from '../../../../src/llm/model-requests.ts'
import { makeMemoryCheckpoints } from '../../../../src/store/checkpoints.ts'
import { makeMemoryResults, makeMemoryRunStore } from '../../../../src/store/in-memory.ts'
import { answerDeps } from '../../../helpers/answer-deps.ts'
import { selectionParts } from '../../../helpers/selection-parts.ts'
import { type Exchange, startModelServer } from '../../../llm/model-server.ts'
import { openPottery } from './open-pottery.ts'
import { potteryInput } from './pottery.ts'

const drafted = (sql: string): Exchange => ({
  reply: JSON.stringify({ parts: [], assembled: sql, redundant: [], sql, assumptions: [] }),
  usage: [1_000, 100],
})

const fixed = (sql: string): Exchange => ({
  reply: JSON.stringify({ diagnosis: 'A wrong name.', sql, assumptions: [] }),
  usage: [800, 50],
})

const studio = openPottery()

/** One question through the whole graph, with divide and conquer as the only path. */
const answer = async (
  script: readonly Exchange[],
): Promise<{ report: AnswerReport; requests: number; rows: unknown }> => {
  await using server = await startModelServer(script)
  const askForSql = makeAskForSql({
    connection: server.connection,
    tasks: makeModelTasks('some-model'),
    budget: { modelCallsPerQuestion: 10, tokensPerQuestion: 100_000 },
    sleep: async () => {},
  })
  const results = makeMemoryResults()
  const runs = makeAnswerRuns(
    answerDeps({
      database: async () => studio(),
      understand: () => potteryInput('sqlite').understanding,
      linkSchema: async ({ catalog }) => ({
        tables: catalog.tables.map(({ name }) => ({ table: name, keep: 'all' })),
      }),
      widenSchema,
      paths: [makeDivideAndConquerPath({ askForSql, renderSchema: renderDdl, model: 'some-model' })],
      fixers: [makeFixByRule()],
      modelFixers: [makeFixWithModel({ askForSql, renderSchema: renderDdl })],
      ...selectionParts,
      drafting: { mode: 'adaptive', mostDrafts: 1 },
      findClarification,
      runStore: makeMemoryRunStore(),
      saveResult: results.save,
      loadResult: results.load,
      thresholds: { answer: 0.3, ask: 0.2 },
    }),
    makeMemoryCheckpoints().checkpointer,
  )
  const report = await runs.start({
    id: 'q1',
    key: 'test:q1',
    text: potteryInput('sqlite').understanding.text,
    database: 'studio',
    askedAt: new Date('2026-11-20T12:00:00Z'),
    timeZone: 'Europe/Oslo',
    askedBy: null,
  })
  const { outcome } = report
  const rows = outcome.status === 'answered' ? (await results.load(outcome.resultId))?.rows : null
  return { report, requests: server.seen().length, rows }
}

const right = `SELECT m.full_name FROM makers AS m JOIN pieces AS p ON p.maker_id = m.maker_id
WHERE m.city = 'Bergen' AND p.glaze_colour = 'Celadon' AND p.fired_on >= '2026-10-01' AND p.fired_on < '2026-11-01'`

describe('a question along the model path', () => {
  it('is answered by a draft that is right', async () => {
    const { report, requests, rows } = await answer([drafted(right)])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: right })
    expect(rows).toEqual([['Ada']])
    expect(requests).toBe(1)
    expect(report.usage).toEqual({ modelCalls: 1, promptTokens: 1_000, completionTokens: 100 })
  })

  it('is answered by a draft that a rule repaired, without another call', async () => {
    const { report, requests, rows } = await answer([drafted(right.replace('m.full_name', 'm.fullname'))])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: right })
    expect(report.candidates[0]?.repairs).toMatchObject([{ round: 1, errorClass: 'unknown-column' }])
    expect(rows).toEqual([['Ada']])
    expect(requests).toBe(1)
  })

  it('is answered by a draft that the model repaired when no rule could', async () => {
    const { report, requests, rows } = await answer([
      drafted(right.replace('m.full_name', 'm.name')),
      fixed(right),
    ])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: right })
    expect(rows).toEqual([['Ada']])
    expect(requests).toBe(2)
    expect(report.usage).toEqual({ modelCalls: 2, promptTokens: 1_800, completionTokens: 150 })
  })

  it('stops after three rounds of repair', async () => {
    const broken = [1, 2, 3, 4].map(n => `SELECT m.nothing_${n} FROM makers AS m`)
    const { report, requests } = await answer([drafted(broken[0]!), ...broken.slice(1).map(fixed)])
    expect(report.outcome.status).toBe('refused')
    expect(report.candidates[0]?.repairs).toHaveLength(3)
    expect(requests).toBe(4)
  })

  it('never runs a draft that writes', async () => {
    const { report } = await answer([drafted('DELETE FROM makers'), fixed('DELETE FROM makers')])
    expect(report.outcome.status).toBe('refused')
    expect(report.candidates[0]?.run).toMatchObject({ status: 'failed', errorClass: 'refused' })
  })

  it.each<[string, readonly Exchange[]]>([
    ['an endpoint that keeps failing', [500, 500, 500, 500].map(status => ({ status }))],
    ['an endpoint that does not take the key', [{ status: 401 }]],
    ['a model that sends no JSON', [{ reply: 'SELECT 1' }, { reply: 'SELECT 1' }]],
    ['a model that finds nothing of it in the schema', [drafted('')]],
  ])('is refused honestly over %s', async (_, script) => {
    const { report, requests } = await answer(script)
    expect(report.outcome.status).toBe('refused')
    expect(report.candidates).toEqual([])
    expect(requests).toBe(script.length)
  })
})
