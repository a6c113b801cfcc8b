import type { Log } from '../../core/log.ts'
import type { ConsumeRateLimit, RateRule } from '../../core/rate-limit.ts'
import { makeNotifyRefused, type NotifyPrivately } from './tell-refused.ts'

/** Whoever goes on has been told three times: Slack's own limit on what we say is for the others. */
const noticeRate: RateRule = { name: 'told-of-limits', points: 3, windowMs: 60_000 }

/** Makes telling somebody that they ask too much, and when to ask again: with every message, but three times a minute at most. */
export const makeNotifyRateLimited = (deps: {
  readonly take: ConsumeRateLimit
  readonly tellAlone: NotifyPrivately
  readonly log: Log
}): NotifyPrivately => {
  const tell = makeNotifyRefused({ ...deps, claim: async () => true })
  return async (place, person, refusal) => {
    const { status } = await deps.take(noticeRate, `${place.team}:${person}`)
    if (status === 'within') await tell(place, person, refusal)
  }
}
