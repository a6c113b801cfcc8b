import type { FeedbackReason } from '../../domain/feedback.ts'

/** Above the form that a thumb down opens. */
export const feedbackForm = {
  title: 'What was wrong?',
  reason: 'What was wrong?',
  note: 'In your own words',
  otherResult: 'Is one of these the right result?',
  sql: 'The correct SQL, if you know it',
  sqlHint: 'I check and run it like my own. Its result replaces the answer, with your name on it.',
} as const

/** Reasons to choose from in that form. */
export const feedbackReasonLabels: Readonly<Record<FeedbackReason, string>> = {
  'wrong-table': 'Wrong table or column',
  'wrong-filter': 'Wrong filter',
  'wrong-grouping': 'Wrong grouping or total',
  'wrong-period': 'Wrong period',
  format: 'Wrong format',
  'stale-data': 'Data is out of date',
  other: 'Something else',
}

/** "Result 2", with its size where it is one of several to choose from. */
export const resultName = (number: number, size?: string): string =>
  size === undefined ? `Result ${number}` : `Result ${number}: ${size}`
