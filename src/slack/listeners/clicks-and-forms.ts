import { setTimeout as sleep } from 'node:timers/promises'
import type {
  AllMiddlewareArgs,
  BlockAction,
  ButtonAction,
  SlackActionMiddlewareArgs,
  SlackViewMiddlewareArgs,
} from '@slack/bolt'
import type { View } from '@slack/types'
import type { AnsweredQuestion, FindAnsweredQuestion } from '../../domain/answer.ts'
import type { LocatedQuestion } from '../../domain/message.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { Modal } from '../block-kit/modal.ts'
import { withNextStep } from '../copy/phrases.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { AnswerUseCases } from '../use-cases.ts'

/** Work that continues after Slack's request was acknowledged, because it may take longer than three seconds. */
export interface Background {
  /** Starts work. A failure is logged: the person can click again. */
  run(what: string, work: () => Promise<unknown>): void
  /** Resolves once all started work has ended. */
  settled(): Promise<void>
}

export const makeBackground = (log: Log): Background => {
  const running = new Set<Promise<unknown>>()
  return {
    run: (what, work) => {
      const done = work()
        .catch((error: unknown) => log.warn({ error }, `${what} failed`))
        .finally(() => running.delete(done))
      running.add(done)
    },
    settled: async () => {
      await Promise.allSettled([...running])
    },
  }
}

/** Slack waits three seconds for the response to a form. */
export const formTimeoutMs = 1_500

/** How the work behind a form ended. */
export type FormOutcome =
  | {
      readonly status: 'done'
      /** Replaces the form if the work was quick; null closes it. */
      readonly ifQuick: Modal | null
      /** Replaces the notice that the work is under way. */
      readonly ifSlow: Modal
      readonly afterwards?: () => Promise<unknown>
    }
  | {
      readonly status: 'refused'
      /** By block of the form; null if the form comes back with something to decide. */
      readonly errors: Readonly<Record<string, string>> | null
      /** The form with what was wrong. */
      readonly reopened: Modal
      /** The same in a sentence, for a person who closed the form meanwhile. */
      readonly problem: string
    }

/**
 * Does the work of a submitted form. A refusal is shown at its field, and the form stays. Work that takes longer than
 * Slack waits goes on behind a notice, which then says how it ended, or becomes the form again with what was wrong.
 * `work` must not reject.
 */
export const finishForm = async (
  { ack, view, client }: SlackViewMiddlewareArgs & AllMiddlewareArgs,
  background: Background,
  given: {
    /** Names the work in the log. */
    readonly what: string
    readonly work: Promise<FormOutcome>
    /** Shown if the work takes longer. */
    readonly running: Modal
    /** Tells a person who closed the form meanwhile. */
    readonly notify: (problem: string) => Promise<unknown>
  },
): Promise<void> => {
  const { what, work } = given
  const quick = await Promise.race([work, sleep(formTimeoutMs, null)])
  if (quick?.status === 'refused') {
    if (quick.errors === null) await ack({ response_action: 'update', view: quick.reopened as View })
    else await ack({ response_action: 'errors', errors: { ...quick.errors } })
    return
  }
  if (quick) {
    if (quick.ifQuick === null) await ack()
    else await ack({ response_action: 'update', view: quick.ifQuick as View })
    const { afterwards } = quick
    if (afterwards) background.run(what, afterwards)
    return
  }
  await ack({ response_action: 'update', view: given.running as View })
  background.run(what, async () => {
    const outcome = await work
    try {
      const next = outcome.status === 'done' ? outcome.ifSlow : outcome.reopened
      await client.views.update({ view_id: view.id, view: next as View })
    } catch {
      // The modal was closed meanwhile; the person must still learn what went wrong.
      if (outcome.status === 'refused') await given.notify(outcome.problem)
    }
    if (outcome.status === 'done') await outcome.afterwards?.()
  })
}

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
 * asked, or in the direct messages of the asker, whatever value came with it.
 */
export const isClickOnQuestion = (click: Click, { question, location }: LocatedQuestion): boolean =>
  click.team === location.team &&
  (click.channel === location.channel || (click.channel.startsWith('D') && click.person === question.askedBy))

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

/**
 * As `findClickedAnswer`, for buttons that show SQL or other words of the answer: they have values of rows. A person who
 * may not see those rows is told so, and gets no answer.
 */
export const findReadableAnswer = async (
  { findAnswered, findRefusal }: Pick<AnswerUseCases, 'findAnswered' | 'findRefusal'>,
  { body, action, client }: Pick<ButtonClickArgs, 'body' | 'action' | 'client'>,
): ReturnType<typeof findClickedAnswer> => {
  const clicked = await findClickedAnswer(findAnswered, body, action)
  if (!clicked) return null
  const refused = await findRefusal(clicked.answered.question.id, clicked.click.person)
  if (!refused) return clicked
  await sendEphemeral(client, clicked.click, withNextStep(refused))
  return null
}

/** The answer that a submitted form is about; null if it belongs to another workspace. */
export const findSubmittedAnswer = async (
  findAnswered: FindAnsweredQuestion,
  { body, view }: Pick<SlackViewMiddlewareArgs, 'body' | 'view'>,
): Promise<AnsweredQuestion | null> => {
  const answered = await findAnswered(view.private_metadata)
  return answered && answered.location.team === body.team?.id ? answered : null
}
