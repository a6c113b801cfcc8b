import type { Log } from '../../core/log.ts'
import type { RateRule, TakeRate } from '../../core/rate-limit.ts'
import { makeTellRefused, type TellAlone } from './tell-refused.ts'

/** Whoever goes on has been told three times: Slack's own limit on what we say is for the others. */
const told: RateRule = { name: 'told-of-limits', points: 3, windowMs: 60_000 }

/** Makes telling somebody that they ask too much, and when to ask again: with every message, but three times a minute at most. */
export const makeTellLimited = (deps: {
  readonly take: TakeRate
  readonly tellAlone: TellAlone
  readonly log: Log
}): TellAlone => {
  const tell = makeTellRefused({ ...deps, claim: async () => true })
  return async (place, person, refusal) => {
    const { status } = await deps.take(told, `${place.team}:${person}`)
    if (status === 'within') await tell(place, person, refusal)
  }
}
