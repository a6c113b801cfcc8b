import { describe, expect, it } from 'vitest'
import { diffRuns, renderDiff } from '../../src/evaluation/diff-runs.ts'
import { makeEvaluated } from './make-evaluated.ts'

const runOf = (right: string, prefix = 'q') =>
  [...right].map((letter, n) =>
    makeEvaluated({ id: `${prefix}${n}`, ex: letter === '1', db_id: n % 2 === 0 ? 'even' : 'odd' }),
  )

describe('diffRuns', () => {
  it('pairs by id and reports what stands in one file alone', () => {
    const a = [...runOf('1100'), makeEvaluated({ id: 'onlyA' })]
    const b = [makeEvaluated({ id: 'onlyB' }), ...runOf('1011').reverse()]
    expect(diffRuns(a, b)).toMatchObject({
      questions: 4,
      exA: 0.5,
      exB: 0.75,
      difference: 0.25,
      level: 0.95,
      mcnemar: { method: 'exact', p: 1 },
      onlyARight: ['q1'],
      onlyBRight: ['q2', 'q3'],
      onlyInA: ['onlyA'],
      onlyInB: ['onlyB'],
    })
  })

  it('an interval holds the difference, and excludes zero when one run is always better', () => {
    const { interval, intervalByDatabase, mcnemar } = diffRuns(
      runOf('0'.repeat(40)),
      runOf('1'.repeat(30) + '0'.repeat(10)),
    )
    expect(interval?.low).toBeGreaterThan(0.5)
    expect(interval?.high).toBeLessThan(0.95)
    expect(intervalByDatabase?.low).toBeGreaterThan(0.5)
    expect(mcnemar.p).toBeLessThan(0.001)
  })

  it('leaves out questions that cannot be answered', () => {
    const a = [makeEvaluated({ id: 'n', ex: null, answerable: false }), ...runOf('1')]
    expect(diffRuns(a, a)).toMatchObject({ questions: 1, difference: 0, onlyInA: [], onlyInB: [] })
  })

  it('draws no databases when there is one', () => {
    const one = [makeEvaluated({ id: 'a' }), makeEvaluated({ id: 'b', ex: false })]
    expect(diffRuns(one, one)).toMatchObject({ interval: { low: 0, high: 0 }, intervalByDatabase: null })
  })

  it('has nothing to say of files without a common question', () => {
    const diff = diffRuns(runOf('11', 'a'), runOf('11', 'b'))
    expect(diff).toMatchObject({ questions: 0, exA: null, difference: null, interval: null })
    expect(renderDiff(diff)).toBe('The two files have no answerable question in common.')
  })
})

describe('renderDiff', () => {
  it('says it in a few lines', () => {
    const a = [...runOf('1100110011'), makeEvaluated({ id: 'gone' })]
    expect(renderDiff(diffRuns(a, runOf('1111011111')))).toMatchInlineSnapshot(`
      "questions in both    10
      EX of A              60.0 %
      EX of B              90.0 %
      difference, B - A    +30.0 points
        drawing questions  -10.0 to +70.0 (95 % bootstrap interval)
        drawing databases  +20.0 to +40.0 (95 % bootstrap interval)
      McNemar              p = 0.3750 (exact; 4 won, 1 lost)
      only A is right: q4
      only B is right: q2, q3, q6, q7
      only in A: gone"
    `)
  })

  it('lists some of many ids', () => {
    const text = renderDiff(diffRuns(runOf('0'.repeat(30)), runOf('1'.repeat(30))))
    expect(text).toContain('q19 and 10 more')
    expect(text).toContain('p < .0001')
  })
})
