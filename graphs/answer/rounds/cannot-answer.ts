import type { Candidate, CannotAnswer, DraftPath, ExecutionGroup } from '../../../src/domain/candidate.ts'
import { isExpensive } from '../expensive/run-approval.ts'
import type { State } from '../state.ts'
import { makeIsFree } from './tally.ts'

/** How sure an interpretation must be to outweigh a model that finds no answer in the schema. */
const CONFIDENT = 0.8

/** The vote between the leading result and the drafts that say the schema cannot answer. */
interface WeighedGroups {
  /** With no result surer than the share of the vote that found an answer. */
  readonly groups: readonly ExecutionGroup[]
  /** Set when the drafts that say so have the majority: the reason of the first that gave one. */
  readonly cannotAnswer: { readonly reason: string | null } | null
}

/**
 * Weighs "the schema cannot answer" as one group of the vote, against the leading result. Each draft of a model that
 * ran and agrees with the leader is a vote for it. What no model wrote has one vote, and only if it is sure and uses
 * every word of the question: a weak interpretation always finds something to count. The leader keeps a draw.
 */
export const weighCannotAnswer = (
  groups: readonly ExecutionGroup[],
  given: {
    readonly candidates: readonly Candidate[]
    readonly cannotAnswer: readonly CannotAnswer[]
    readonly paths: readonly Pick<DraftPath, 'name' | 'cost'>[]
  },
): WeighedGroups => {
  const against = given.cannotAnswer.length
  if (against === 0) return { groups, cannotAnswer: null }
  const isFree = makeIsFree(given.paths)
  const ran = given.candidates.filter(({ run }) => run?.status === 'ran')
  const votes = ran.filter(candidate => !isFree(candidate))
  const [leader] = groups
  const members = leader ? ran.filter(({ id }) => leader.candidateIds.includes(id)) : []
  const isSure = (candidate: Candidate): boolean =>
    (votes.length === 0 ? (leader?.score ?? 0) : candidate.prior) >= CONFIDENT &&
    candidate.unused?.length === 0
  const freeVotes = members.some(member => isFree(member) && isSure(member)) ? 1 : 0
  const support = members.filter(member => !isFree(member)).length + freeVotes
  // What a person has to be asked about has not run, and is a vote all the same.
  const waiting = given.candidates.filter(one => !isFree(one) && isExpensive(one)).length
  if (against > Math.max(support, waiting)) {
    const reason = given.cannotAnswer.find(draft => draft.reason !== null)?.reason ?? null
    return { groups, cannotAnswer: { reason } }
  }
  const most = 1 - against / (votes.length + freeVotes + against)
  const score = leader?.score ?? 0
  if (score <= most) return { groups, cannotAnswer: null }
  return {
    groups: groups.map(group => ({
      ...group,
      score: group === leader ? most : group.score * (most / score),
    })),
    cannotAnswer: null,
  }
}

/** What the drafts of the current attempt say. After a reply in words, earlier attempts do not count. */
export const currentCannotAnswer = ({ cannotAnswer, round }: Pick<State, 'cannotAnswer' | 'round'>) =>
  cannotAnswer.filter(({ origin }) => origin.attempt === round)

/** From this many on, models that all say so are believed without asking further ones. */
const ENOUGH = 2

/** What drafts that say so mean for the next round. */
export const cannotAnswerOfRound = (
  drafts: readonly CannotAnswer[],
  given: {
    readonly round: number
    readonly candidates: readonly Candidate[]
    readonly paths: readonly Pick<DraftPath, 'name' | 'cost'>[]
  },
): { readonly came: number; readonly areAgreed: boolean } => {
  const isFree = makeIsFree(given.paths)
  return {
    came: drafts.filter(({ origin }) => origin.round === given.round).length,
    areAgreed:
      drafts.length >= ENOUGH && given.candidates.every(one => isFree(one) || one.run?.status !== 'ran'),
  }
}
