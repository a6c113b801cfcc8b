import type { Trace } from '../../src/domain/trace.ts'
import { makeCandidate, ranWith } from './make-candidate.ts'

/** The trace of a question that was answered by one of two groups; a test names what it is about. */
export const makeTrace = (given: Partial<Trace> = {}): Trace => ({
  questionId: '7ac05ca0-749c-4018-ba9b-d21e7b0996ec',
  question: 'how many boats from kiel last year?',
  database: 'harbour',
  understanding: {
    text: 'how many boats from kiel last year?',
    spans: [{ phrase: 'last year', at: [24, 33], from: '2025-01-01', until: '2026-01-01' }],
    today: '2026-03-02',
    timeZone: 'UTC',
  },
  keywords: [{ text: 'kiel', said: 'kiel', source: 'span', weight: 1 }],
  values: [{ keyword: 'kiel', table: 'boats', column: 'home_port', value: 'Kiel', score: 0.98 }],
  schema: [
    { table: 'boats', keep: 'all' },
    { table: 'ports', keep: ['id', 'name'] },
  ],
  waves: [
    {
      round: 0,
      wave: 0,
      drafts: [{ path: 'semantic-parser', sample: 0 }],
      probability: 0,
      gain: null,
      reason: 'what needs no model comes first',
    },
    { round: 0, wave: 1, drafts: [], probability: 0.8, gain: -0.001, reason: 'a further draft is too dear' },
  ],
  candidates: [
    makeCandidate({
      id: '0/00/semantic-parser/00.00',
      sql: "select count(*) from boats where home_port = 'Kiel'",
      run: ranWith('first'),
      decisions: [{ phrase: 'from', kind: 'column', choice: 'boats.home_port', label: 'home port' }],
    }),
    makeCandidate({
      id: '0/00/semantic-parser/00.01',
      sql: "select count(*) from boats where build_port = 'Kiel'",
      unused: ['year'],
      run: ranWith('second'),
    }),
    makeCandidate({
      id: '0/01/divide-and-conquer/00.00',
      path: 'divide-and-conquer',
      lineage: 'divide-and-conquer/m',
      sql: 'select count(*) from boat',
      repairs: [{ round: 1, sql: 'select', errorClass: 'syntax', message: 'incomplete input' }],
      run: { status: 'failed', errorClass: 'unknown-table', message: 'no such table: boat' },
    }),
    makeCandidate({ id: '0/00/semantic-parser/00.02' }),
  ],
  groups: [
    {
      key: 'first',
      candidateIds: ['0/00/semantic-parser/00.00'],
      representativeId: '0/00/semantic-parser/00.00',
      score: 0.8,
      head: { columns: ['boats'], rows: [['2']] },
    },
    {
      key: 'second',
      candidateIds: ['0/00/semantic-parser/00.01'],
      representativeId: '0/00/semantic-parser/00.01',
      score: 0.1,
      head: null,
    },
  ],
  comparisons: [
    {
      round: 0,
      first: '0/00/semantic-parser/00.00',
      second: '0/00/semantic-parser/00.01',
      winner: 'first',
      by: 'model',
      reason: 'boats come from where they live',
    },
  ],
  reply: null,
  outcome: {
    status: 'answered',
    candidateId: '0/00/semantic-parser/00.00',
    resultId: 'result-of-first',
    sql: "select count(*) from boats where home_port = 'Kiel'",
    confidence: 0.8,
    headline: 'boats: 2',
    assumptions: [],
  },
  cannotAnswer: [
    {
      origin: { attempt: 0, round: 0, sample: 2 },
      path: 'query-plan',
      lineage: 'query-plan/m',
      reason: 'There are no prices.',
    },
  ],
  failures: [{ path: 'divide-and-conquer', sample: 1, message: 'the model hung' }],
  steps: [
    { step: 'find-values', times: 1, milliseconds: 3.2, longest: 3.2, modelCalls: 0 },
    { step: 'draft-sql', times: 3, milliseconds: 90.4, longest: 60.1, modelCalls: 2 },
  ],
  usage: { modelCalls: 2, promptTokens: 900, completionTokens: 80 },
  leftOut: [],
  ...given,
})
