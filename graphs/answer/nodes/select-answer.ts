import { decide } from '../decide.ts'
import type { AnswerDeps } from '../deps.ts'
import { sayModelTrouble } from '../say-model-trouble.ts'
import type { State, Update } from '../state.ts'

/** Decides between answering, asking back and refusing. Leaves no outcome when it asks: that is still open. */
export const makeSelectAnswer =
  (deps: Pick<AnswerDeps, 'workbench' | 'findClarification' | 'thresholds' | 'paths'>) =>
  async (state: State): Promise<Update> => {
    const candidates = await deps.workbench.loadCandidates(state.question.id)
    const chosen = chosenGroups(state)
    const verdict = decide({
      groups: chosen,
      candidates,
      clarification: state.clarification ? null : deps.findClarification(chosen, candidates),
      replied: state.reply?.kind === 'option',
      thresholds: deps.thresholds,
    })
    const trouble = sayModelTrouble(state.failures, candidates, deps.paths)
    switch (verdict.do) {
      case 'ask':
        return { clarification: verdict.clarification }
      case 'refuse': {
        const reason = trouble === null ? verdict.reason : `${verdict.reason} ${trouble}`
        return { outcome: { status: 'refused', reason, nextStep: verdict.nextStep } }
      }
      case 'answer': {
        const winner = candidates.find(candidate => candidate.id === verdict.group.representativeId)
        if (winner?.run?.status !== 'ran') throw new Error(`group without a result: ${verdict.group.key}`)
        return {
          outcome: {
            status: 'answered',
            candidateId: winner.id,
            resultId: winner.run.resultId,
            sql: winner.sql,
            confidence: verdict.group.score,
            headline: '',
            assumptions: trouble === null ? winner.assumptions : [...winner.assumptions, trouble],
          },
        }
      }
      default: {
        const never: never = verdict
        return never
      }
    }
  }

/** A choice settles which reading was meant, not that the reading is right: it leaves at least this much doubt. */
const MOST_AFTER_CHOICE = 0.95

/** After a chosen option only its groups stand, and they share all the probability that the options had. */
const chosenGroups = (state: State): State['groups'] => {
  if (state.reply?.kind !== 'option' || !state.clarification) return state.groups
  const option = state.clarification.options[state.reply.number - 1]
  const kept = state.groups.filter(group => group.candidateIds.some(id => option?.candidateIds.includes(id)))
  const asked = state.groups.filter(group =>
    state.clarification?.options.some(option =>
      group.candidateIds.some(id => option.candidateIds.includes(id)),
    ),
  )
  const mass = Math.min(
    MOST_AFTER_CHOICE,
    asked.reduce((sum, group) => sum + group.score, 0),
  )
  const own = kept.reduce((sum, group) => sum + group.score, 0)
  return kept.map(group => ({ ...group, score: own > 0 ? (group.score / own) * mass : group.score }))
}
