import type { ReviewDecision } from '../../domain/feedback.ts'

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
