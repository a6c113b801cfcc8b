import { describe, expect, it } from 'vitest'
import { findModelFailure } from '../../../graphs/answer/decide.ts'
import type { CandidateRun } from '../../../src/domain/candidate.ts'
import type { TracedFailure } from '../../../src/domain/trace.ts'

const paths = [
  { name: 'semantic-parser', cost: 'free' },
  { name: 'query-plan', cost: 'model' },
] as const

const broken: CandidateRun = { status: 'failed', errorClass: 'syntax', message: 'near SELEC' }

const ran = { status: 'ran' } as CandidateRun

const failure = (given: Partial<TracedFailure>): TracedFailure => ({
  ...{ path: 'query-plan', sample: 0, message: 'no' },
  ...given,
})

describe('what is said of models that could not help', () => {
  it.each([
    ['nothing when none failed', [], [{ path: 'semantic-parser', run: ran }], null],
    ['nothing when a path left the question to others', [failure({ isDeclined: true })], [], null],
    ['nothing when a free path failed', [failure({ path: 'semantic-parser' })], [], null],
    [
      'nothing when a statement of theirs ran all the same',
      [failure({ code: 'budget-spent' })],
      [{ path: 'query-plan', run: ran }],
      null,
    ],
    [
      'that none could be asked, when what one of them wrote did not run',
      [failure({ code: 'model-failed' })],
      [{ path: 'query-plan', run: broken }],
      'unreachable',
    ],
    [
      'that the budget is used up, whatever else failed',
      [failure({}), failure({ code: 'budget-spent' })],
      [{ path: 'semantic-parser', run: ran }],
      'budget-spent',
    ],
  ] as const)('%s', (_, failures, candidates, said) => {
    expect(findModelFailure(failures, candidates, paths)).toBe(said)
  })
})
