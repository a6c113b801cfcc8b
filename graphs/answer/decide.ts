import type { Candidate, DraftPath, ExecutionGroup } from '../../src/domain/candidate.ts'
import type { Clarification, ScoredClarification } from '../../src/domain/clarification.ts'
import type { TracedFailure } from '../../src/domain/trace.ts'

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
type Decision =
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
      nextStep: 'Ask for less data, ask again after the limit resets, or ask an admin to raise it.',
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

/**
 * What a person should know of an outcome that models had no part in although they were to: null when a statement of
 * theirs ran, or when none of them failed. The log and the trace say what to do about it; this is for whoever asked.
 */
export const formatModelFailure = (
  failures: readonly TracedFailure[],
  candidates: readonly Pick<Candidate, 'path' | 'run'>[],
  paths: readonly Pick<DraftPath, 'name' | 'cost'>[],
): string | null => {
  const models = new Set<string>(paths.filter(({ cost }) => cost === 'model').map(({ name }) => name))
  if (candidates.some(({ path, run }) => models.has(path) && run?.status === 'ran')) return null
  const failed = failures.filter(({ path }) => models.has(path))
  if (failed.length === 0) return null
  return failed.some(({ code }) => code === 'budget-spent')
    ? 'No model helped with this: the budget for models is used up.'
    : 'No model helped with this: none could be asked.'
}

/** Groups that have more than this together leave no room for an answer that nobody drafted. */
const NOTHING_RESERVED = 0.99

/**
 * How often one of those behind is right where the leader is wrong and there are others: 21 of 37 questions of the
 * labelled samples of docs/evaluation.md.
 */
const SHARE_OF_RUNNERS_UP = 0.57

/**
 * The groups with room for an answer that nobody drafted. A vote knows how likely its leader is, and shares all that
 * is left among the others; to weigh a question back that is too much, since often none of them is right. What already
 * adds up to less, as odds of the parser or of a selector that was calibrated for each group, stays as it is.
 */
export const reserveForOtherAnswers = (groups: readonly ExecutionGroup[]): readonly ExecutionGroup[] => {
  const all = groups.reduce((sum, { score }) => sum + score, 0)
  const [leader, ...others] = groups
  if (leader === undefined || all <= NOTHING_RESERVED) return groups
  return [leader, ...others.map(group => ({ ...group, score: group.score * SHARE_OF_RUNNERS_UP }))]
}
