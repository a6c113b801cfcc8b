import type { NotAllowed } from '../domain/access.ts'
import type { SlackLocation } from '../domain/message.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { ConsumeRateLimit, RateRule } from '../domain/operations/usage.ts'

/**
 * Tells a person privately why they get no answer: where they asked or, with `inThread`, in the thread they are looking
 * at.
 */
export type NotifyPrivately = (
  location: SlackLocation,
  person: string,
  refusal: NotAllowed,
  options?: { readonly inThread: boolean },
) => Promise<void>

/**
 * Notifies once per person and thread; otherwise a person without access would be told again with every message. A
 * failed notification is logged, and the message is not delivered again for it.
 */
export const makeNotifyRefused =
  (deps: {
    /** False if it was claimed before. */
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

/** Three notices are enough; Slack's own rate limit is needed for other people. */
const noticeRate: RateRule = { name: 'told-of-limits', points: 3, windowMs: 60_000 }

/** Tells a person that they ask too often and when to try again: on every message, but at most three times a minute. */
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
