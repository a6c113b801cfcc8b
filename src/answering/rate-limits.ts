import type { NotAllowed } from '../domain/access/access.ts'
import type { LocatedQuestion, SlackLocation } from '../domain/message.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { ConsumeRateLimit, RateRule } from '../domain/operations/usage.ts'
import type { FindRefusal } from './require-permission.ts'

/** Counts an action of a person. Null while it is within every limit, otherwise the refusal to show. */
export type CheckRateLimit = (asker: {
  readonly person: string
  readonly team: string
}) => Promise<NotAllowed | null>

/** A limit, its scope, and its label: "20 questions a minute". */
export interface RateLimit {
  readonly scope: 'person' | 'team'
  readonly rule: RateRule
  readonly label: string
}

/**
 * Checks limits in order. What exceeds one limit does not count against later ones, so a person who asks too often does
 * not use up the workspace's limit. Personal limits do not apply to admins.
 */
export const makeCheckRateLimit =
  (deps: {
    readonly limits: readonly RateLimit[]
    readonly consume: ConsumeRateLimit
    readonly isAdmin: (person: string) => boolean
    /** Called with the name of the exceeded limit. */
    readonly onExceeded?: (rule: string) => void
  }): CheckRateLimit =>
  async ({ person, team }) => {
    for (const { scope, rule, label: told } of deps.limits) {
      if (scope === 'person' && deps.isAdmin(person)) continue
      const verdict = await deps.consume(rule, scope === 'team' ? team : `${team}:${person}`)
      if (verdict.status === 'within') continue
      deps.onExceeded?.(rule.name)
      return {
        status: 'not-allowed',
        reason: `You have reached the limit of ${told}.`,
        nextStep: `Try again in ${formatWait(verdict.retryAfterMs)}.`,
      }
    }
    return null
  }

/** "40 seconds", "3 minutes"; rounded up, so that trying again is never too early. */
const formatWait = (ms: number): string => {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** Checks permission first, then the click limit: only permitted clicks count. */
export const limitClickRate =
  (
    findRefusal: FindRefusal,
    deps: {
      readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
      readonly limit: CheckRateLimit
    },
  ): FindRefusal =>
  async (questionId, person) => {
    const refused = await findRefusal(questionId, person)
    if (refused) return refused
    const placed = await deps.findPlaced(questionId)
    return placed ? deps.limit({ person, team: placed.location.team }) : null
  }

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
