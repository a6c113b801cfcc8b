import { expect, it } from 'vitest'
import { makeSemanticParserPath } from '../../../../graphs/answer/drafting/parser-path.ts'
import type { Interpretation } from '../../../../src/domain/interpretation.ts'
import type { ReadQuestion } from '../../../../src/domain/metrics/metric-reading.ts'
import { draftsOf } from '../../../helpers/drafts-of.ts'
import { potteryInput } from './pottery.ts'

it('turns readings into drafts of one lineage, in their order and for nothing', async () => {
  const reading: Interpretation = {
    sql: 'SELECT count(*) FROM makers',
    score: 12.5,
    confidence: 0.9,
    decisions: [{ phrase: 'makers', kind: 'table', choice: 'makers', label: 'makers' }],
    assumptions: [{ kind: 'spelling', from: 'makrs', to: 'makers' }],
    unused: ['celadon'],
  }
  const given: Parameters<ReadQuestion>[0][] = []
  const path = makeSemanticParserPath({
    readQuestion: input => {
      given.push(input)
      return [reading, { ...reading, sql: 'SELECT count(*) FROM pieces', confidence: 0.05 }]
    },
  })
  const input = potteryInput('sqlite')
  const { drafts, usage } = await draftsOf(path.draft(input))
  expect(drafts.map(({ sql, prior, lineage }) => ({ sql, prior, lineage }))).toEqual([
    { sql: 'SELECT count(*) FROM makers', prior: 0.9, lineage: 'semantic-parser' },
    { sql: 'SELECT count(*) FROM pieces', prior: 0.05, lineage: 'semantic-parser' },
  ])
  expect(drafts[0]).toMatchObject({
    decisions: reading.decisions,
    assumptions: ['I took “makrs” as “makers”.'],
    unused: ['celadon'],
  })
  expect(usage).toEqual({ modelCalls: 0, promptTokens: 0, completionTokens: 0 })
  expect(given).toEqual([{ understanding: input.understanding, database: input.database }])
})
