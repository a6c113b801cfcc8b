import type { ModelFailure, RefusalReason } from '../../src/domain/answer.ts'
import type { Candidate, DraftPath, ExecutionGroup } from '../../src/domain/candidate.ts'
import type { Clarification, ScoredClarification } from '../../src/domain/clarification.ts'
import type { TracedFailure } from '../../src/domain/trace.ts'
import { leavesOutWeight } from '../../src/lib/lexicon/light-words.ts'
import type { DraftingMode } from './rounds/plan-round.ts'

/**
 * Probabilities from 0 to 1: below `answer` nothing is shown as an answer; `ask` is what a person's attention costs, so
 * that a question back has to add at least as much to the probability of a right answer.
 */
export interface Thresholds {
  readonly answer: number
  readonly ask: number
  /** Whether full mode asks back too. It does not if left out: it compares results instead. */
  readonly askInFullMode?: boolean
}

/** The thresholds of one decision: one question back a request, and in full mode only if the settings say so. */
export const applyAskingRules = (
  thresholds: Thresholds,
  { mode, hasAsked }: { readonly mode: DraftingMode; readonly hasAsked: boolean },
): Thresholds =>
  hasAsked || (mode === 'full' && thresholds.askInFullMode !== true)
    ? { ...thresholds, ask: Number.POSITIVE_INFINITY }
    : thresholds

/** Other interpretations are offered beside an answer if they are together at least this likely. */
const LEAST_PROBABILITY_SHOWN = 0.05

/** What to do with the ranked groups. */
type Decision =
  /** `assumed` is the question that was not worth asking, but whose other options are worth telling of. */
  | { readonly do: 'answer'; readonly group: ExecutionGroup; readonly assumed: Clarification | null }
  | { readonly do: 'ask'; readonly clarification: Clarification }
  | { readonly do: 'refuse'; readonly why: RefusalReason }

/**
 * Refuse when most drafts say that the schema cannot answer. Ask when no group clearly leads and there is a question
 * that is worth a person's attention; else answer when the leader is trusted enough; else refuse and say what is
 * missing. A question that was asked back is answered: the person chose.
 */
export const decideOutcome = (input: {
  readonly groups: readonly ExecutionGroup[]
  readonly candidates: readonly Candidate[]
  /** Set when most drafts say that the schema cannot answer. */
  readonly cannotAnswer: { readonly reason: string | null } | null
  readonly clarification: ScoredClarification | null
  readonly replied: boolean
  readonly thresholds: Thresholds
}): Decision => {
  const leader = input.groups[0]
  const { cannotAnswer, clarification, thresholds } = input
  if (leader && input.replied) return { do: 'answer', group: leader, assumed: null }
  if (cannotAnswer) {
    const why = whyNotTried(input.candidates) ?? { code: 'cannot-answer', reason: cannotAnswer.reason }
    return { do: 'refuse', why }
  }
  if (!leader) return { do: 'refuse', why: whyNothingRan(input.candidates) }
  const isWorthAsking = clarification !== null && clarification.value >= thresholds.ask
  const couldAnswer = leader.score >= thresholds.answer
  // Better a question that is hard to read than no answer at all, unless no reply to it would answer what was asked.
  const isFit = couldAnswer ? clarification?.use === 'ask' : !leaveOutTheSame(input)
  if (isWorthAsking && isFit && totalProbability(input.groups) >= thresholds.answer) {
    return { do: 'ask', clarification: clarification.clarification }
  }
  if (couldAnswer) {
    const isWorthTelling =
      clarification !== null &&
      clarification.use !== 'last-resort' &&
      clarification.value >= LEAST_PROBABILITY_SHOWN
    return { do: 'answer', group: leader, assumed: isWorthTelling ? clarification.clarification : null }
  }
  return { do: 'refuse', why: whyNotTried(input.candidates) ?? whyUnsure(leader, input.candidates) }
}

/** Whether the results that a question back would choose from all leave out the same word. */
const leaveOutTheSame = ({
  groups,
  candidates,
}: {
  readonly groups: readonly ExecutionGroup[]
  readonly candidates: readonly Candidate[]
}): boolean => {
  const unused = groups.map(
    ({ representativeId }) => candidates.find(({ id }) => id === representativeId)?.unused ?? [],
  )
  const [first = [], ...others] = unused
  return first.some(word => leavesOutWeight([word]) && others.every(words => words.includes(word)))
}

const totalProbability = (groups: readonly ExecutionGroup[]): number =>
  groups.reduce((sum, group) => sum + group.score, 0)

const failuresOf = (candidates: readonly Candidate[]) =>
  candidates.flatMap(({ run }) => (run?.status === 'failed' ? [run] : []))

/** What kept candidates from being tried, whatever the question; null if nothing did. */
const whyNotTried = (candidates: readonly Candidate[]): RefusalReason | null => {
  const failures = failuresOf(candidates)
  const overBudget = failures.findLast(({ errorClass }) => errorClass === 'over-budget')
  if (overBudget) return { code: 'over-budget', message: overBudget.message }
  // The driver's message names host and user, so it is only in the log of statements and in `doctor`.
  return failures.some(({ errorClass }) => errorClass === 'connection')
    ? { code: 'database-unreachable' }
    : null
}

const whyNothingRan = (candidates: readonly Candidate[]): RefusalReason => {
  const notTried = whyNotTried(candidates)
  if (notTried) return notTried
  const failed = failuresOf(candidates).at(-1)
  return failed
    ? { code: 'all-failed', message: failed.message, isTimeout: failed.errorClass === 'timeout' }
    : { code: 'nothing-drafted' }
}

/** Words between two things. */
const relationWords =
  /^(?:vs\.?|versus|v\.|against|than|most|least|before|after|compared(?: (?:to|with))?|last|next|previous)$/i

const whyUnsure = (leader: ExecutionGroup, candidates: readonly Candidate[]): RefusalReason => {
  const unused = candidates.find(({ id }) => id === leader.representativeId)?.unused ?? []
  // "I can't find “vs”" says nothing: nobody looks for it.
  const named = unused.filter(word => !relationWords.test(word))
  const words = named.length > 0 ? named : unused
  return words.length > 0 ? { code: 'ignored-words', words } : { code: 'unsure', confidence: leader.score }
}

/**
 * Why models had no part in an outcome although they were to; null if a statement of theirs ran, or if none of them
 * failed.
 */
export const findModelFailure = (
  failures: readonly TracedFailure[],
  candidates: readonly Pick<Candidate, 'path' | 'run'>[],
  paths: readonly Pick<DraftPath, 'name' | 'cost'>[],
): ModelFailure | null => {
  const models = new Set<string>(paths.filter(({ cost }) => cost === 'model').map(({ name }) => name))
  if (candidates.some(({ path, run }) => models.has(path) && run?.status === 'ran')) return null
  const failed = failures.filter(({ path, isDeclined }) => models.has(path) && !isDeclined)
  if (failed.length === 0) return null
  return failed.some(({ code }) => code === 'budget-spent') ? 'budget-spent' : 'unreachable'
}
