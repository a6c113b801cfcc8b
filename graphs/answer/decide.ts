import type { Candidate } from '../../src/core/candidate.ts'
import type { Clarification, ScoredClarification } from '../../src/core/clarification.ts'
import type { ExecutionGroup } from '../../src/core/execution-group.ts'

/**
 * Probabilities from 0 to 1: below `answer` nothing is shown as an answer; `ask` is what a person's attention costs, so
 * that a question back has to add at least as much to the probability of a right answer.
 */
export interface Thresholds {
  readonly answer: number
  readonly ask: number
}

/** Other readings are told of beside an answer when they are at least as likely together. */
const LEAST_PROBABILITY_SHOWN = 0.05

/** What to do with the ranked groups. */
export type Decision =
  /** `assumed` is the question that was not worth asking, but whose other options are worth telling of. */
  | { readonly do: 'answer'; readonly group: ExecutionGroup; readonly assumed: Clarification | null }
  | { readonly do: 'ask'; readonly clarification: Clarification }
  | { readonly do: 'refuse'; readonly reason: string; readonly nextStep: string }

/**
 * Ask when there is a question that is worth a person's attention; else answer when the leader is trusted enough; else
 * refuse and say what is missing. A question that was asked back is answered: the person chose.
 */
export const decideOutcome = (input: {
  readonly groups: readonly ExecutionGroup[]
  readonly candidates: readonly Candidate[]
  readonly clarification: ScoredClarification | null
  readonly replied: boolean
  readonly thresholds: Thresholds
}): Decision => {
  const leader = input.groups[0]
  if (!leader) return { do: 'refuse', ...refusalForNothingRan(input.candidates) }
  if (input.replied) return { do: 'answer', group: leader, assumed: null }
  const { clarification, thresholds } = input
  const isWorthAsking = clarification !== null && clarification.value >= thresholds.ask
  if (isWorthAsking && totalProbability(input.groups) >= thresholds.answer) {
    return { do: 'ask', clarification: clarification.clarification }
  }
  if (leader.score >= thresholds.answer) {
    const isWorthTelling = clarification !== null && clarification.value >= LEAST_PROBABILITY_SHOWN
    return { do: 'answer', group: leader, assumed: isWorthTelling ? clarification.clarification : null }
  }
  return {
    do: 'refuse',
    ...(refusalForFailures(input.candidates) ?? refusalForUncertainty(leader, input.candidates)),
  }
}

const totalProbability = (groups: readonly ExecutionGroup[]): number =>
  groups.reduce((sum, group) => sum + group.score, 0)

interface RefusalReason {
  readonly reason: string
  readonly nextStep: string
}

const failuresOf = (candidates: readonly Candidate[]) =>
  candidates.flatMap(({ run }) => (run?.status === 'failed' ? [run] : []))

/** What kept candidates from being tried, and is no matter of how the question was put; null where nothing did. */
const refusalForFailures = (candidates: readonly Candidate[]): RefusalReason | null => {
  const failures = failuresOf(candidates)
  const overBudget = failures.findLast(({ errorClass }) => errorClass === 'over-budget')
  if (overBudget)
    return {
      reason: overBudget.message,
      nextStep: 'Ask for less, or when there is more again, or ask an admin to raise the limit.',
    }
  // The driver's words name host and user: they are in the log of statements, and `doctor` says them.
  if (failures.some(({ errorClass }) => errorClass === 'connection'))
    return {
      reason: 'The database cannot be reached right now.',
      nextStep:
        'Ask again in a few minutes. If it stays away, tell whoever runs me: `querent doctor` says why.',
    }
  return null
}

const refusalForNothingRan = (candidates: readonly Candidate[]): RefusalReason => {
  const hindered = refusalForFailures(candidates)
  if (hindered) return hindered
  const failed = failuresOf(candidates).at(-1)
  if (failed) {
    return {
      reason: `Every query I tried failed. The last said: ${failed.message}`,
      nextStep:
        failed.errorClass === 'timeout'
          ? 'Ask about less, for instance a shorter period.'
          : 'Try other words, or ask for fewer things at a time.',
    }
  }
  return {
    reason: 'I could not match this question to the tables of this database.',
    nextStep:
      'Name the things you want to see with words of this database, for instance a table or a column.',
  }
}

const refusalForUncertainty = (leader: ExecutionGroup, candidates: readonly Candidate[]): RefusalReason => {
  const leading = candidates.find(candidate => candidate.id === leader.representativeId)
  const unused = leading?.unused ?? []
  if (unused.length > 0) {
    const words = unused.map(word => `“${word}”`).join(', ')
    return {
      reason: `I found nothing in this database for ${words}.`,
      nextStep: 'Say it with words of this database, or leave it out.',
    }
  }
  return {
    reason: `I have a reading of this question, but I am only ${Math.round(leader.score * 100)} % sure of it.`,
    nextStep: 'Say it more plainly: what to count or list, by what, and for which period.',
  }
}
