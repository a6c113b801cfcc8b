import type { AnyBlock } from '@slack/types'
import type { WebClient } from '@slack/web-api'
import type { LocatedQuestion } from '../../core/delivery.ts'
import { initialTimeline, stopButtonRow, timelineChunks } from '../views/working.ts'

/** Begins a streaming message with the timeline and `Stop`, and returns its `ts`. Null where nobody can be streamed to. */
export type StartStream = (placed: LocatedQuestion) => Promise<string | null>

/** Makes it. In a channel Slack streams to one person, the asker; everybody else sees the message as it began, and the end. */
export const makeStartStream =
  (poster: WebClient): StartStream =>
  async ({ question, place }) => {
    if (!question.askedBy) return null
    const started = await poster.chat.startStream({
      channel: place.channel,
      thread_ts: place.thread,
      recipient_team_id: place.team,
      recipient_user_id: question.askedBy,
      task_display_mode: 'timeline',
      chunks: [
        ...timelineChunks(initialTimeline),
        { type: 'blocks', blocks: [stopButtonRow(question.id)] as unknown as AnyBlock[] },
      ],
    })
    return started.ts ?? null
  }
