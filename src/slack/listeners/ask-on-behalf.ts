import { createHash } from 'node:crypto'
import type { WebClient } from '@slack/web-api'
import type { RequestedDigest } from '../../domain/digest-use-cases.ts'
import type { AskResult } from '../../domain/message.ts'
import type { PendingQuestion } from '../../domain/question.ts'
import { sendEphemeral } from '../delivery/private-messages.ts'
import { slackErrorCode } from '../delivery/slack-errors.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { askedOnBehalfView } from '../views/help.ts'
import { type ButtonClickArgs, readClick } from './clicks.ts'

/**
 * Asks a question of somebody who did not type it as a message: it is posted in that person's name, and answered in the
 * thread below. Whether the person may is asked first, so that nothing is posted that is not answered. Rejects when
 * Slack does not take the post, or the question cannot be stored; then the post is taken away.
 */
export const askOnBehalf = async (
  { ask, findAskRefusal }: Pick<SlackUseCases, 'ask' | 'findAskRefusal'>,
  client: WebClient,
  given: {
    /** Of one key there is one question. */
    readonly key: string
    readonly person: string
    readonly team: string
    readonly channel: string
    readonly text: string
    /** Wanted of its answer. */
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
    // Somebody who asks too much is told alone, and what another process asked meanwhile stands there already.
    if (asked.status !== 'asked') await client.chat.delete({ channel, ts })
    return asked
  } catch (error) {
    await client.chat.delete({ channel, ts }).catch(() => {})
    throw error
  }
}

/** Slack lets nobody into a channel whom nobody invited. */
export const channelAbsentCodes: ReadonlySet<string> = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
])

/**
 * Asks a promised question that nobody came to ask, because the process that acknowledged it died. Who was told
 * something else in the meantime is left alone, and so is whoever cannot be answered where they asked.
 */
export const makeAskPendingQuestion =
  (useCases: Pick<SlackUseCases, 'ask' | 'findAskRefusal' | 'pendingQuestions'>, client: WebClient) =>
  async (promised: PendingQuestion): Promise<void> => {
    const { key, person } = promised
    if (!(await useCases.pendingQuestions.isOpen(key))) return
    try {
      const channel =
        promised.channel ?? (await client.conversations.open({ users: person })).channel?.id ?? null
      if (channel !== null) await askOnBehalf(useCases, client, { ...promised, channel })
    } catch (error) {
      if (!channelAbsentCodes.has(slackErrorCode(error) ?? '')) throw error
    }
  }

/** An example question of the help: asked in the name of whoever clicked. The click's own time makes it one question, and so does a double click. */
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
      if (asked.status === 'not-allowed')
        await sendEphemeral(client, click, `${asked.reason} ${asked.nextStep}`)
    }
    await ack()
  }

/** Two clicks within this are one; after twice this they are two. */
const DOUBLE_CLICK_SECONDS = 5

/**
 * Keys under which a click is claimed, so that a double click asks once. Time is cut into windows, and a click claims its
 * own and the next: a second click in either finds one of its keys taken.
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
