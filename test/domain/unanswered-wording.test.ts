import { describe, expect, it } from 'vitest'
import type { Outcome, RefusalReason } from '../../src/domain/answer.ts'
import { unansweredText } from '../../src/domain/answer-wording/unanswered.ts'
import { StoredOutcome, toStoredOutcome } from '../../src/store/stored/outcome.ts'

const tables = { named: ['orders', 'customers'], count: 14 }

const refusals: { readonly [Code in RefusalReason['code']]: Extract<RefusalReason, { code: Code }> } = {
  'too-long': { code: 'too-long', mostCharacters: 1_000 },
  'no-question': { code: 'no-question', database: 'shop', tables },
  thanks: { code: 'thanks' },
  greeting: { code: 'greeting', database: 'shop' },
  'no-request': { code: 'no-request' },
  'about-bot': { code: 'about-bot', database: 'shop' },
  'about-database': { code: 'about-database', database: 'shop', tables },
  'impossible-change': {
    code: 'impossible-change',
    problem: { code: 'unknown-words', words: ['unicorns'] },
    hasExamples: true,
  },
  'unknown-words': { code: 'unknown-words', words: ['zebras', 'stripes'] },
  'ignored-words': { code: 'ignored-words', words: ['zebras'] },
  'off-topic': { code: 'off-topic' },
  'beyond-data': { code: 'beyond-data', asks: 'forecast' },
  'nothing-drafted': { code: 'nothing-drafted' },
  'cannot-answer': { code: 'cannot-answer', reason: 'There are no salaries here.' },
  'all-failed': { code: 'all-failed', message: 'no such column: x', isTimeout: false },
  unsure: { code: 'unsure', confidence: 0.234 },
  'over-budget': { code: 'over-budget', message: 'The limit is reached.' },
  'database-unreachable': { code: 'database-unreachable' },
  'not-run': { code: 'not-run', isExpired: true },
  narrower: { code: 'narrower', offered: [{ question: 'Orders of today?', rows: 1_200 }] },
  'still-expensive': { code: 'still-expensive', message: null },
  written: { code: 'written', reason: 'As it was written.', nextStep: 'Then.' },
}

const outcomes: readonly Outcome[] = [
  {
    status: 'refused',
    why: { code: 'impossible-change', problem: { code: 'only-counts', measure: 'avg' }, hasExamples: false },
  },
  {
    status: 'refused',
    why: { code: 'impossible-change', problem: { code: 'unknown-number', words: 'May' }, hasExamples: false },
  },
  { status: 'refused', why: { code: 'impossible-change', problem: { code: 'no-date' }, hasExamples: false } },
  { status: 'refused', why: { code: 'impossible-change', problem: { code: 'unclear' }, hasExamples: false } },
  ...Object.values(refusals).map(why => ({ status: 'refused', why }) as const),
  { status: 'refused', why: refusals.unsure, modelFailure: 'budget-spent', nearest: ['Orders?'] },
  { status: 'failed', why: { code: 'error', error: 'model-failed', message: 'The model is away.' } },
  { status: 'failed', why: { code: 'unexpected' } },
]

describe('the wording of a question without an answer', () => {
  it('says what happened and the next step, for every reason', () => {
    const said = outcomes.map(outcome => {
      if (outcome.status !== 'refused' && outcome.status !== 'failed') throw new Error(outcome.status)
      const { reason, nextStep } = unansweredText(outcome)
      return `${outcome.why.code}: ${reason} | ${nextStep}`
    })
    expect(said).toMatchSnapshot()
  })
})

describe('a stored outcome without an answer', () => {
  it('keeps the code, and the sentences for queries and earlier versions', () => {
    for (const outcome of outcomes) {
      const stored = JSON.parse(JSON.stringify(toStoredOutcome(outcome)))
      expect(stored).toMatchObject({ reason: expect.any(String), nextStep: expect.any(String) })
      expect(StoredOutcome.parse(stored)).toEqual(outcome)
    }
  })

  it.each([
    ['of an earlier version', {}],
    [
      'of one with other facts',
      { why: { code: 'impossible-change', explanation: 'There is no month.', hasExamples: true } },
    ],
    ['of a later one', { why: { code: 'eclipse', until: 'noon' } }],
  ])('%s is shown by its sentences', (_, more) => {
    const sentences = { reason: 'I found nothing.', nextStep: 'Leave it out.' }
    const stored = { status: 'refused', ...sentences, missing: ['zebra'], ...more }
    expect(StoredOutcome.parse(stored)).toEqual({
      status: 'refused',
      why: { code: 'written', ...sentences },
      missing: ['zebra'],
    })
  })
})

it('says that it cannot compare, rather than that there is no “vs” in the database', () => {
  const compared = (words: readonly string[]): string =>
    unansweredText({ status: 'refused', why: { code: 'ignored-words', words } }).reason
  expect(compared(['vs'])).toBe("I can't set these side by side.")
  expect(compared(['Compare'])).toBe("I can't set these side by side.")
  expect(compared(['vs', 'zebras'])).toBe("I can't find “vs” or “zebras” in this database.")
})
