import type { PlacedQuestion } from '../../core/delivery.ts'
import type { WhyNot } from '../answers/hold-to-rights.ts'
import type { LimitRate } from './limit-rate.ts'

/** As before, and then whether the person clicks too much: only what they may do at all is counted. */
export const limitClicks =
  (
    whyNot: WhyNot,
    deps: {
      readonly findPlaced: (questionId: string) => Promise<PlacedQuestion | null>
      readonly limit: LimitRate
    },
  ): WhyNot =>
  async (questionId, person) => {
    const refused = await whyNot(questionId, person)
    if (refused) return refused
    const placed = await deps.findPlaced(questionId)
    return placed ? deps.limit({ person, team: placed.place.team }) : null
  }
