import type { BlockAction, ButtonAction } from '@slack/bolt'
import type { AnsweredQuestion } from '../../../core/answered-question.ts'
import type { ReviewRequest } from '../../../core/human-request.ts'
import type { AnswerUseCases } from '../../answer-use-cases.ts'
import { type Click, readClick } from '../click.ts'

/**
 * A click on a request to look at an answer; null when it is not in the channel where that was posted: only who is in
 * there may decide (threat T7).
 */
export const findReviewClick = async (
  { findAnswered, findRequest }: Pick<AnswerUseCases, 'findAnswered' | 'findRequest'>,
  body: BlockAction,
  action: ButtonAction,
): Promise<{
  readonly click: Click
  readonly request: ReviewRequest
  readonly answered: AnsweredQuestion
} | null> => {
  const click = readClick(body)
  const request = click && action.value ? await findRequest(action.value) : null
  const answered = request && (await findAnswered(request.questionId))
  if (!click || !request || !answered) return null
  return click.channel === request.channel && click.team === answered.place.team
    ? { click, request, answered }
    : null
}
