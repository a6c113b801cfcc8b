import type { NotAllowed } from '../domain/access.ts'
import type { SlackLocation } from '../domain/message.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { ConsumeRateLimit, RateRule } from '../domain/operations/usage.ts'

/**
 * Tells somebody alone why they are not answered: where they asked, or in the thread below it, with `inThread`, where that
 * is what they look at.
 */
export type NotifyPrivately = (
  location: SlackLocation,
  person: string,
  refusal: NotAllowed,
  options?: { readonly inThread: boolean },
) => Promise<void>

/**
 * Makes telling that happens once a person and thread: in a thread of ours, somebody who may not ask would be told so
 * again with every word. That it could not be told is logged; the message is not delivered again for it.
 */
export const makeNotifyRefused =
  (deps: {
    /** False when it was claimed before. */
    readonly claim: (key: string) => Promise<boolean>
    readonly notifyPrivately: NotifyPrivately
    readonly log: Log
  }): NotifyPrivately =>
  async (location, person, refusal) => {
    const { team, channel, thread } = location
    if (!(await deps.claim(`refused:${team}:${channel}:${thread}:${person}`))) return
    await deps.notifyPrivately(location, person, refusal).catch((error: unknown) => {
      deps.log.warn({ error, channel, person }, 'could not tell a person why their question was refused')
    })
  }

/** Whoever goes on has been told three times: Slack's own limit on what we say is for the others. */
const noticeRate: RateRule = { name: 'told-of-limits', points: 3, windowMs: 60_000 }

/** Makes telling somebody that they ask too much, and when to ask again: with every message, but three times a minute at most. */
export const makeNotifyRateLimited = (deps: {
  readonly consume: ConsumeRateLimit
  readonly notifyPrivately: NotifyPrivately
  readonly log: Log
}): NotifyPrivately => {
  const notify = makeNotifyRefused({ ...deps, claim: async () => true })
  return async (location, person, refusal) => {
    const { status } = await deps.consume(noticeRate, `${location.team}:${person}`)
    if (status === 'within') await notify(location, person, refusal)
  }
}
