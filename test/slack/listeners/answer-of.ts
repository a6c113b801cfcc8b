import type { AnswerView } from '../../../src/slack/views/answer.ts'

/** An answer of two rows, as plain as it gets but for what is given. */
export const answerOf = (given: Partial<AnswerView> = {}): AnswerView => ({
  questionId: 'q1',
  headline: '2 rows: city, tents',
  table: {
    columns: [
      { name: 'city', kind: 'unknown' },
      { name: 'tents', kind: 'unknown' },
    ],
    rows: [
      ['Oslo', 12],
      [null, 3n],
    ],
    truncated: null,
    milliseconds: 1,
  },
  confidence: 0.83,
  assumptions: ['Tents are counted by city.'],
  database: 'sample company',
  timeZone: 'Europe/Berlin',
  answeredAt: new Date('2026-11-20T20:58:00Z'),
  periods: [],
  filters: [],
  votes: { up: 0, down: 0 },
  revision: null,
  approvedBy: null,
  chart: null,
  canChart: false,
  asksHumans: false,
  isSameForAll: true,
  ...given,
})
