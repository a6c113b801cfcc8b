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
import type { FirstMessage } from './first-message.ts'
import { endStream, type MessageRef, type UpdateMessage } from './post-message.ts'
import { slackErrorCode } from './slack-errors.ts'

/** Slack allows about one change of a message a second; what happens in between is shown with the next change. */
const UPDATE_INTERVAL_MS = 1_200

/** Shows how far questions are, each in its one message. Nothing here ever rejects: progress is not worth a failure. */
export interface Progress {
  /** A question's first message is there and may show progress from now on. */
  open(questionId: string, channel: string, first: FirstMessage): void
  event(questionId: string, event: AnswerEvent): void
  /** Shows nothing more, and waits for what is on its way. What comes after is the outcome. */
  close(questionId: string): Promise<void>
}

interface ProgressState {
  readonly at: MessageRef
  /** A stream is appended to until it dies; then, as any other message, it is changed. */
  way: 'stream' | 'update'
  timeline: Timeline
  shown: Timeline
  /** Milliseconds since 1970 before which nothing is sent. */
  notBefore: number
  timer: NodeJS.Timeout | null
  sending: Promise<void>
}

/** Makes it. `client` is for progress alone: it makes no call again, and fails at once where Slack says to wait. */
export const makeProgress = (deps: {
  readonly client: WebClient
  readonly change: UpdateMessage
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
      if (question.way === 'stream') await client.chat.appendStream({ ...question.at, chunks })
      else await deps.change(question.at, progressView(timeline, questionId), client)
      question.shown = timeline
    } catch (error) {
      log.debug({ error, questionId }, 'progress could not be shown')
      if (error instanceof WebAPIRateLimitedError) {
        question.notBefore = deps.now().getTime() + error.retryAfter * 1_000
      } else if (question.way === 'stream' && slackErrorCode(error) !== null) {
        question.way = 'update'
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
        // What came meanwhile, and what failed, is tried with the next change.
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
        way: streaming ? 'stream' : 'update',
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
      // Ended here, the outcome need not find out first that the message still streams.
      if (question.way === 'stream') {
        await endStream(client, question.at).catch((error: unknown) =>
          log.debug({ error, questionId }, 'a stream could not be ended; the outcome will'),
        )
      }
    },
  }
}
