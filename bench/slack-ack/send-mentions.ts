import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signRequest } from '../../simulator/delivery/sign-request.ts'

/** One event, as it went. Times are of `performance.now()`. */
export interface SentEvent {
  /** Of the message, which both events of a mention share. */
  readonly ts: string
  readonly sentAt: number
  readonly ms: number
  /** Deliveries it took; more than 1 when Slack would have had to try again. */
  readonly tries: number
  readonly acknowledged: boolean
  /** Whether the question was in the store when the acknowledgement came. */
  readonly stored: boolean
}

/** What is sent, and how fast. */
export interface SendOptions {
  readonly botUrl: string
  readonly signingSecret: string
  readonly team: { readonly id: string; readonly botUser: string }
  readonly questions: readonly string[]
  readonly eventsPerSecond: number
  readonly seconds: number
  /** Whether the question of a message is committed. */
  readonly isStored: (channel: string, ts: string) => Promise<boolean>
}

/** Slack waits this long and tries three more times: at once, after a minute, after five; shortened here. */
const ANSWER_WITHIN_MS = 3_000
const RETRY_AFTER_MS = [0, 1_000, 5_000]

/**
 * Sends mentions at an even pace, whether answers come or not (an open loop: a slow bot is not given time). Each
 * mention is two events, `app_mention` and `message`, sent at the same moment as Slack does.
 */
export const sendMentions = async (options: SendOptions): Promise<readonly SentEvent[]> => {
  const { eventsPerSecond, seconds, questions, team } = options
  const mentions = (eventsPerSecond * seconds) / 2
  const began = performance.now()
  const epoch = Math.floor(Date.now() / 1_000)
  const sending: Promise<SentEvent>[] = []
  for (let i = 0; i < mentions; i++) {
    const due = began + (i * 2_000) / eventsPerSecond
    await sleep(Math.max(0, due - performance.now()))
    const ts = `${epoch}.${String(i + 1).padStart(6, '0')}`
    const message = {
      user: `U${i % 50}`,
      text: `<@${team.botUser}> ${questions[i % questions.length]}`,
      ts,
      channel: `C${i % 20}`,
      event_ts: ts,
      team: team.id,
    }
    sending.push(deliver({ ...message, type: 'app_mention' }, options))
    sending.push(deliver({ ...message, type: 'message', channel_type: 'channel' }, options))
  }
  return Promise.all(sending)
}

const deliver = async (
  event: { readonly channel: string; readonly ts: string; readonly [field: string]: unknown },
  options: SendOptions,
): Promise<SentEvent> => {
  const { channel, ts } = event
  const body = JSON.stringify({
    token: 'bench',
    team_id: options.team.id,
    api_app_id: 'A0BENCH',
    event,
    type: 'event_callback',
    event_id: `Ev${randomBytes(6).toString('hex')}`,
    event_time: Math.floor(Date.now() / 1_000),
    authorizations: [{ team_id: options.team.id, user_id: options.team.botUser, is_bot: true }],
  })
  const sentAt = performance.now()
  let tries = 0
  let ms = 0
  for (const pause of [0, ...RETRY_AFTER_MS]) {
    await sleep(pause)
    tries += 1
    const tried = performance.now()
    const ok = await fetch(options.botUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signRequest(options.signingSecret, body, new Date()),
        ...(tries > 1 ? { 'x-slack-retry-num': String(tries - 1) } : {}),
      },
      body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
      .then(async response => {
        await response.arrayBuffer()
        return response.ok
      })
      .catch(() => false)
    ms = performance.now() - tried
    if (ok) return { ts, sentAt, ms, tries, acknowledged: true, stored: await options.isStored(channel, ts) }
  }
  return { ts, sentAt, ms, tries, acknowledged: false, stored: await options.isStored(channel, ts) }
}
