import type { NotAllowed } from '../domain/access.ts'
import type { LocatedQuestion } from '../domain/message.ts'
import type { ConsumeRateLimit, RateRule } from '../domain/operations/usage.ts'
import type { FindRefusal } from './require-permission.ts'

/** Counts something that a person of a workspace does. Null while it is within every limit; else what to tell them. */
export type CheckRateLimit = (asker: {
  readonly person: string
  readonly team: string
}) => Promise<NotAllowed | null>

/** A limit, whose it is, and how it is told: "20 questions of one person in a minute". */
export interface RateLimit {
  readonly scope: 'person' | 'team'
  readonly rule: RateRule
  readonly label: string
}

/**
 * Makes it. Limits are looked at in their order and what is over one is counted against no further one, so that a
 * person who asks too much does not use up what the workspace may ask. Those of one person do not hold for admins.
 */
export const makeCheckRateLimit =
  (deps: {
    readonly limits: readonly RateLimit[]
    readonly consume: ConsumeRateLimit
    readonly isAdmin: (person: string) => boolean
    /** Told which limit stopped something. */
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

/** "40 seconds", "3 minutes"; rounded up, so that it is never too soon. */
const formatWait = (ms: number): string => {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** As before, and then whether the person clicks too much: only what they may do at all is counted. */
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
