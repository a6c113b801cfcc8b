import { createHash } from 'node:crypto'
import type { WebClient } from '@slack/web-api'
import type { RequestedDigest } from '../../domain/digests/use-cases.ts'
import type { AskResult } from '../../domain/message.ts'
import type { PendingQuestion } from '../../domain/question.ts'
import { withNextStep } from '../copy/phrases.ts'
import { slackErrorCode } from '../delivery/client.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { askedOnBehalfView } from '../views/replies.ts'
import { type ButtonClickArgs, readClick } from './clicks-and-forms.ts'

/**
 * Asks a question for a person who did not type it as a message: it is posted in their name, and answered in the thread
 * below. Permission is checked first, so that nothing is posted without an answer. Rejects if Slack does not take the
 * post, or if the question cannot be stored; then the post is deleted.
 */
export const askOnBehalf = async (
  { ask, findAskRefusal }: Pick<SlackUseCases, 'ask' | 'findAskRefusal'>,
  client: WebClient,
  given: {
    /** Two questions with the same key are one. */
    readonly key: string
    readonly person: string
    readonly team: string
    readonly channel: string
    readonly text: string
    /** To be made of its answer. */
    readonly digest?: RequestedDigest
  },
): Promise<AskResult> => {
  const { key, person, team, channel, text, digest } = given
  const refused = await findAskRefusal({ person, location: { team, channel } })
  if (refused) return refused
  const view = askedOnBehalfView(person, text)
  const { ts } = await client.chat.postMessage({
    channel,
    text: view.text,
    blocks: [...view.blocks] as never,
  })
  if (ts === undefined) throw new Error('Slack did not tell under which id it posted a question')
  try {
    const place = { team, channel, thread: ts, message: ts }
    const asked = await ask({
      ...{ key, text, location: place, askedBy: person, askedAt: tsToDate(ts) },
      ...(digest && { digest }),
    })
    // A person who asks too often is told privately, and a question that another process asked is already posted.
    if (asked.status !== 'asked') await client.chat.delete({ channel, ts })
    return asked
  } catch (error) {
    await client.chat.delete({ channel, ts }).catch(() => {})
    throw error
  }
}

/** Slack's codes for a channel that we are not in. */
export const channelAbsentCodes: ReadonlySet<string> = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
])

/**
 * Asks a question that was acknowledged but never asked, because its process died. It is dropped if the person was told
 * something else meanwhile, or cannot be answered where they asked.
 */
export const makeAskPendingQuestion =
  (useCases: Pick<SlackUseCases, 'ask' | 'findAskRefusal' | 'pendingQuestions'>, client: WebClient) =>
  async (pending: PendingQuestion): Promise<void> => {
    const { key, person } = pending
    if (!(await useCases.pendingQuestions.isOpen(key))) return
    try {
      const channel =
        pending.channel ?? (await client.conversations.open({ users: person })).channel?.id ?? null
      if (channel !== null) await askOnBehalf(useCases, client, { ...pending, channel })
    } catch (error) {
      if (!channelAbsentCodes.has(slackErrorCode(error) ?? '')) throw error
    }
  }

/** An example question, asked in the name of the person who clicked. A double click asks it once. */
export const makeExampleClick =
  ({ ask }: Pick<SlackUseCases, 'ask'>) =>
  async ({ ack, action, body, client }: ButtonClickArgs): Promise<void> => {
    const click = readClick(body)
    if (click && action.value) {
      const asked = await ask({
        text: action.value,
        location: {
          team: click.team,
          channel: click.channel,
          thread: click.thread,
          message: `${click.message}/${action.action_ts}`,
        },
        askedBy: click.person,
        askedAt: tsToDate(action.action_ts),
        claims: doubleClickKeys(
          {
            person: click.person,
            where: `${click.team} ${click.channel} ${click.message}`,
            text: action.value,
          },
          tsToDate(action.action_ts),
        ),
      })
      if (asked.status === 'not-allowed') await sendEphemeral(client, click, withNextStep(asked))
    }
    await ack()
  }

/** Two clicks within this time are one; after twice this time they are two. */
const DOUBLE_CLICK_SECONDS = 5

/**
 * Keys under which a click is claimed, so that a double click asks once. Time is divided into windows, and a click claims
 * its own and the next: a second click in either finds one of its keys taken.
 */
export const doubleClickKeys = (
  clicked: { readonly person: string; readonly where: string; readonly text: string },
  clickedAt: Date,
): readonly string[] => {
  const { person, where, text } = clicked
  const what = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const window = Math.floor(clickedAt.getTime() / 1_000 / DOUBLE_CLICK_SECONDS)
  return [window, window + 1].map(n => `click ${where} ${person} ${what} ${n}`)
}

/** Slack's ids of messages are seconds since 1970 with six decimals. */
export const tsToDate = (ts: string): Date => new Date(Math.round(Number(ts) * 1000))
