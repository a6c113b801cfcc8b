import type { AnswerDeps, NodeRun } from '../deps.ts'
import type { State, Update } from '../state.ts'

type Node = (state: State, run: NodeRun) => Promise<Update>

/**
 * Wraps the last node: an answer that came of the question alone, and that is sure enough, is kept for whoever asks the
 * same. One that a person helped to by a reply is theirs.
 */
export const makeStoreAnswer =
  (deps: Pick<AnswerDeps, 'answerMemory' | 'thresholds'>, explain: Node): Node =>
  async (state, run) => {
    const update = await explain(state, run)
    const { cacheKey, outcome, clarification, reply, question } = state
    const isSure = outcome?.status === 'answered' && outcome.confidence >= deps.thresholds.answer
    if (cacheKey && isSure && !clarification && !reply) await deps.answerMemory?.store(cacheKey, question.id)
    return update
  }
