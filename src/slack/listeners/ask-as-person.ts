import type { WebClient } from '@slack/web-api'
import type { RequestedDigest } from '../../core/digest-wish.ts'
import type { AskResult } from '../../core/heard-message.ts'
import type { SlackUseCases } from '../use-cases.ts'
import { askedOnBehalfView } from '../views/asked-for.ts'
import { tsToDate } from './ts-to-date.ts'

/**
 * Asks a question of somebody who did not type it as a message: it is posted in that person's name, and answered in the
 * thread below. Whether the person may is asked first, so that nothing is posted that is not answered. Rejects when
 * Slack does not take the post, or the question cannot be stored; then the post is taken away.
 */
export const askOnBehalf = async (
  { ask, whyMayNotAsk }: Pick<SlackUseCases, 'ask' | 'whyMayNotAsk'>,
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
  const refused = await whyMayNotAsk({ person, place: { team, channel } })
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
      ...{ key, text, place, askedBy: person, askedAt: tsToDate(ts) },
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
