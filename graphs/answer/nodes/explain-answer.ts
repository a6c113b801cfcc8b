import type { AnswerDeps, NodeRun } from '../deps.ts'
import type { State, Update } from '../state.ts'
import { writeHeadline } from '../write-headline.ts'

/** Writes the headline from the saved result itself; no model states a number. */
export const makeExplainAnswer =
  (deps: Pick<AnswerDeps, 'loadResult'>) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const { outcome, clarification, reply } = state
    if (outcome?.status !== 'answered') return {}
    run.writer?.({ step: 'explain', detail: 'Writing the answer' })
    const table = await deps.loadResult(outcome.resultId)
    const chosen = reply?.kind === 'option' ? clarification?.options[reply.number - 1] : undefined
    const assumptions = chosen ? [...outcome.assumptions, `You chose: ${chosen.label}.`] : outcome.assumptions
    return { outcome: { ...outcome, headline: table ? writeHeadline(table) : '', assumptions } }
  }
