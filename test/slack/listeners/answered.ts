import type { AlternativeResult, AnsweredQuestion } from '../../../src/domain/answer.ts'
import type { ReviewRequest } from '../../../src/domain/feedback.ts'

/** An answer in a thread, as it was first given. */
export const answered: AnsweredQuestion = {
  question: {
    id: '7d444840-9dc0-11d1-b245-5ffdce74fad2',
    key: 'T1:C1:1.1',
    text: 'how many tents are there by city?',
    database: 'outdoor',
    askedAt: new Date('2026-11-20T20:57:00Z'),
    timeZone: 'UTC',
    askedBy: 'U0000AAA',
  },
  location: { team: 'T1', channel: 'C1', thread: '1.1', message: '1.1' },
  sql: 'SELECT city, count(*) FROM tents GROUP BY city',
  resultId: 'r1',
  confidence: 0.8,
  headline: '2 rows: city, count',
  assumptions: [],
  alternatives: [],
  votes: { up: 0, down: 0 },
  candidateId: 'c1',
  answeredAt: new Date('2026-11-20T20:58:00Z'),
  revision: null,
  approvedBy: null,
  display: null,
  periods: [],
  filters: [],
}

/** People were asked to look at it. */
export const request: ReviewRequest = {
  questionId: answered.question.id,
  channel: 'C2',
  sql: answered.sql,
  resultId: answered.resultId,
  headline: answered.headline,
  askedBy: 'U0000AAA',
  askedAt: new Date('2026-11-20T21:00:00Z'),
  decided: null,
}

export const otherResult: AlternativeResult = {
  groupKey: 'g2',
  candidateId: 'c2',
  score: 0.15,
  sql: 'SELECT town, count(*) FROM tents GROUP BY town',
  rowCount: 3,
  head: {
    columns: ['town', 'count'],
    rows: [
      ['Ulm', '3'],
      ['<!channel>', '2'],
      ['```', ''],
    ],
  },
}
