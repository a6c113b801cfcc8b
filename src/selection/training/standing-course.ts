import type { CandidateVote } from '../../core/standing.ts'
import { shuffle } from '../../lib/shuffle.ts'
import { countVotes, type Priors } from '../standing/count-votes.ts'
import { measureTally } from '../standing/measure-standing.ts'

/** A question whose candidates are known to be right or wrong; for training alone. */
export interface LabeledVotes {
  readonly database: string
  readonly ballots: readonly CandidateVote[]
  readonly priors: Priors
  /** Ids of the candidates that are right. */
  readonly right: ReadonlySet<string>
}

/** The course of one vote: after each candidate what the standing measured, and whether its leader was right. */
export interface VoteHistory {
  readonly database: string
  readonly steps: readonly { readonly measures: readonly number[] | null; readonly right: boolean }[]
}

/** Follows a vote candidate by candidate. */
export const traceVote = ({ database, ballots, priors, right }: LabeledVotes): VoteHistory => ({
  database,
  steps: ballots.map((_, index) => {
    const standing = countVotes(ballots.slice(0, index + 1), priors)
    const leader = standing.groups[0]
    return {
      measures: measureTally(standing),
      right: leader !== undefined && right.has(leader.representativeId),
    }
  }),
})

/**
 * The same question as it could have gone as well: samples of one lineage are exchangeable, so their order is drawn
 * anew; the lineages keep taking turns as they did.
 */
export const redrawOrder = (labelled: LabeledVotes, seed: number): LabeledVotes => {
  const queues = new Map(
    [...Map.groupBy(labelled.ballots, ({ lineage }) => lineage)].map(([lineage, own], index) => [
      lineage,
      shuffle(own, seed * 31 + index).values(),
    ]),
  )
  const ballots = labelled.ballots.map(({ lineage }) => queues.get(lineage)!.next().value as CandidateVote)
  return { ...labelled, ballots }
}
