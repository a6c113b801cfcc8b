import type { AnswerDeps, NodeRun } from '../deps.ts'
import { optionTaken } from '../options.ts'
import type { State, Update } from '../state.ts'
import { writeHeadline } from '../write-headline.ts'

/** Writes the headline from the saved result itself; no model states a number. */
export const makeExplainAnswer =
  (deps: Pick<AnswerDeps, 'loadResult'>) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const { outcome, reply } = state
    if (outcome?.status !== 'answered') return {}
    run.writer?.({ step: 'explain', detail: 'Writing the answer' })
    const table = await deps.loadResult(outcome.resultId)
    const chosen = optionTaken(state)
    const isDefault = reply?.kind === 'option' && reply.expired === true
    const said = isDefault ? 'Nobody replied, so I took' : 'You chose'
    const assumptions = chosen ? [...outcome.assumptions, `${said}: ${chosen.label}.`] : outcome.assumptions
    return { outcome: { ...outcome, headline: table ? writeHeadline(table) : '', assumptions } }
  }
