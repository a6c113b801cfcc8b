import type { SlackViewMiddlewareArgs } from '@slack/bolt'
import type { AnsweredQuestion, FindAnsweredQuestion } from '../../core/answered-question.ts'

/** The answer that a submitted form is about; null when it is not of the workspace of whoever submits it (threat T7). */
export const findSubmittedAnswer = async (
  findAnswered: FindAnsweredQuestion,
  { body, view }: Pick<SlackViewMiddlewareArgs, 'body' | 'view'>,
): Promise<AnsweredQuestion | null> => {
  const answered = await findAnswered(view.private_metadata)
  return answered && answered.place.team === body.team?.id ? answered : null
}
