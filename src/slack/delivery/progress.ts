import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api'
import type { AnswerEvent } from '../../domain/answer.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import {
  advanceTimeline,
  initialTimeline,
  progressView,
  type Timeline,
  timelineChunks,
} from '../views/progress.ts'
import { slackErrorCode } from './client.ts'
import type { FirstMessage } from './first-message.ts'
import { endStream, type MessageRef, type UpdateMessage } from './post-message.ts'

/** Slack allows about one update of a message per second; events in between are shown with the next update. */
const UPDATE_INTERVAL_MS = 1_200

/** Shows the progress of questions, each in its one message. Never rejects: progress is not worth a failure. */
export interface Progress {
  /** A question's first message is posted and can show progress from now on. */
  open(questionId: string, channel: string, first: FirstMessage): void
  event(questionId: string, event: AnswerEvent): void
  /** Stops showing progress, and waits for the update that is under way. The outcome follows. */
  close(questionId: string): Promise<void>
}

interface ProgressState {
  readonly at: MessageRef
  /** A stream is appended to until it ends; then, like any other message, it is updated. */
  mode: 'stream' | 'update'
  timeline: Timeline
  shown: Timeline
  /** Milliseconds since 1970 before which nothing is sent. */
  notBefore: number
  timer: NodeJS.Timeout | null
  sending: Promise<void>
}

/** `client` is for progress only: it retries nothing, and fails at once if Slack says to wait. */
export const makeProgress = (deps: {
  readonly client: WebClient
  readonly update: UpdateMessage
  readonly now: () => Date
  readonly log: Log
}): Progress => {
  const { client, log } = deps
  const open = new Map<string, ProgressState>()

  const send = async (questionId: string, question: ProgressState): Promise<void> => {
    const { timeline } = question
    const chunks = timelineChunks(timeline, question.shown)
    if (chunks.length === 0) return
    question.notBefore = deps.now().getTime() + UPDATE_INTERVAL_MS
    try {
      if (question.mode === 'stream') await client.chat.appendStream({ ...question.at, chunks })
      else await deps.update(question.at, progressView(timeline, questionId), client)
      question.shown = timeline
    } catch (error) {
      log.debug({ error, questionId }, 'progress could not be shown')
      if (error instanceof WebAPIRateLimitedError) {
        question.notBefore = deps.now().getTime() + error.retryAfter * 1_000
      } else if (question.mode === 'stream' && slackErrorCode(error) !== null) {
        question.mode = 'update'
      }
    }
  }

  const schedule = (questionId: string, question: ProgressState): void => {
    if (question.timer !== null) return
    const wait = Math.max(0, question.notBefore - deps.now().getTime())
    question.timer = setTimeout(() => {
      question.timer = null
      question.sending = question.sending.then(async () => {
        await send(questionId, question)
        // Events that came meanwhile, and what failed, go out with the next update.
        if (open.get(questionId) === question && question.shown !== question.timeline)
          schedule(questionId, question)
      })
    }, wait)
    question.timer.unref()
  }

  return {
    open: (questionId, channel, { ts, streaming }) => {
      open.set(questionId, {
        at: { channel, ts },
        mode: streaming ? 'stream' : 'update',
        timeline: initialTimeline,
        shown: streaming ? initialTimeline : [],
        notBefore: deps.now().getTime() + UPDATE_INTERVAL_MS,
        timer: null,
        sending: Promise.resolve(),
      })
    },
    event: (questionId, event) => {
      const question = open.get(questionId)
      if (!question) return
      question.timeline = advanceTimeline(question.timeline, event)
      schedule(questionId, question)
    },
    close: async questionId => {
      const question = open.get(questionId)
      if (!question) return
      open.delete(questionId)
      if (question.timer) clearTimeout(question.timer)
      await question.sending
      // With the stream ended here, the outcome does not fail first on a message that still streams.
      if (question.mode === 'stream') {
        await endStream(client, question.at).catch((error: unknown) =>
          log.debug({ error, questionId }, 'a stream could not be ended; the outcome will'),
        )
      }
    },
  }
}
