import type { FeedbackReason, ReviewDecision } from '../../domain/feedback.ts'

/** The form of `Edit & rerun`. */
export const editSqlForm = {
  title: 'Edit & rerun',
  note: 'The answer changes for everyone in the thread, with your name on it. The query can only read, with the same checks and limits as mine.',
} as const

/** The form of `Fix SQL`, for a reviewer. */
export const fixSqlForm = {
  title: 'Fix SQL',
  note: 'Your query replaces the answer. The thread is told that you corrected it.',
} as const

export const sqlModalTitle = 'SQL'

/** A long query is cut into several fields. */
export const sqlFieldLabel = (part: number, parts: number): string =>
  parts === 1 ? 'SQL' : `SQL, part ${part} of ${parts}`

/** The checkbox for a query that is expensive to run. */
export const runAnywayField = { label: 'It reads a lot of data', option: 'Run it anyway' } as const

export const emptySqlText = 'Enter a query to run.'

/** While a query runs longer than Slack waits for a form. */
export const queryRunning = {
  title: 'Running',
  text: 'The query is running. You can close this: the answer in the thread changes when it is done.',
} as const

/** How the change of an answer ended. */
export const revisionTexts = {
  done: { title: 'Done', text: 'The answer in the thread now shows your result.' },
  notShown: {
    title: 'Saved, but not shown',
    text: 'Your change is saved, but I could not update the message in the thread. Show SQL and Export CSV below it have your result.',
  },
  notChanged: { title: 'Not changed' },
  broken: (reason: string): string => `That did not work: ${reason}`,
  unfit: (reason: string): string => `I did not run it: ${reason}`,
  /** For a person who closed the form in which it would be decided. */
  useFormAgain: 'Use the form again to run it anyway.',
} as const

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

/** A request to review an answer. `question` and `headline` are quoted below it. */
export const reviewRequestText = (asker: string, question: string, headline: string): string =>
  `${asker} asks whether this answer is right:\n>${question}\n*${headline}*`

/** For notifications. */
export const reviewRequestSummary = (question: string): string => `Is this answer right? ${question}`

export const queryTooLongText = 'The query is too long to show here. Show SQL has all of it.'

const decisionVerbs: Readonly<Record<ReviewDecision, string>> = {
  approved: 'confirmed it',
  fixed: 'corrected it',
  rejected: 'rejected it',
}

/** Below a request, once it is decided. */
export const decidedText = (person: string, decision: ReviewDecision, reason: string | null): string =>
  `${person} ${decisionVerbs[decision]}${reason === null ? '.' : `: ${reason}`} The thread was told.`

/** What the thread is told. `headline` is the answer's as it is now. */
export const decisionText = (given: {
  readonly asker: string
  readonly reviewer: string
  readonly decision: ReviewDecision
  readonly headline: string
  readonly reason: string | null
}): string => {
  const { asker, reviewer, decision, headline, reason } = given
  switch (decision) {
    case 'approved':
      return `${asker} ${reviewer} confirmed this answer: *${headline}*`
    case 'fixed':
      return `${asker} ${reviewer} corrected this answer. It now says: *${headline}*`
    case 'rejected':
      return `${asker} ${reviewer} says this answer is wrong${reason === null ? '.' : `: ${reason}`}`
    default: {
      const never: never = decision
      return never
    }
  }
}

/** In the thread, if I am not in the review channel. */
export const reviewersUnreachable = {
  reason: 'I could not ask for a review: I am not in the review channel.',
  nextStep:
    'An admin can invite me, or name another channel as `slack.humansChannel` in querent.yml. Then ask again.',
} as const

export const rejectForm = {
  title: 'Reject the answer',
  label: 'What is wrong with it?',
  hint: 'Your reason is posted in the thread of the question, with your name.',
  empty: 'Enter what is wrong with it.',
} as const

/** What `Ask a human` says to the person who clicked. */
export const reviewReplies = {
  asked: 'I asked for a review. The decision comes in this thread.',
  already: 'A review was already requested. Its decision comes in this thread, or is already here.',
  nobody: 'There is nobody to ask yet. An admin can name a channel as `slack.humansChannel` in querent.yml.',
} as const

/** The owner's verified query, by its question. */
export const staleTitle = (question: string, database: string): string =>
  `Your verified query for “${question}” on ${database} may be out of date:`

export const cannotKeep = (reason: string): string => `I can't keep it: ${reason}`

export const staleNote =
  "I don't use it until you decide. Keep runs it first, and uses it again if that works."

/** Why a query cannot be kept, if its question was saved again. */
export const otherQueryTakenText = 'its question has another verified query now.'

/** The subject of the sentences below. */
const subject = (question: string | null): string =>
  question === null ? 'The verified query' : `The verified query for “${question}”`

/** What became of an outdated query: the fact, and what it means. */
export const settledTexts = {
  /** `rows`: null for a person who may not see them. */
  kept: (question: string, rows: string | null) => ({
    reason: `${subject(question)} is in use again.`,
    nextStep: `It ${rows === null ? 'just ran' : `just returned ${rows}`} and fits the tables as they are now.`,
  }),
  removed: (question: string | null) => ({
    reason: `${subject(question)} is removed.`,
    nextStep: 'I no longer answer from it. Save its question again to replace it.',
  }),
  gone: { reason: `${subject(null)} is no longer stored.`, nextStep: 'There is nothing left to decide.' },
  decided: (question: string, status: string) => ({
    reason: `${subject(question)} was already decided: it is ${status}.`,
    nextStep: 'There is nothing left to decide.',
  }),
} as const

export const expensiveTitle = (question: string, database: string): string =>
  `Your verified query for “${question}” on ${database} is too expensive to rerun automatically.`

/** If the database no longer says what makes a query expensive. */
export const expensiveReason = 'It reads more rows than I read without asking.'

export const expensiveNote =
  'It stays in use, and I ask people before I run it. I no longer check whether its result still holds. Save a cheaper query, or ask an admin to raise `heavyRows` of the database. You get this notice once.'
