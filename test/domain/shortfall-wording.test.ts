import { expect, it } from 'vitest'
import { shortfallText } from '../../src/domain/answer-wording/shortfalls.ts'
import type { BudgetLimit } from '../../src/domain/operations/usage.ts'
import type { Shortfall } from '../../src/domain/trace.ts'
import { StoredTrace } from '../../src/store/stored/trace.ts'
import { makeTrace } from '../helpers/make-trace.ts'

const calls: BudgetLimit = { of: 'question', unit: 'calls', most: 30 }

const spent = (limit: BudgetLimit | null): Pick<Shortfall, 'why' | 'limit'> => ({
  why: 'budget-spent',
  limit,
})

const failed = { why: 'model-failed', limit: null } as const

const shortfalls: Readonly<Record<string, Shortfall>> = {
  "3 of 7 drafts were left out: the question's limit of 30 model calls was reached.": {
    ...{ work: 'drafts', count: 3, of: 7, ...spent(calls) },
  },
  '1 of 1 draft was left out: the model could not be reached or gave no usable reply.': {
    ...{ work: 'drafts', count: 1, of: 1, ...failed },
  },
  'Drafting ended at its limit of 5 drafts, although another could have changed the answer.': {
    ...{ work: 'further-drafts', count: 5, of: null, why: 'most-drafts', limit: null },
  },
  '2 of 4 queries were not run: the quota for reading the database is used up.': {
    ...{ work: 'queries', count: 2, of: 4, why: 'query-quota', limit: null },
  },
  "1 repair by a model was not tried: the share of the question's budget for this, 1 model call, was used up.":
    {
      ...{ work: 'repairs', count: 1, of: null, ...spent({ of: 'role', unit: 'calls', most: 1 }) },
    },
  "4 of 6 comparisons were made without a model: today's limit of 200,000 tokens was reached.": {
    ...{ work: 'comparisons', count: 4, of: 6, ...spent({ of: 'day', unit: 'tokens', most: 200_000 }) },
  },
  "1 set of examples for the drafts was not made: today's limit of 2.5 for models for one person was reached.":
    {
      ...{ work: 'examples', count: 1, of: null, ...spent({ of: 'person', unit: 'money', most: 2.5 }) },
    },
  "No model looked for more keywords: the question's limit of 120 s of waiting for models was reached.": {
    ...{ work: 'keywords', count: 1, of: null, ...spent({ of: 'question', unit: 'seconds', most: 120 }) },
  },
  "No model read the thread, so rules did: today's limit of 9 tokens for this channel was reached.": {
    ...{ work: 'follow-up', count: 1, of: null, ...spent({ of: 'channel', unit: 'tokens', most: 9 }) },
  },
  'No model phrased the headline, so code did: the budget for models is used up.': {
    ...{ work: 'headline', count: 1, of: null, ...spent(null) },
  },
}

it.each(Object.entries(shortfalls))('says: %s', (text, shortfall) => {
  expect(shortfallText(shortfall)).toBe(text)
})

it('what was left out is stored with the trace and read again', () => {
  const trace = makeTrace({ shortfalls: Object.values(shortfalls) })
  expect(StoredTrace.parse(JSON.parse(JSON.stringify(trace))).shortfalls).toEqual(trace.shortfalls)
})
