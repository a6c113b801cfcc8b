import { describe, expect, it } from 'vitest'
import { describeTime } from '../../../../graphs/answer/drafting/prompt-inputs.ts'
import type { TimeSpan } from '../../../../src/domain/question-context.ts'

const span = (phrase: string, from: string | null, until: string | null): TimeSpan => ({
  phrase,
  at: [0, 1],
  from,
  until,
})

describe('describeTime', () => {
  it('gives bounds on either side, or on one', () => {
    const spans = [
      span('May', '2026-05-01', '2026-06-01'),
      span('since May', '2026-05-01', null),
      span('ever', null, null),
    ]
    expect(describeTime({ today: '2026-11-20', timeZone: 'UTC', spans })).toBe(
      [
        'Today is 2026-11-20 in UTC.',
        '"May" is from 2026-05-01 until 2026-06-01, the end excluded.',
        '"since May" is from 2026-05-01.',
      ].join('\n'),
    )
  })
  it('says nothing of periods if there is none', () => {
    expect(describeTime({ today: '2026-11-20', timeZone: 'UTC', spans: [] })).toBe(
      'Today is 2026-11-20 in UTC.',
    )
  })
})
