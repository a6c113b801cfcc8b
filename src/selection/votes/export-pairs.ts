import type { AnswerFeedback } from '../../core/feedback.ts'
import { capWeights } from './cap-weights.ts'
import { type FeedbackSignal, toFeedbackSignals } from './read-statements.ts'
import { sidesOf } from './sides-of.ts'

/** One side of a pair. `measures` is null for a result that only a person's SQL gave: no selector measured it. */
export interface ExportedGroup {
  readonly key: string
  readonly sql: string
  readonly measures: Readonly<Record<string, number>> | null
}

/** One result that somebody held to be better than another. Who it was is left out. */
export interface ExportedPair {
  readonly questionId: string
  readonly database: string
  readonly question: string
  readonly better: ExportedGroup
  readonly worse: ExportedGroup
  /** Caps applied; what one person said of an answer is spread over its pairs. */
  readonly weight: number
  /** How often a person errs who does the like. */
  readonly slip: number
  /** False where the person only said which result is wrong. */
  readonly isNamed: boolean
}

/** Everything that people did about answers, as pairs with their SQL, in the order of the answers. */
export const exportPairs = (feedback: readonly AnswerFeedback[]): readonly ExportedPair[] => {
  const statements = Map.groupBy(
    capWeights(feedback.flatMap(toFeedbackSignals)),
    ({ questionId }) => questionId,
  )
  return feedback.flatMap(answer =>
    (statements.get(answer.questionId) ?? []).flatMap(statement => pairsOf(answer, statement)),
  )
}

const pairsOf = (answer: AnswerFeedback, statement: FeedbackSignal): readonly ExportedPair[] => {
  const { questionId, database, question } = answer
  const find = (keys: readonly string[]): readonly ExportedGroup[] =>
    keys.flatMap(key => findGroup(answer, key) ?? [])
  const { right, wrong } = sidesOf(statement)
  const [better, worse] = [find(right), find(wrong)]
  return better.flatMap(one =>
    worse.map(other => ({
      ...{ questionId, database, question },
      ...{ better: one, worse: other },
      weight: statement.weight / (better.length * worse.length),
      slip: statement.slip,
      isNamed: right.length === 1,
    })),
  )
}

const findGroup = ({ snapshot, candidates, kept }: AnswerFeedback, key: string): ExportedGroup | null => {
  const group = snapshot.groups.find(group => group.key === key)
  const candidate = candidates.find(({ id }) => id === group?.representativeId)
  const sql = candidate?.sql ?? kept.find(({ groupKey, sql }) => groupKey === key && sql !== null)?.sql
  return sql ? { key, sql, measures: group?.measures ?? null } : null
}
