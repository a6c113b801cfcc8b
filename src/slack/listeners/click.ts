import type { BlockAction } from '@slack/bolt'
import type { LocatedQuestion } from '../../core/delivery.ts'

/** Where and by whom a button was clicked. Null for a click that is not on a message of a channel. */
export interface Click {
  readonly team: string
  readonly channel: string
  readonly person: string
  readonly message: string
  readonly thread: string
}

export const readClick = (body: BlockAction): Click | null => {
  const channel = body.channel?.id
  const message = body.container?.type === 'message' ? String(body.container.message_ts ?? '') : ''
  if (!channel || !message) return null
  const thread = String(body.container?.thread_ts ?? body.message?.thread_ts ?? message)
  return { team: body.team?.id ?? body.user.team_id ?? '', channel, person: body.user.id, message, thread }
}

/**
 * Whether a click belongs to a question: a button is good only in the workspace and the channel that its question
 * was asked in, whatever value came with it (threat T7).
 */
export const isClickOnQuestion = (click: Click, placed: Pick<LocatedQuestion, 'place'>): boolean =>
  click.team === placed.place.team && click.channel === placed.place.channel
