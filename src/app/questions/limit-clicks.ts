import type { LocatedQuestion } from '../../core/delivery.ts'
import type { FindRefusal } from '../answers/hold-to-rights.ts'
import type { CheckRateLimit } from './limit-rate.ts'

/** As before, and then whether the person clicks too much: only what they may do at all is counted. */
export const limitClickRate =
  (
    whyNot: FindRefusal,
    deps: {
      readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
      readonly limit: CheckRateLimit
    },
  ): FindRefusal =>
  async (questionId, person) => {
    const refused = await whyNot(questionId, person)
    if (refused) return refused
    const placed = await deps.findPlaced(questionId)
    return placed ? deps.limit({ person, team: placed.place.team }) : null
  }
