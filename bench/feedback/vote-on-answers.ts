import type { AnswerFeedback } from '../../src/domain/feedback.ts'
import type { LabeledGroups, RankGroups } from '../../src/domain/selection/ranking.ts'

/** Who votes, and how. Shares are from 0 to 1. */
export interface Electorate {
  readonly honestVoters: number
  /** Of all votes; they come from one person, who says the opposite of the truth each time. */
  readonly adversarial: number
  /** Of the honest votes: the person errs. */
  readonly noise: number
  /** Of the honest who find an answer wrong: they look at the other results, and pick one. */
  readonly picking: number
}

const EPOCH = Date.parse('2026-01-01T00:00:00Z')

const MINUTE = 60_000

/** One question is asked and answered by a selector, and one person votes on the answer. `number` counts votes. */
export const voteOnAnswer = (
  { id, database, groups, right }: LabeledGroups,
  {
    rank,
    electorate,
    random,
    number,
  }: {
    readonly rank: RankGroups
    readonly electorate: Electorate
    readonly random: () => number
    readonly number: number
  },
): AnswerFeedback => {
  const isAdversary = random() < electorate.adversarial
  const person = isAdversary ? 'adversary' : `voter ${Math.floor(random() * electorate.honestVoters)}`
  const shown = rank(groups)[0]!
  const errs = isAdversary || random() < electorate.noise
  const vote = right.has(shown.key) !== errs ? ('up' as const) : ('down' as const)
  const at = new Date(EPOCH + number * MINUTE)
  const questionId = `${number} ${id}`
  const others = groups.filter(({ key }) => key !== shown.key)
  const wanted = others.filter(({ key }) => right.has(key) !== errs)
  const picks = vote === 'down' && wanted.length > 0 && random() < electorate.picking
  const picked = picks ? wanted[Math.floor(random() * wanted.length)]! : null
  return {
    questionId,
    question: id,
    database,
    snapshot: { version: 'simulated', groups },
    votes: [{ person, vote, candidateId: shown.representativeId, votedAt: at }],
    feedback:
      picked === null
        ? []
        : [
            {
              questionId,
              person,
              kind: 'alternative',
              answerKey: shown.key,
              groupKey: picked.key,
              reason: null,
              note: null,
              sql: null,
              givenAt: at,
            },
          ],
    reviews: [],
    candidates: [],
  }
}
