import type { BlockAction, ButtonAction } from '@slack/bolt'
import type { AnsweredQuestion, FindAnsweredQuestion } from '../../core/answered-question.ts'
import { type Click, isClickOnQuestion, readClick } from './click.ts'

/** A click on a button of an answer, and the answer; null when the button does not belong to it (threat T7). */
export const findClickedAnswer = async (
  findAnswered: FindAnsweredQuestion,
  body: BlockAction,
  action: ButtonAction,
): Promise<{ readonly click: Click; readonly answered: AnsweredQuestion } | null> => {
  const click = readClick(body)
  const answered = click && action.value ? await findAnswered(action.value) : null
  return click && answered && isClickOnQuestion(click, answered) ? { click, answered } : null
}
