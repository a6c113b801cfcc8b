import type { AnswerFeedback, StoredFeedback } from '../../../src/domain/feedback.ts'
import type { MeasuredGroup } from '../../../src/domain/selection/ranking.ts'

/** When something was done, in minutes after midnight. */
export const minute = (minutes: number): Date => new Date(Date.UTC(2026, 5, 3, 0, minutes))

export const makeGroup = (key: string, measures: Readonly<Record<string, number>> = {}): MeasuredGroup => ({
  key,
  candidateIds: [`${key}/1`],
  representativeId: `${key}/1`,
  measures,
})

/** Feedback on an answer of three results, `a` being the one that was shown. */
export const makeFeedback = (given: Partial<AnswerFeedback> = {}): AnswerFeedback => ({
  questionId: 'q1',
  question: 'how many bikes?',
  database: 'warehouse',
  snapshot: {
    version: 'shipped',
    groups: [makeGroup('a', { share: 0.6 }), makeGroup('b', { share: 0.3 }), makeGroup('c', { share: 0.1 })],
  },
  votes: [],
  feedback: [],
  reviews: [],
  candidates: ['a', 'b', 'c'].map(key => ({ id: `${key}/1`, lineage: key, sql: `select '${key}'` })),
  ...given,
})

export const makeVote = (
  person: string,
  vote: 'up' | 'down',
  { key = 'a', at = minute(10) } = {},
): AnswerFeedback['votes'][number] => ({ person, vote, candidateId: `${key}/1`, votedAt: at })

export const makeKept = (
  person: string,
  kind: StoredFeedback['kind'],
  changes: Partial<StoredFeedback> = {},
): StoredFeedback => ({
  questionId: 'q1',
  person,
  kind,
  answerKey: 'a',
  groupKey: 'a',
  reason: kind === 'reason' ? 'other' : null,
  note: null,
  sql: kind === 'sql' || kind === 'edit' ? 'select 1' : null,
  givenAt: minute(20),
  ...changes,
})
