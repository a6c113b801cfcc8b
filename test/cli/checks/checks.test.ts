import { expect, it } from 'vitest'
import { checkSemanticLayer } from '../../../src/cli/checks/check-semantic-layer.ts'
import { checkKnowledge } from '../../../src/cli/checks/checks.ts'
import { noKnowledge } from '../../../src/domain/knowledge.ts'
import { buildLayer } from '../../../src/semantic-layer/build/build-layer.ts'
import { layerFile, openShop } from '../../semantic-layer/shop.ts'

const at = { file: 'knowledge/shop.md', line: 7 }

const rule = { text: 'Never.', at }

it('counts knowledge, says that there is none, or lists what is wrong', () => {
  expect(checkKnowledge({}, { knowledgeProblems: [] }).status).toBe('not-set')
  expect(
    checkKnowledge({ knowledge: { ...noKnowledge, rules: [rule] } }, { knowledgeProblems: [] }),
  ).toMatchObject({ status: 'ok', finding: '0 terms, 1 rule, 0 descriptions' })
  const problems = [1, 2, 3, 4, 5].map(line => ({ at: { ...at, line }, message: 'there is no table x' }))
  expect(checkKnowledge({}, { knowledgeProblems: problems })).toMatchObject({
    status: 'broken',
    finding: [1, 2, 3]
      .map(line => `knowledge/shop.md:${line}: there is no table x`)
      .concat('and 2 more')
      .join('\n'),
  })
})

it('lists each problem of the semantic layer, and columns that hold nothing', async () => {
  const { database, close } = await openShop(
    'ALTER TABLE orders ADD COLUMN refund_cents INTEGER; ALTER TABLE customers ADD COLUMN left_on DATE',
  )
  const check = (text: string) => {
    const built = buildLayer({ files: [layerFile(text)], terms: [] }, database.catalog)
    return checkSemanticLayer(built, database.catalog)
  }
  const metrics = (...lines: readonly string[]): string =>
    `semantic_models: [{ name: order, metrics: [\n  ${lines.join(',\n  ')} ] }]\n`
  expect(check(metrics())).toEqual({
    status: 'not-set',
    finding: expect.stringMatching(
      /^Nobody has accepted anything yet\. Proposed: \d+ metrics and \d+ segments, /,
    ),
  })
  const takings = '{ name: takings, agg: sum, expr: total_cents }'
  expect(check(metrics(takings))).toEqual({
    status: 'ok',
    finding: expect.stringMatching(/^1 metric and 0 segments accepted, \d+ and \d+ proposed$/),
  })
  const empty = [
    '{ name: refunds, agg: sum, expr: refund_cents }',
    '{ name: net, agg: sum, expr: total_cents - refund_cents }',
    '{ name: refunded, agg: count, filter: refund_cents > 0 }',
    '{ name: late, agg: count, filter: customer.left_on IS NOT NULL }',
  ]
  const segment = 'segments: [{ name: gone, model: customer, past: left_on }]\n'
  expect(check(metrics(takings, ...empty) + segment)).toMatchObject({
    status: 'weak',
    finding: [
      'metric refunds: no row has a value in orders.refund_cents',
      'metric net: no row has a value in orders.refund_cents',
      'metric refunded: no row has a value in orders.refund_cents',
      'metric late: no row has a value in customers.left_on',
      'segment gone: no row has a value in customers.left_on',
    ].join('\n'),
  })
  expect(check(metrics(takings, '{ name: a, agg: sum, expr: totl_cents }', empty[0] ?? ''))).toEqual({
    status: 'broken',
    finding:
      'semantic/shop.yml:3: the table orders has no column totl_cents; did you mean total_cents?\n' +
      'metric refunds: no row has a value in orders.refund_cents',
    todo: expect.stringMatching(/^Correct these lines.* Use another column/),
  })
  const many = Array.from({ length: 24 }, (_, at) => `{ name: a${at}, agg: sum, expr: totl_cents }`)
  expect(check(metrics(...many)).finding.split('\n')).toHaveLength(21)
  expect(check(metrics(...many)).finding).toMatch(/\nand 4 more$/)
  await close()
})
