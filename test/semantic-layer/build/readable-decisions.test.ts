import { expect, it } from 'vitest'
import { seesEveryValue } from '../../../src/domain/access/sees-value.ts'
import type { LayerDecision } from '../../../src/domain/metrics/layer-decision.ts'
import { readableDecisions } from '../../../src/semantic-layer/open-with-layer.ts'

const segment = (
  name: string,
  condition: string,
  status: LayerDecision['status'] = 'accepted',
): LayerDecision => ({
  ...{ id: name, database: 'shop', kind: 'segment', name, status, tables: {} },
  definition: `segments:\n  - { name: ${name}, model: order, label: ${name}, where: ["${condition}"] }\n`,
  ...{ decidedBy: 'ada', decidedAt: new Date(0) },
})

it('decisions name no value of rows that a person does not see', () => {
  const decisions = [
    segment('paid', "status = 'paid'"),
    segment('northwind', "customer = 'Northwind'"),
    segment('large', 'total > 1000'),
    segment('northwind', "customer = 'Northwind'", 'rejected'),
  ]
  const sees = (value: string): boolean => value === 'paid'
  const readable = readableDecisions(decisions, { dialect: 'postgres', sees })
  expect(readable.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'paid accepted',
    'large accepted',
    'northwind rejected',
  ])
  expect(readableDecisions(decisions, { dialect: 'postgres', sees: seesEveryValue })).toBe(decisions)
})
