import { describe, expect, it } from 'vitest'
import { boundTrace } from '../../../graphs/answer/trace.ts'
import { makeCandidate } from '../../helpers/make-candidate.ts'
import { makeTrace } from '../../helpers/make-trace.ts'

const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

describe('the bounds of a trace', () => {
  it('leave an ordinary one as it is', () => {
    expect(boundTrace(makeTrace())).toEqual(makeTrace())
  })

  it('cut long lists and texts, and say which', () => {
    const keyword = { text: 'a', said: 'a', source: 'span', weight: 1 } as const
    const trace = boundTrace(
      makeTrace({
        keywords: Array.from({ length: 45 }, () => keyword),
        schema: [{ table: 'wide', keep: Array.from({ length: 70 }, (_, i) => `c${i}`) }],
        candidates: [makeCandidate({ sql: 'x'.repeat(10_000) })],
      }),
    )
    expect(trace.leftOut).toEqual(['5 keywords', '10 columns of wide'])
    expect(trace.keywords).toHaveLength(40)
    expect(trace.candidates[0]?.sql).toHaveLength(4_000)
    expect(trace.candidates[0]?.sql.endsWith('…')).toBe(true)
  })

  it('hold for a run that is large in every way, and keep the decision', () => {
    const text = '☃'.repeat(9_000)
    const [group] = makeTrace().groups
    if (!group) throw new Error('no group')
    const run = { status: 'failed', errorClass: 'other', message: text } as const
    const repair = { round: 1, sql: text, errorClass: 'other', message: text } as const
    const trace = boundTrace(
      makeTrace({
        question: text,
        candidates: Array.from({ length: 300 }, (_, i) =>
          makeCandidate({ id: `c${i}`, sql: text, run, repairs: [repair, repair, repair] }),
        ),
        groups: Array.from({ length: 300 }, () => group),
      }),
    )
    expect(bytes(trace)).toBeLessThanOrEqual(200_000)
    expect(trace.leftOut).toEqual([
      '220 candidates',
      '260 groups',
      'repairs',
      'first rows',
      'values',
      'schema',
      'statements',
      'candidates',
    ])
    expect(trace.outcome).toEqual(makeTrace().outcome)
  })
})
