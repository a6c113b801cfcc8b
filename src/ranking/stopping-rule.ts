import { z } from 'zod'
import trained from '../../weights/drafting-stop.json' with { type: 'json' }
import { type DraftBudget, draftBudgets } from '../domain/selection/draft-rounds.ts'
import type { DecideDrafting, RateTally, VoteTally } from '../domain/selection/ranking.ts'
import { linearScore } from './learning/fit.ts'

/** A leader needs support from this many lineages: agreement of correlated samples is not correctness. */
const INDEPENDENT_LINEAGES = 2

/** Weights of a rule: the expected gain of going on after 1, 2, 3 ... candidates. */
export interface StoppingWeights {
  readonly going: readonly (readonly number[])[]
}

/**
 * Makes the rule that says when to stop. A threshold on the probability alone spends its drafts on questions that
 * never become sure; this weighs what further drafts are expected to change against their cost (optimal stopping by
 * fitted value iteration; Tsitsiklis and Van Roy 2001, section II). Besides, two lineages have to support a leader
 * wherever two have spoken.
 */
export const makeStoppingRule =
  ({ going }: StoppingWeights): DecideDrafting =>
  tally => {
    const measures = measureTally(tally)
    if (measures === null) return { continues: true, gain: 1, reason: 'nothing has run yet' }
    const weights = going[Math.min(tally.votes, going.length) - 1]
    const gain = weights === undefined ? 0 : linearScore(measures, weights)
    if (gain > 0) return { continues: true, gain, reason: 'a further draft is expected to be worth its cost' }
    if (supportersOf(tally) < Math.min(INDEPENDENT_LINEAGES, speakersOf(tally)))
      return { continues: true, gain, reason: 'only one lineage supports the leading result' }
    if (tally.votes < INDEPENDENT_LINEAGES && supportersOf(tally) < INDEPENDENT_LINEAGES)
      return { continues: true, gain, reason: 'one draft alone shows no agreement' }
    return { continues: false, gain, reason: 'a further draft is not expected to be worth its cost' }
  }

const supportersOf = ({ groups: [leader] }: VoteTally): number =>
  (leader?.lineages ?? 0) + (leader !== undefined && leader.prior > 0 ? 1 : 0)

/** A path that knows its odds has spoken too, whether or not the leader is what it said. */
const speakersOf = ({ lineages, groups: [leader], otherPrior }: VoteTally): number =>
  lineages + ((leader?.prior ?? 0) > 0 || otherPrior > 0 ? 1 : 0)

/** Makes the calibrated probability that the leading group is right (logistic over the measures). */
export const makeRateTally =
  ({ rating }: Pick<StoppingModel, 'rating'>): RateTally =>
  tally => {
    const measures = measureTally(tally)
    return measures === null ? 0 : 1 / (1 + Math.exp(-linearScore(measures, rating)))
  }

/** Names of the measures, in their order. A trained file that names others was made by another version. */
export const tallyMeasureNames = [
  'score',
  'margin',
  'share',
  'lead',
  'logVotes',
  'lineages',
  'groupsPerBallot',
  'empty',
  'absentLiteral',
  'inversion',
  'logVotes',
  'failedShare',
  'twoLineages',
  'marginTimesLogBallots',
  'prior',
  'otherPrior',
] as const

/** A tally as numbers, for models of it. Null while no candidate has run: then there is nothing to judge. */
export const measureTally = (tally: VoteTally): readonly number[] | null => {
  const [leader, second] = tally.groups
  if (leader === undefined) return null
  const margin = leader.score - (second?.score ?? 0)
  const logVotes = Math.log(tally.votes)
  return [
    leader.score,
    margin,
    leader.votes / tally.votes,
    leader.votes - (second?.votes ?? 0),
    Math.log1p(leader.votes),
    leader.lineages,
    tally.groups.length / tally.votes,
    Number(leader.isEmpty),
    Number(leader.hasAbsentLiteral),
    Number(leader.hasInversion),
    logVotes,
    tally.failed / tally.votes,
    Number(leader.lineages >= 2),
    margin * logVotes,
    leader.prior,
    tally.otherPrior,
  ]
}

/** Weights over the measures of a tally, the intercept first. */
const weights = z.array(z.number()).length(tallyMeasureNames.length + 1)

/** The shape of a trained file. Provenance says on what it was trained: those databases are scored with folds. */
export const stoppingModelSchema = z.object({
  provenance: z.object({
    databases: z.array(z.string()),
    trainedOn: z.array(z.string()),
    method: z.string(),
    date: z.string(),
  }),
  measures: z
    .array(z.string())
    .refine(names => names.join() === tallyMeasureNames.join(), 'made for other measures'),
  /** Logit of the probability that the leader is right. */
  rating: weights,
  /** By budget, the expected gain of going on after 1, 2, 3 ... candidates, the costs taken off. */
  going: z.record(z.enum(draftBudgets), z.array(weights).min(1)),
})

/** A trained model of tallies: how sure to be, and when to stop. */
export type StoppingModel = z.output<typeof stoppingModelSchema>

/**
 * What one more draft costs in the probability of a right answer: at the balanced price, one right answer in about two
 * hundred and twenty drafts. docs/evaluation.md says what each comes to.
 */
export const costOfDraft: Readonly<Record<DraftBudget, number>> = {
  frugal: 0.02,
  balanced: 0.0045,
  thorough: 0.001,
}

/** The model that comes with Querent (`npm run train:drafting-stop`). */
export const shippedStoppingModel: StoppingModel = stoppingModelSchema.parse(trained)
