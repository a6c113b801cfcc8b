import type { AnswerDeps, NodeRun } from '../deps.ts'
import type { State, Update } from '../state.ts'
import { takeStock } from '../waves/take-stock.ts'

/** Puts candidates with equal results into groups, best group first. */
export const makeGroupResults =
  (deps: Pick<AnswerDeps, 'workbench' | 'paths' | 'groupCandidates' | 'countVotes' | 'rateStanding'>) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const candidates = await deps.workbench.loadCandidates(state.question.id)
    const current = candidates.filter(candidate => candidate.id.startsWith(`${state.round}/`))
    const { groups } = takeStock(current, deps)
    run.writer?.({ step: 'choose', detail: `${groups.length} different results` })
    return { groups }
  }
