import type { AnswerFeedback, SpeakerRecord } from '../../domain/feedback.ts'
import type { ComparePair } from '../../domain/selection/ranking.ts'
import { findHeld, type HoldReason, MOST_IN_BURST } from './quarantine.ts'
import { capWeights, type FeedbackSignal, toFeedbackSignals } from './signals.ts'
import { NEW_VOTER, type ReviewedSignal, weighVoters } from './voters.ts'

/** What people did about answers, as it may train. */
export interface WeighedFeedback {
  /** Weighed by who made them, under the caps. What weighs next to nothing is left out. */
  readonly statements: readonly FeedbackSignal[]
  /** Waiting for an admin. */
  readonly held: readonly (FeedbackSignal & { readonly reason: HoldReason })[]
  /** What each person's word weighs, 0 to 1. */
  readonly voters: ReadonlyMap<string, number>
}

/** Turns feedback into statements that may train. */
export type WeighFeedback = (feedback: readonly AnswerFeedback[]) => WeighedFeedback

/** A statement of less weight is none: it must not count towards the minimum either. */
const LEAST_WEIGHT = 0.05

/**
 * Makes the one way from feedback to training: statements that are held or dropped do not train, the others weigh what
 * their voter's word does. `believe` is the shipped selector, which votes cannot change; `trusted` are the admins.
 */
export const makeWeighFeedback =
  (deps: { readonly believe: ComparePair; readonly trusted: ReadonlySet<string> }): WeighFeedback =>
  feedback => {
    const said = feedback.flatMap(answer => withReviews(toFeedbackSignals(answer), answer))
    const reasons = findHeld(said, deps.trusted)
    // A burst is no evidence about anyone until it was looked at; a lone voice is, about its voter.
    const voters = weighVoters(
      said.filter(statement => reasons.get(statement) !== 'burst'),
      deps,
    )
    return {
      statements: capWeights(weighStatements(said, reasons, voters)),
      held: [...reasons].map(([statement, reason]) => ({ ...statement, reason })),
      voters,
    }
  }

/**
 * What may teach of the statements on one answer alone, for weights of voters as the last training left them. A person
 * who says something of many answers within minutes is held, and so is a lone voice against several.
 */
export const weighOnAnswer = (
  statements: readonly FeedbackSignal[],
  {
    reviews,
    speakers,
    trusted,
  }: Pick<AnswerFeedback, 'reviews'> & {
    readonly speakers: readonly SpeakerRecord[]
    readonly trusted: ReadonlySet<string>
  },
): readonly FeedbackSignal[] => {
  const said = withReviews(statements, { reviews })
  const recent = new Map(speakers.map(speaker => [speaker.person, speaker.recent]))
  const reasons = new Map(findHeld(said, trusted))
  for (const statement of said)
    if (statement.review === null && !trusted.has(statement.person))
      if ((recent.get(statement.person) ?? 0) > MOST_IN_BURST) reasons.set(statement, 'burst')
  const known = new Map(speakers.map(({ person, weight }) => [person, weight ?? NEW_VOTER]))
  for (const { person } of said) if (trusted.has(person)) known.set(person, 1)
  return weighStatements(said, reasons, known)
}

const weighStatements = (
  said: readonly ReviewedSignal[],
  held: ReadonlyMap<ReviewedSignal, HoldReason>,
  voters: ReadonlyMap<string, number>,
): readonly FeedbackSignal[] =>
  said.flatMap(statement => {
    const weight = statement.weight * (voters.get(statement.person) ?? NEW_VOTER)
    const counts = statement.review !== 'dropped' && !held.has(statement) && weight >= LEAST_WEIGHT
    return counts ? [{ ...statement, weight }] : []
  })

/** A decision counts only for what the person had said by then. */
const withReviews = (
  statements: readonly FeedbackSignal[],
  { reviews }: Pick<AnswerFeedback, 'reviews'>,
): readonly ReviewedSignal[] =>
  statements.map(statement => {
    const review = reviews.find(({ person }) => person === statement.person)
    return { ...statement, review: review && review.decidedAt >= statement.givenAt ? review.decision : null }
  })
