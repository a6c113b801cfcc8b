import type {
  AllMiddlewareArgs,
  BlockAction,
  ButtonAction,
  SlackActionMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt'
import type { AnsweredQuestion, FindAnsweredQuestion } from '../../domain/answer.ts'
import type { LocatedQuestion } from '../../domain/message.ts'

/** Where a button was clicked, and by whom. */
export interface Click {
  readonly team: string
  readonly channel: string
  readonly person: string
  readonly message: string
  readonly thread: string
}

/** Reads a click; null for one that is not on a message in a channel. */
export const readClick = (body: BlockAction): Click | null => {
  const channel = body.channel?.id
  const message = body.container?.type === 'message' ? String(body.container.message_ts ?? '') : ''
  if (!channel || !message) return null
  const thread = String(body.container?.thread_ts ?? body.message?.thread_ts ?? message)
  return { team: body.team?.id ?? body.user.team_id ?? '', channel, person: body.user.id, message, thread }
}

/**
 * Whether a click belongs to a question: a button is valid only in the workspace and channel where its question was
 * asked, whatever value came with it.
 */
export const isClickOnQuestion = (click: Click, placed: Pick<LocatedQuestion, 'location'>): boolean =>
  click.team === placed.location.team && click.channel === placed.location.channel

/** What Bolt passes to the listener of a button. */
export type ButtonClickArgs = SlackActionMiddlewareArgs<BlockAction<ButtonAction>> & AllMiddlewareArgs

/** A click on a button of an answer, and the answer; null if the button does not belong to it. */
export const findClickedAnswer = async (
  findAnswered: FindAnsweredQuestion,
  body: BlockAction,
  action: ButtonAction,
): Promise<{ readonly click: Click; readonly answered: AnsweredQuestion } | null> => {
  const click = readClick(body)
  const answered = click && action.value ? await findAnswered(action.value) : null
  return click && answered && isClickOnQuestion(click, answered) ? { click, answered } : null
}

/** The answer that a submitted form is about; null if it belongs to another workspace. */
export const findSubmittedAnswer = async (
  findAnswered: FindAnsweredQuestion,
  { body, view }: Pick<SlackViewMiddlewareArgs, 'body' | 'view'>,
): Promise<AnsweredQuestion | null> => {
  const answered = await findAnswered(view.private_metadata)
  return answered && answered.location.team === body.team?.id ? answered : null
}
