import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { drawTree, traceTree } from '../../../src/cli/run-tree.ts'
import type { Trace } from '../../../src/domain/trace.ts'
import { StoredTrace } from '../../../src/store/stored/trace.ts'
import { makeCandidate, ranWith } from '../../helpers/make-candidate.ts'
import { makeTrace } from '../../helpers/make-trace.ts'

const drawn = (trace: Trace, width = 100): string[] =>
  drawTree(traceTree(trace), width).map(line => stripVTControlCharacters(line).trimEnd())

describe('the tree of a run', () => {
  it('shows the run from the keywords to the decision', () => {
    expect(`\n${drawn(makeTrace()).join('\n')}\n`).toMatchInlineSnapshot(`
      "
      “how many boats from kiel last year?” (harbour, question 7ac05ca0-749c-4018-ba9b-d21e7b0996ec)
      ├─ period: “last year” means Jan 1 to Dec 31, 2025
      ├─ keywords: kiel
      ├─ values (1)
      │  └─ “kiel”: boats.home_port = 'Kiel' (0.98)
      ├─ schema: boats, ports (id, name)
      ├─ drafting rounds
      │  ├─ semantic-parser 0 (probability 0.00): what needs no model comes first
      │  └─ stop (probability 0.80, gain -0.001): a further draft is too dear
      ├─ drafts that found no answer
      │  └─ query-plan 2: There are no prices.
      ├─ failed drafts
      │  └─ divide-and-conquer 1: the model hung
      ├─ candidates (4)
      │  ├─ chosen 0/00/semantic-parser/00.00, prior 0.50: group A, 1 row, 1 column, 1 ms
      │  │     “from” is home port
      │  │     select count(*) from boats where home_port = 'Kiel'
      │  ├─ 0/00/semantic-parser/00.01, prior 0.50: group B, 1 row, 1 column, 1 ms
      │  │     not used: year
      │  │     select count(*) from boats where build_port = 'Kiel'
      │  ├─ 0/01/divide-and-conquer/00.00, prior 0.50: unknown-table: no such table: boat
      │  │     repaired 1: syntax: incomplete input
      │  │     select count(*) from boat
      │  └─ 0/00/semantic-parser/00.02, prior 0.50: not run
      │        SELECT 1
      ├─ groups (2)
      │  ├─ A: score 0.80, 1 candidate
      │  │     boats
      │  │     2
      │  └─ B: score 0.10, 1 candidate
      ├─ comparisons (1)
      │  └─ A or B: A wins, by the model: boats come from where they live
      ├─ cost: 2 model calls, 980 tokens; find-values 3 ms; draft-sql 90 ms (3 times, longest 60 ms)
      └─ decision: answered with A, 80% sure
      "
    `)
  })

  it('stays within the width, however long a statement, a value or a message is', () => {
    const long = 'x'.repeat(3_000)
    const trace = makeTrace({
      question: `how many ${long} of ${'all '.repeat(200)}?`,
      candidates: [makeCandidate({ sql: `select ${long}`, run: failed(`no such column: ${long}`) })],
      values: [{ keyword: long, table: long, column: 'c', value: 'two\nlines', score: 1 }],
    })
    for (const width of [40, 100]) {
      const lines = drawn(trace, width)
      expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(width)
      expect(lines.length).toBeLessThan(80)
      expect(lines.filter(line => line.endsWith(' …')).length).toBeGreaterThan(2)
    }
  })

  it('shows the reasons of the selector', () => {
    const [leader, ...others] = makeTrace().groups
    const reasons = ['more paths came to it', 'of the other: its result is empty']
    const lines = drawn(makeTrace({ groups: [{ ...leader!, reasons }, ...others] }))
    expect(lines).toContain('│  │     reasons: more paths came to it; of the other: its result is empty')
    expect(lines.filter(line => line.includes('reasons:'))).toHaveLength(1)
  })

  it('shows the reason of a probe, also after the trace was stored', () => {
    const [comparison] = makeTrace().comparisons
    const trace = makeTrace({
      comparisons: [{ ...comparison!, by: 'probe', reason: 'the other finds nothing' }],
    })
    const line = '│  └─ A or B: A wins, by the probe: the other finds nothing'
    expect(drawn(trace)).toContain(line)
    expect(drawn(StoredTrace.parse(JSON.parse(JSON.stringify(trace))))).toContain(line)
  })

  it('says how many rows of a result are not shown', () => {
    const run = ranWith('first', 7)
    const [candidate, ...others] = makeTrace().candidates
    const lines = drawn(makeTrace({ candidates: [makeCandidate({ ...candidate, run }), ...others] }))
    expect(lines).toContain('│  │     … 1 of 7 rows')
  })

  it('says what the question did without', () => {
    const shortfall = { work: 'comparisons', count: 1, of: 2, why: 'model-failed', limit: null } as const
    const lines = drawn(makeTrace({ shortfalls: [shortfall] })).join(' ')
    expect(lines).toMatch(/├─ left out │ {2}└─ 1 of 2 comparisons was made without a model: the model could/)
  })

  it('says where a run failed, and what is not shown', () => {
    const lines = drawn(makeTrace({ outcome: null, leftOut: ['3 candidates', 'first rows'] }))
    expect(lines.at(-1)).toBe('└─ decision: none; the run failed here')
    expect(lines.at(-2)).toBe('├─ not shown: 3 candidates, first rows')
  })

  it.each([
    [
      { status: 'refused', why: { code: 'written', reason: 'Nothing fits.', nextStep: '' } },
      'refused: Nothing fits.',
    ],
    [
      {
        status: 'needs-clarification',
        clarification: { question: 'Which port?', options: [], defaultOption: 0 },
      },
      'asked back: Which port?',
    ],
  ] as const)('ends with %j', (outcome, said) => {
    expect(drawn(makeTrace({ outcome })).at(-1)).toBe(`└─ decision: ${said}`)
  })

  it('letters groups past Z', () => {
    const [group] = makeTrace().groups
    if (!group) throw new Error('no group')
    const groups = Array.from({ length: 28 }, (_, i) => ({ ...group, key: `g${i}`, head: null }))
    expect(drawn(makeTrace({ groups })).filter(line => / A[AB]: /.test(line))).toHaveLength(2)
  })
})

const failed = (message: string) => ({ status: 'failed', errorClass: 'unknown-column', message }) as const
