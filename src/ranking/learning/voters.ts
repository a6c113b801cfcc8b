import type { ComparePair } from '../../domain/selection/ranking.ts'
import { likelihoodOfClaim, NONE_RIGHT, selectorBeliefs } from './compare-on-votes.ts'
import type { FeedbackSignal } from './signals.ts'

/** A statement with what an admin decided about it; null while nobody did. */
export interface ReviewedSignal extends FeedbackSignal {
  readonly review: 'accepted' | 'dropped' | null
}

/**
 * How far a person's word can be relied on: 1 errs as often as the kind of signal does, 0 says nothing about what is
 * right, -1 says the opposite.
 */
const RELIABILITIES = [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1] as const

/** How probable each is before a person said anything: most mean well, but nobody knows yet. */
const PRIOR = [0.04, 0.04, 0.06, 0.1, 0.16, 0.18, 0.16, 0.14, 0.12] as const

/** What the word of a person weighs of whom nothing is known. */
export const NEW_VOTER = PRIOR.reduce((sum, prior, at) => sum + prior * Math.max(0, RELIABILITIES[at]!), 0)

/**
 * How much of the selector's belief counts as evidence about voters. Not all of it: a team that corrects the selector
 * must not be taken for liars. Agreement with other people counts fully.
 */
const TRUST_IN_SELECTOR = 0.5

/** Weights settle within a few rounds: each looks at voters with what the last one found about the others. */
const ROUNDS = 4

/**
 * What each person's word weighs, 0 to 1, by how well it agrees with what other people said of the same answers, with
 * the shipped selector, and with decisions of admins (after Dawid and Skene 1979). A new voter starts at `NEW_VOTER`;
 * somebody who agrees with nobody sinks towards 0. The word of a trusted person, an admin, weighs 1. Nobody's own
 * statements count as evidence for them.
 */
export const weighVoters = (
  statements: readonly ReviewedSignal[],
  { believe, trusted }: { readonly believe: ComparePair; readonly trusted: ReadonlySet<string> },
): ReadonlyMap<string, number> => {
  const byQuestion = [...Map.groupBy(statements, ({ questionId }) => questionId).values()].map(said => ({
    said,
    beliefs: beliefsBefore(said[0]!, believe),
  }))
  const people = [...new Set(statements.map(({ person }) => person))]
  let reliability = new Map<string, number>(
    people.map(person => [person, trusted.has(person) ? 1 : NEW_VOTER]),
  )
  let weights = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    const evidence = new Map(people.map(person => [person, PRIOR.map(prior => Math.log(prior))]))
    for (const { said, beliefs } of byQuestion)
      for (const statement of said) {
        const own = evidence.get(statement.person)!
        const others = said.filter(({ person }) => person !== statement.person)
        const truth = believeAfter(beliefs, others, reliability)
        RELIABILITIES.forEach((at, i) => {
          own[i]! += Math.log(probabilityOf(statement, at, truth))
        })
      }
    const posteriors = people.map(person => [person, normalize(evidence.get(person)!)] as const)
    const over = (of: (at: number) => number) =>
      new Map(
        posteriors.map(([person, posterior]) => [
          person,
          trusted.has(person)
            ? 1
            : posterior.reduce((sum, share, i) => sum + share * of(RELIABILITIES[i]!), 0),
        ]),
      )
    reliability = over(at => at)
    weights = over(at => Math.max(0, at))
  }
  return weights
}

/** Keys of groups, null for none of them, with how likely each is right. */
type Beliefs = ReadonlyMap<string | null, number>

const beliefsBefore = ({ groups }: FeedbackSignal, believe: ComparePair): Beliefs => {
  const beliefs = selectorBeliefs(groups, believe)
  const even = (1 - NONE_RIGHT) / groups.length
  return new Map<string | null, number>([
    ...groups.map(
      ({ key }, at) => [key, TRUST_IN_SELECTOR * beliefs[at]! + (1 - TRUST_IN_SELECTOR) * even] as const,
    ),
    [null, NONE_RIGHT],
  ])
}

const believeAfter = (
  before: Beliefs,
  others: readonly ReviewedSignal[],
  reliability: ReadonlyMap<string, number>,
): Beliefs => {
  if (others.length === 0) return before
  const joint = [...before].map(
    ([truth, belief]) =>
      [
        truth,
        others.reduce(
          (product, other) =>
            product * likelihoodOfClaim(bent(other, reliability.get(other.person) ?? NEW_VOTER), truth),
          belief,
        ),
      ] as const,
  )
  const total = joint.reduce((sum, [, part]) => sum + part, 0)
  return new Map(joint.map(([truth, part]) => [truth, part / total]))
}

/** How probable it is that a person of this reliability says this, given what is known of the truth. */
const probabilityOf = (statement: ReviewedSignal, reliability: number, truth: Beliefs): number => {
  const claim = bent(statement, reliability)
  if (statement.review === 'accepted') return 1 - claim.slip
  if (statement.review === 'dropped') return claim.slip
  return [...truth].reduce((sum, [key, belief]) => sum + belief * likelihoodOfClaim(claim, key), 0)
}

/** The statement with the slip rate of a person of this reliability: 1 keeps the signal's, 0 is a coin, -1 turns it around. */
const bent = (statement: ReviewedSignal, reliability: number): FeedbackSignal => ({
  ...statement,
  slip: 0.5 + reliability * (statement.slip - 0.5),
})

const normalize = (logs: readonly number[]): readonly number[] => {
  const most = Math.max(...logs)
  const odds = logs.map(log => Math.exp(log - most))
  const total = odds.reduce((sum, one) => sum + one, 0)
  return odds.map(one => one / total)
}
