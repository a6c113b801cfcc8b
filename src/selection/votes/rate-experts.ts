import type { AnswerFeedback } from '../../core/feedback.ts'
import type { ExpertRecord } from '../../core/selector-version.ts'
import { bestEpsilon, type ExpertWeights, penalize, weightOf } from '../voters/expert-weights.ts'
import { capWeights } from './cap-weights.ts'
import { type FeedbackSignal, toFeedbackSignals } from './read-statements.ts'
import { sidesOf } from './sides-of.ts'

/**
 * What each lineage's word weighs by people's feedback: the update of the Weighted Majority Algorithm (SSEV 3.1.2), a
 * round an answer, the oldest first. An expert is wrong in a round when the result that most of its candidates have was
 * spoken against more than for.
 */
export const rateExperts = (feedback: readonly AnswerFeedback[]): readonly ExpertRecord[] => {
  const statements = Map.groupBy(
    capWeights(feedback.flatMap(toFeedbackSignals)),
    ({ questionId }) => questionId,
  )
  const rounds = feedback.flatMap(answer => {
    const said = statements.get(answer.questionId)
    return said === undefined ? [] : [{ answers: answersOf(answer), favour: favourOf(said) }]
  })
  const experts = [...new Set(rounds.flatMap(({ answers }) => [...answers.keys()]))].sort()
  const epsilon = bestEpsilon(experts.length, rounds.length)
  let weights: ExpertWeights = new Map()
  const records = new Map(experts.map(expert => [expert, { mistakes: 0, rounds: 0 }]))
  for (const { answers, favour } of rounds) {
    const wrong = [...answers].flatMap(([expert, key]) => ((favour.get(key) ?? 0) < 0 ? [expert] : []))
    weights = penalize(weights, wrong, epsilon)
    for (const expert of answers.keys()) records.get(expert)!.rounds += 1
    for (const expert of wrong) records.get(expert)!.mistakes += 1
  }
  return experts.map(expert => ({ expert, weight: weightOf(weights, expert), ...records.get(expert)! }))
}

/** By lineage the key of the group that most of its candidates are in, the earliest of equals. */
const answersOf = ({ snapshot, candidates }: AnswerFeedback): ReadonlyMap<string, string> => {
  const answers = new Map<string, { readonly key: string; readonly members: number }>()
  const lineageOf = new Map(candidates.map(({ id, lineage }) => [id, lineage]))
  for (const { key, candidateIds } of snapshot.groups)
    for (const [lineage, own] of Map.groupBy(candidateIds, id => lineageOf.get(id)))
      if (lineage !== undefined && own.length > (answers.get(lineage)?.members ?? 0))
        answers.set(lineage, { key, members: own.length })
  return new Map([...answers].map(([lineage, { key }]) => [lineage, key]))
}

/** What was said for a group, less what was said against it; a side is spread over its groups. */
const favourOf = (said: readonly FeedbackSignal[]): ReadonlyMap<string, number> => {
  const favour = new Map<string, number>()
  const add = (key: string, weight: number): void => {
    favour.set(key, (favour.get(key) ?? 0) + weight)
  }
  for (const statement of said) {
    const { right, wrong } = sidesOf(statement)
    const worth = statement.weight * (1 - 2 * statement.slip)
    const isNamed = statement.claim.kind !== 'wrong'
    for (const key of right) add(key, isNamed ? worth : worth / right.length)
    for (const key of wrong) add(key, -worth)
  }
  return favour
}
