import type { Clarification, ReplyToClarification } from '../../core/clarification.ts'

/** Takes the stated default when nobody has replied in time. Does nothing when somebody has. */
export type ExpireClarification = (questionId: string) => Promise<void>

/** Makes the use case: it claims the same row of replies as a click does, so that one of the two wins. */
export const makeExpireClarification =
  (deps: {
    readonly findClarification: (questionId: string) => Promise<Clarification | null>
    readonly reply: ReplyToClarification
  }): ExpireClarification =>
  async questionId => {
    const clarification = await deps.findClarification(questionId)
    if (!clarification) return
    await deps.reply({
      questionId,
      reply: { kind: 'option', number: clarification.defaultOption + 1, expired: true },
      repliedBy: null,
    })
  }
