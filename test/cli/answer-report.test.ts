import { describe, expect, it } from 'vitest'
import { toAskReport, writeAnswer } from '../../src/cli/answer-report.ts'
import { writeRunTree } from '../../src/cli/run-tree.ts'
import type { AnswerReport, Outcome } from '../../src/domain/answer.ts'
import type { ResultTable } from '../../src/domain/result.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'
import { makeTrace } from '../helpers/make-trace.ts'
import { MemoryStream } from '../helpers/memory-stream.ts'

const table: ResultTable = {
  columns: [
    { name: 'city', kind: 'text' },
    { name: 'tents', kind: 'integer' },
  ],
  rows: [
    ['Oslo', 12],
    [null, 3n],
  ],
  truncated: null,
  milliseconds: 2,
}

const candidates = [
  makeCandidate({ id: '0/semantic-parser/00', sql: 'SELECT a', prior: 0.8, run: ranWith('x', 2) }),
  makeCandidate({
    id: '0/semantic-parser/01',
    sql: 'SELECT b',
    decisions: [{ phrase: 'tents', kind: 'value', choice: 'products.kind', label: 'kind of the product' }],
    unused: ['blue'],
    repairs: [{ round: 1, sql: 'SELECT c', errorClass: 'unknown-column', message: 'no column c' }],
    run: { status: 'failed', errorClass: 'unknown-column', message: 'no column b' },
  }),
  makeCandidate({ id: '0/semantic-parser/02', sql: 'SELECT d' }),
]

const answered: Outcome = {
  status: 'answered',
  candidateId: '0/semantic-parser/00',
  resultId: 'r',
  sql: 'SELECT a',
  confidence: 0.8,
  headline: '2 rows: city, tents',
  assumptions: ['“tents” are products.'],
  alternatives: [
    { label: '“tents” are rentals', hint: '3 rows', candidateId: 'b' },
    { label: 'each tent by itself', hint: '', candidateId: 'c' },
  ],
}

const reportWith = (outcome: Outcome): AnswerReport => ({
  questionId: 'q',
  outcome,
  candidates,
  usage: { modelCalls: 1, promptTokens: 20, completionTokens: 5 },
})

const asked: Outcome = {
  status: 'needs-clarification',
  clarification: {
    question: 'What do you mean by “size”?',
    options: [
      { label: 'frame size', hint: '2 rows', candidateIds: ['a'] },
      { label: 'shoe size', hint: '', candidateIds: ['b'] },
    ],
    defaultOption: 0,
  },
}

const outcomes: Record<string, Outcome> = {
  answered,
  asked,
  refused: {
    status: 'refused',
    why: { code: 'written', reason: 'Nothing for “zebra”.', nextStep: 'Leave it out.' },
  },
  failed: {
    status: 'failed',
    why: { code: 'written', reason: 'The server is away.', nextStep: 'Ask again.' },
  },
}

const shownFor = (outcome: Outcome) =>
  toAskReport(
    'how many tents by city?',
    reportWith(outcome),
    outcome.status === 'answered' ? table : null,
    12.4,
  )

describe('the report of ask', () => {
  it.each(Object.entries(outcomes))('%s, as JSON', (_name, outcome) => {
    expect(shownFor(outcome)).toMatchSnapshot()
  })

  it.each(Object.entries(outcomes))('%s, as text', (_name, outcome) => {
    const out = new MemoryStream()
    writeAnswer(out, shownFor(outcome), {
      headline: outcome.status === 'answered' ? outcome.headline : '',
      table: outcome.status === 'answered' ? table : null,
    })
    expect(out.text).toMatchSnapshot()
  })

  it('says how many rows it did not show', () => {
    const out = new MemoryStream()
    const long = {
      ...table,
      rows: Array.from({ length: 60 }, (_, i) => [`city ${i}`, i]),
      truncated: 'rows' as const,
    }
    writeAnswer(out, shownFor(answered), { headline: '', table: long })
    expect(out.text).toContain('First 50 of at least 60 rows')
  })

  it('draws the run as a tree', () => {
    const out = new MemoryStream()
    const report = reportWith(answered)
    writeRunTree(out, { ...report, trace: makeTrace({ candidates: report.candidates, outcome: answered }) })
    expect(out.text).toMatchSnapshot()
  })

  it('says so if no steps were recorded', () => {
    const out = new MemoryStream()
    const { trace: _, ...report } = reportWith(answered)
    writeRunTree(out, report)
    expect(out.text).toBe('question q\n└─ answered; no steps were recorded\n')
  })
})
