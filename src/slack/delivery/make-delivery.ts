import type { WebClient } from '@slack/web-api'
import type { AnswerReport } from '../../core/answer.ts'
import type { AnswerEvent } from '../../core/answer-event.ts'
import type { AnsweredQuestion, FindAnswered } from '../../core/answered-question.ts'
import type { Delivery, PlacedQuestion } from '../../core/delivery.ts'
import type { Log } from '../../core/log.ts'
import type { OutboundLog } from '../../core/outbound.ts'
import type { LoadResult } from '../../core/saved-result.ts'
import type { SlackMessage } from '../check-message.ts'
import { answerView } from '../views/answer.ts'
import { clarificationView } from '../views/clarification.ts'
import { failureView } from '../views/failure.ts'
import { helpView } from '../views/help.ts'
import { refusalView } from '../views/refusal.ts'
import { workingView } from '../views/working.ts'
import type { PostOnce } from './post-once.ts'
import { sendDownTheLadder } from './send-down-the-ladder.ts'

/** Slack allows about one change of a message a second; progress that comes faster is not shown. */
const PROGRESS_EVERY_MS = 1_200

/** What a delivery needs. */
export interface DeliveryDeps {
  readonly client: WebClient
  /** For progress, which is not worth a second try: the answer waits for what is still on its way. */
  readonly impatientClient: WebClient
  readonly postOnce: PostOnce
  readonly outbound: Pick<OutboundLog, 'find'>
  readonly findAnswered: FindAnswered
  readonly loadResult: LoadResult
  /** Example questions for the help that an empty mention gets. */
  readonly examples: (database: string) => Promise<readonly string[]>
  readonly now: () => Date
  readonly log: Log
}

/** Makes the delivery into Slack: one message a question, posted once and changed from then on. */
export const makeDelivery = (deps: DeliveryDeps): Delivery => {
  const { postOnce, log } = deps
  /** Progress under way, by question: the last change, and when it began. */
  const showing = new Map<string, { last: Promise<unknown>; at: number }>()

  const change = (
    channel: string,
    ts: string,
    message: SlackMessage,
    through: WebClient = deps.client,
  ): Promise<unknown> =>
    sendDownTheLadder(
      message,
      ({ text, blocks }) => through.chat.update({ channel, ts, text, blocks: [...blocks] as never }),
      log,
    )

  const viewOf = async ({ question }: PlacedQuestion, { outcome }: AnswerReport): Promise<SlackMessage> => {
    if (question.text === '') return helpView(question.database, await deps.examples(question.database))
    switch (outcome.status) {
      case 'answered': {
        const answered = await deps.findAnswered(question.id)
        if (!answered) throw new Error(`the answer of question ${question.id} is not stored`)
        return answerMessage(answered)
      }
      case 'needs-clarification':
        return clarificationView(question.id, outcome.clarification)
      case 'refused':
        return refusalView(outcome)
      case 'failed':
        return failureView(outcome)
      default: {
        const never: never = outcome
        return never
      }
    }
  }

  const answerMessage = async (answered: AnsweredQuestion): Promise<SlackMessage> => {
    const table = await deps.loadResult(answered.resultId)
    const empty = { columns: [], rows: [], truncated: null, milliseconds: 0 }
    return answerView({
      ...answered,
      questionId: answered.question.id,
      database: answered.question.database,
      table: table ?? empty,
    })
  }

  const settle = async (questionId: string): Promise<void> => {
    await showing.get(questionId)?.last
    showing.delete(questionId)
  }

  return {
    begin: async ({ question, place }) => {
      await postOnce(question.id, place, workingView('understand'))
    },

    progress: ({ question, place }, event: AnswerEvent) => {
      const current = showing.get(question.id)
      const at = deps.now().getTime()
      if (current && at - current.at < PROGRESS_EVERY_MS) return
      const last = (current?.last ?? Promise.resolve())
        .then(() => deps.outbound.find(question.id, 'reply'))
        .then(
          posted =>
            posted?.ts && change(place.channel, posted.ts, workingView(event.step), deps.impatientClient),
        )
        .catch((error: unknown) => log.debug({ error }, 'progress could not be shown'))
      showing.set(question.id, { last, at })
    },

    settle,

    finish: async (placed, report) => {
      const { question, place } = placed
      // The outcome must be the last change.
      await settle(question.id)
      const message = await viewOf(placed, report)
      const ts = await postOnce(question.id, place, message)
      await change(place.channel, ts, message)
    },

    refresh: async questionId => {
      const answered = await deps.findAnswered(questionId)
      const posted = await deps.outbound.find(questionId, 'reply')
      if (!answered || !posted?.ts) return
      // Rows are kept for a while only. The message still has its table: without the rows it is left as it is.
      if ((await deps.loadResult(answered.resultId)) === null) return
      await change(posted.channel, posted.ts, await answerMessage(answered))
    },
  }
}
