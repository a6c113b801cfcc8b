import { expect, it } from 'vitest'
import { makeExplainAnswer } from '../../../../graphs/answer/nodes/explain-answer.ts'
import { emptyMetricQuery, type FilterValue } from '../../../../src/domain/metrics/metric-query.ts'

/** The assumptions of an answer to a question, whose rows were filtered by a value. */
const assumptionsOf = async (
  question: string,
  value: FilterValue,
  stated: readonly string[] = [],
): Promise<readonly string[]> => {
  const at = { model: 'order', dimension: 'country', via: null }
  const query = {
    ...emptyMetricQuery,
    filters: [{ kind: 'values' as const, at, values: [value], negated: false }],
  }
  const meaning = { query, sql: 'select 1', columns: [], isYesNo: false }
  const outcome = {
    ...{ status: 'answered', candidateId: 'c', resultId: 'r', sql: 'select 1', confidence: 0.9 },
    ...{ headline: '', assumptions: stated },
  }
  const explain = makeExplainAnswer({
    storing: {
      runStore: {
        loadContext: async () => ({ understanding: { text: question, today: '2026-11-20' } }),
        loadCandidates: async () => [{ id: 'c', meaning }],
      },
      loadResult: async () => null,
    },
  } as never)
  const update = await explain(
    { outcome, question: { id: 'q' }, clarification: null, reply: null } as never,
    {},
  )
  return update.outcome?.status === 'answered' ? update.outcome.assumptions : []
}

it('says which word was taken for a value that is spelled otherwise', async () => {
  expect(await assumptionsOf('any orders from Iceland?', 'Ireland')).toEqual([
    'I took “Iceland” as “Ireland”.',
  ])
  const stated = ['I took “Germny” as “Germany”.']
  expect(await assumptionsOf('orders from Germny', 'Germany', stated)).toEqual(stated)
})

it('says nothing of a value as written, of another form of its word, or of a code', async () => {
  expect(await assumptionsOf('orders from germany', 'Germany')).toEqual([])
  expect(await assumptionsOf('canceled orders', 'cancelled')).toEqual([])
  expect(await assumptionsOf('female customers', 'F')).toEqual([])
  expect(await assumptionsOf('orders of 2025', 2025)).toEqual([])
})
