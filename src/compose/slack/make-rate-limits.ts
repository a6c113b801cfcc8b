import { type CheckRateLimit, makeCheckRateLimit, type RateLimit } from '../../app/questions/limit-rate.ts'
import type { Config } from '../../config/config.ts'
import type { Metrics } from '../../core/metrics.ts'
import type { ConsumeRateLimit } from '../../core/rate-limit.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** The limits of querent.yml: on questions, and on clicks that run something or ask people for something. */
export const makeRateLimits = (
  { rateLimits }: Pick<Config, 'rateLimits'>,
  deps: {
    readonly take: ConsumeRateLimit
    readonly isAdmin: (person: string) => boolean
    readonly metrics?: Pick<Metrics, 'rateLimited'>
  },
): { readonly limitQuestions: CheckRateLimit; readonly limitButtons: CheckRateLimit } => {
  const { personPerMinute, personPerHour, teamPerMinute, teamPerHour, buttonsPerMinute } = rateLimits
  const { metrics, ...rest } = deps
  const limited = (limits: readonly RateLimit[]): CheckRateLimit =>
    makeCheckRateLimit({ ...rest, limits, ...(metrics && { onOver: rule => metrics.rateLimited(rule) }) })
  return {
    limitQuestions: limited([
      ...limit('person', 'questions-person-minute', personPerMinute, MINUTE_MS, 'questions a minute'),
      ...limit('person', 'questions-person-hour', personPerHour, HOUR_MS, 'questions an hour'),
      ...limit(
        'team',
        'questions-team-minute',
        teamPerMinute,
        MINUTE_MS,
        'questions a minute for everybody here together',
      ),
      ...limit(
        'team',
        'questions-team-hour',
        teamPerHour,
        HOUR_MS,
        'questions an hour for everybody here together',
      ),
    ]),
    limitButtons: limited(
      limit('person', 'buttons-person-minute', buttonsPerMinute, MINUTE_MS, 'clicks of this kind a minute'),
    ),
  }
}

const limit = (
  of: RateLimit['of'],
  name: string,
  points: number | null,
  windowMs: number,
  told: string,
): readonly RateLimit[] =>
  points === null
    ? []
    : [{ of, rule: { name, points, windowMs }, told: `${points.toLocaleString('en-US')} ${told}` }]
