import type { RecordLog } from '../record/make-log.ts'
import type { Delivery } from '../record/records.ts'
import { signRequest } from './sign-request.ts'

/** A request to the bot, and how it is recorded. */
interface Sent {
  readonly kind: Delivery['kind']
  readonly type: string
  readonly eventId: string | null
  readonly retry: number
  readonly retryReason: string | null
  readonly contentType: string
  readonly body: string
  /** The body as it is recorded: parsed, so that people can read it. */
  readonly shown: unknown
}

/** The bot's response. `text` is empty unless the request was acknowledged. */
export interface Heard {
  readonly outcome: Delivery['outcome']
  readonly status: number | null
  readonly ms: number
  readonly text: string
  /** The bot asked for no further delivery of this event. */
  readonly noRetry: boolean
}

/** Sends one signed request to the bot, waits as long as Slack would, and records how it went. Never throws. */
export type SendToBot = (sent: Sent) => Promise<Heard>

export const makeSendToBot = (deps: {
  /** The URL of each process of the bot. Requests rotate among those that listen, as behind a load balancer. */
  readonly botUrls: () => readonly string[]
  readonly signingSecret: string
  readonly answerWithin: number
  readonly now: () => Date
  readonly deliveries: RecordLog<Delivery>
  readonly closing: AbortSignal
}): SendToBot => {
  let turn = 0
  const nothing = { status: null, text: '', noRetry: false }

  const post = async (sent: Sent): Promise<Omit<Heard, 'ms'>> => {
    const urls = deps.botUrls()
    const first = turn++
    for (let n = 0; n < urls.length; n++) {
      const heard = await postTo(urls[(first + n) % urls.length] ?? '', sent)
      if (heard !== null) return heard
    }
    return { ...nothing, outcome: 'unreachable' }
  }

  /** Null if no process listens; then nothing was sent. */
  const postTo = async (url: string, sent: Sent): Promise<Omit<Heard, 'ms'> | null> => {
    const tooLate = AbortSignal.timeout(deps.answerWithin)
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          'content-type': sent.contentType,
          'user-agent': 'Slackbot 1.0 (simulator)',
          ...signRequest(deps.signingSecret, sent.body, deps.now()),
          ...(sent.retry > 0
            ? {
                'x-slack-retry-num': String(sent.retry),
                'x-slack-retry-reason': sent.retryReason ?? 'unknown_error',
              }
            : {}),
        },
        body: sent.body,
        redirect: 'manual',
        signal: AbortSignal.any([tooLate, deps.closing]),
      })
      const text = await response.text()
      const noRetry = response.headers.get('x-slack-no-retry') === '1'
      return { outcome: response.ok ? 'acknowledged' : 'refused', status: response.status, text, noRetry }
    } catch (error) {
      if (!tooLate.aborted && isRefused(error)) return null
      return { ...nothing, outcome: tooLate.aborted ? 'timed-out' : 'unreachable' }
    }
  }

  return async sent => {
    const at = deps.now().getTime()
    const started = performance.now()
    const heard = await post(sent)
    const ms = Math.round(performance.now() - started)
    const { kind, type, eventId, retry, retryReason, shown } = sent
    const { outcome, status } = heard
    deps.deliveries.add({ at, kind, type, eventId, retry, retryReason, outcome, status, ms, body: shown })
    return { ...heard, ms }
  }
}

const isRefused = (error: unknown): boolean =>
  error instanceof TypeError &&
  error.cause instanceof Error &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED'
