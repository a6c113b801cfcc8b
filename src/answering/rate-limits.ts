import type { NotAllowed } from '../domain/access.ts'
import type { LocatedQuestion } from '../domain/message.ts'
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
