import { END, Send } from '@langchain/langgraph'
import type { DraftPath } from '../../src/core/draft.ts'
import type { DraftTask, RepairTask, State } from './state.ts'

/** After understanding: only data questions go on; the rest has its outcome already. */
export const afterUnderstanding = (state: State): 'find-values' | typeof END =>
  state.kind === 'data' && !state.outcome ? 'find-values' : END

/** One branch a path, told by ids where its brief lies. */
export const toDrafting =
  (paths: readonly DraftPath[]) =>
  (state: State): Send[] =>
    paths.map(
      path =>
        new Send('draft-sql', {
          question: state.question,
          round: state.round,
          path: path.name,
        } satisfies DraftTask),
    )

/**
 * One branch a fresh candidate. A path without any sends an empty task: all branches then end in the same
 * super-step, and grouping waits for every one of them.
 */
export const toRepairing = (state: State): Send[] => {
  const fresh = state.candidateIds.filter(id => id.startsWith(`${state.round}/`))
  const ids: (string | null)[] = fresh.length > 0 ? fresh : [null]
  return ids.map(
    candidateId => new Send('repair-sql', { question: state.question, candidateId } satisfies RepairTask),
  )
}

/** After choosing: an outcome ends the run, a pending question back is asked. */
export const afterChoosing = (state: State): 'ask-clarification' | 'explain-answer' | typeof END => {
  if (!state.outcome) return 'ask-clarification'
  return state.outcome.status === 'answered' ? 'explain-answer' : END
}

/** After a reply: a chosen option selects among what there is; new words start another round. */
export const afterReply = (state: State): 'select-answer' | 'understand-question' =>
  state.reply?.kind === 'text' ? 'understand-question' : 'select-answer'
