import { describe, expect, it } from 'vitest'
import type { StoredVerifiedQuery } from '../../../src/domain/verified-query.ts'
import { checkMessage } from '../../../src/slack/block-kit/blocks.ts'
import {
  readStalenessKey,
  settledVerifiedView,
  staleVerifiedView,
  writeStalenessKey,
} from '../../../src/slack/views/verified-query.ts'

const at = new Date('2026-11-20T12:00:00.123Z')

const key = { queryId: '0f8b5c1e-4f0a-4c39-9a53-6d1f9d1f0a11', since: at }

const query: StoredVerifiedQuery = {
  id: key.queryId,
  database: 'yard',
  question: 'Which <boats> & ports?',
  maskedQuestion: 'which <name> <name>',
  sql: 'select 1',
  skeleton: null,
  slots: [],
  touches: null,
  fingerprint: 'f',
  status: 'accepted',
  savedBy: 'U0ADA0001',
  savedAt: at,
  decidedBy: 'U0ADA0001',
  decidedAt: at,
  lastRun: { status: 'ran', at, rowCount: 1_204, resultHash: null },
  staleness: null,
  dueAt: null,
}

const asked = { ...query, key }

const views = {
  'a stale query': staleVerifiedView({
    ...asked,
    reasons: ['it no longer runs: no such column: kind', 'the column boats.kind is gone'],
  }),
  'one that cannot be kept': staleVerifiedView({
    ...asked,
    reasons: ['the table <!here> is gone'],
    note: 'no such table: boats',
  }),
  'one of many and long reasons': staleVerifiedView({
    ...asked,
    question: 'x'.repeat(3_000),
    reasons: Array.from({ length: 40 }, (_, i) => `the column ${'y'.repeat(200)}.c${i} is gone`),
  }),
  kept: settledVerifiedView({ status: 'kept', query }),
  removed: settledVerifiedView({ status: 'removed', query: { ...query, status: 'removed' } }),
  'settled by somebody else': settledVerifiedView({ status: 'settled', query }),
  'deleted since': settledVerifiedView({ status: 'settled', query: null }),
}

describe('what the owner of a verified query sees', () => {
  it.each(Object.entries(views))('%s: passes every limit of Slack', (_name, message) => {
    expect(checkMessage(message)).toEqual([])
  })

  it.each(Object.entries(views))('%s: looks as it did', (_name, message) => {
    expect(message).toMatchSnapshot()
  })
})

describe('the value of its buttons', () => {
  it('names one time of being stale', () => {
    expect(readStalenessKey(writeStalenessKey(key))).toEqual(key)
  })

  it.each([
    undefined,
    '',
    key.queryId,
    `${key.queryId}:`,
    `${key.queryId}:soon`,
    `x${writeStalenessKey(key)}`,
  ])('is nothing else: %s', value => {
    expect(readStalenessKey(value)).toBeNull()
  })
})
