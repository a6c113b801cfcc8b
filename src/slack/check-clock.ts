import { clockText } from './copy/phrases.ts'

/** Slack takes requests from five minutes before and after its time, and so do we. */
const mostSecondsApart = 300

/** How often Slack's time is looked up; a probe looks every few seconds. */
const everyMs = 5 * 60_000

const timeoutMs = 2_000

const slackApi = 'https://slack.com/api/'

/**
 * Compares our clock with Slack's, by the date of a response. A clock that is too far off makes every signed request
 * look like a recorded one. Null if it is near enough, or if Slack does not answer: that is not the clock's fault.
 */
export const makeCheckClock = ({
  apiUrl,
  now,
}: {
  readonly apiUrl: string | null
  readonly now: () => number
}): (() => Promise<string | null>) => {
  let known: { readonly at: number; readonly apartSeconds: number } | null = null
  return async () => {
    if (known === null || Math.abs(now() - known.at) > everyMs) {
      const slackTime = await readSlackTime(apiUrl ?? slackApi)
      known = { at: now(), apartSeconds: slackTime === null ? 0 : (now() - slackTime) / 1_000 }
    }
    const { apartSeconds } = known
    if (Math.abs(apartSeconds) <= mostSecondsApart) return null
    return clockText(Math.round(Math.abs(apartSeconds) / 60), apartSeconds > 0)
  }
}

/** Milliseconds since 1970, to the second; null if there is no answer. */
const readSlackTime = async (apiUrl: string): Promise<number | null> => {
  try {
    const response = await fetch(new URL('api.test', apiUrl), {
      method: 'POST',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const time = Date.parse(response.headers.get('date') ?? '')
    await response.body?.cancel()
    return Number.isNaN(time) ? null : time
  } catch {
    return null
  }
}
