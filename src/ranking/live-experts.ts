import type { AnswerFeedback, SpeakerRecord } from '../domain/feedback.ts'
import type {
  ChooseByExperts,
  ExpertAnswer,
  ExpertAnswers,
  ExpertMistakes,
  ExpertRound,
} from '../domain/selection/experts.ts'
import { chooseByWeight, drawByWeight, type ExpertWeights, favourOf, weightOf } from './experts.ts'
import { allFeedbackSignals } from './learning/signals.ts'
import { weighOnAnswer } from './learning/weigh-feedback.ts'

/** The weight of each expert: of 1 it keeps the share 1 - `epsilon` at every mistake (SSEV 3.1.2, step 5). */
export const weighMistakes = (mistakes: ExpertMistakes, epsilon: number): ExpertWeights =>
  new Map([...mistakes].map(([expert, count]) => [expert, (1 - epsilon) ** count]))

/** Chooses by the vote of experts (SSEV 3.1.2): heaviest result, drawn expert, or most experts; ties to the earliest. */
export const chooseByExperts: ChooseByExperts = ({ answers, mistakes, epsilon, vote, draw }) => {
  const weights: ExpertWeights = vote === 'naive' ? new Map() : weighMistakes(mistakes, epsilon)
  const chosen =
    vote === 'rwma' ? drawByWeight(answers, weights, () => draw) : chooseByWeight(answers, weights)
  if (chosen === null || chosen.key === null || chosen.candidateId === null) return null
  const { key, candidateId } = chosen
  const drawn = vote === 'rwma' ? expertOf(chosen, answers) : null
  const total = [...answers.keys()].reduce((sum, expert) => sum + weightOf(weights, expert), 0)
  const ofExperts = new Map([...answers.keys()].map(expert => [expert, weightOf(weights, expert) / total]))
  return { key, candidateId, shares: sharesOf(answers, ofExperts), drawn }
}

const expertOf = (chosen: ExpertAnswer, answers: ExpertAnswers): string | null =>
  [...answers].find(([, answer]) => answer === chosen)?.[0] ?? null

const sharesOf = (answers: ExpertAnswers, weights: ExpertWeights): ReadonlyMap<string, number> => {
  const shares = new Map<string, number>()
  for (const [expert, { key }] of answers)
    if (key !== null) shares.set(key, (shares.get(key) ?? 0) + (weights.get(expert) ?? 0))
  return shares
}

/** What people did about one answer, what admins decided about that, and who they are. */
export type Said = Pick<AnswerFeedback, 'votes' | 'feedback' | 'reviews'> & {
  readonly speakers: readonly SpeakerRecord[]
}

/**
 * The experts of a round that were wrong, by what people did about its answer: their result was spoken against more than
 * for. An expert without a result is wrong once a right one is known. Null while nothing is known. Voters count by what
 * their words weigh; who is held or dropped says nothing. `trusted` are the admins.
 */
export const wrongExperts = (
  round: ExpertRound,
  { votes, feedback, reviews, speakers }: Said,
  trusted: ReadonlySet<string>,
): readonly string[] | null => {
  const groups = round.groups.map(({ key, candidateIds }) => ({
    ...{ key, candidateIds, measures: {} },
    representativeId: candidateIds[0] ?? '',
  }))
  const all = allFeedbackSignals({
    ...{ questionId: round.questionId, database: '', votes, feedback },
    snapshot: { version: '', groups },
  })
  const signals = weighOnAnswer(all, { reviews, speakers, trusted })
  if (signals.length === 0) return null
  const favour = favourOf(signals)
  const isRightKnown = signals.some(({ claim }) => claim.kind !== 'wrong' && (favour.get(claim.key) ?? 0) > 0)
  return round.answers
    .filter(({ key }) => (key === null ? isRightKnown : (favour.get(key) ?? 0) < 0))
    .map(({ expert }) => expert)
}

/** The experts of a round whose result is not right, where all is known: those without a result are wrong too. */
export const wrongByLabel = (
  { answers }: Pick<ExpertRound, 'answers'>,
  isRight: (key: string) => boolean,
): readonly string[] => answers.filter(({ key }) => key === null || !isRight(key)).map(({ expert }) => expert)
