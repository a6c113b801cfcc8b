import type { SelectionSnapshot } from '../../../src/domain/selection/ranking.ts'
import type { Store } from '../../../src/store/store.ts'
import { makeCandidate } from '../../helpers/make-candidate.ts'
import { makeQuestion } from './make-question.ts'

/**
 * Keeps a question with candidates `a` (`select 1`) and `b` (`select 2`), answered with `a`, and what the selector saw.
 * Resolves with its id.
 */
export const storeAnswered = async (
  { repositories, questionLog }: Store,
  snapshot: SelectionSnapshot,
  text?: string,
): Promise<string> => {
  const question = makeQuestion(text === undefined ? {} : { text })
  await repositories.questions.insert(question, null)
  await questionLog.storeReport({
    questionId: question.id,
    outcome: {
      status: 'answered',
      candidateId: 'a',
      resultId: 'r',
      sql: 'select 1',
      confidence: 0.8,
      headline: '',
      assumptions: [],
    },
    candidates: [makeCandidate({ id: 'a', sql: 'select 1' }), makeCandidate({ id: 'b', sql: 'select 2' })],
    usage: { modelCalls: 0, promptTokens: 0, completionTokens: 0 },
  })
  await repositories.selectionSnapshots.upsert(question.id, snapshot)
  return question.id
}
