import type { FeedbackReview } from '../domain/feedback.ts'

/** Lets an admin accept or drop what a person said of answers. Returns how many answers that concerned. */
export type ReviewHeld = (given: {
  readonly person: string
  readonly questionIds: readonly string[]
  readonly decision: FeedbackReview['decision']
  readonly by: string | null
}) => Promise<number>

/** The selector uses a decision at its next training, the experts of a live chooser at once. */
export const makeReviewHeld =
  (deps: {
    readonly review: (
      questionIds: readonly string[],
      given: Omit<Parameters<ReviewHeld>[0], 'questionIds'> & { readonly at: Date },
    ) => Promise<void>
    readonly teachExperts: (questionId: string) => Promise<void>
    readonly now: () => Date
  }): ReviewHeld =>
  async ({ questionIds, ...given }) => {
    await deps.review(questionIds, { ...given, at: deps.now() })
    for (const id of questionIds) await deps.teachExperts(id)
    return questionIds.length
  }
