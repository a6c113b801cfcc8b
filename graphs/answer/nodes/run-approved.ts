import type { AnswerDeps, NodeRun } from '../deps.ts'
import { chosenOption } from '../options.ts'
import { tryCandidate } from '../repair/try-candidate.ts'
import type { State, Update } from '../state.ts'

type RunDeps = Pick<
  AnswerDeps,
  'database' | 'workbench' | 'saveResult' | 'resultKey' | 'columnsKey' | 'findEvidence'
>

/** Runs the expensive statement that a person has agreed to, once: its result is the only one to choose from. */
export const makeRunApproved =
  (deps: RunDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const { question } = state
    const approved = chosenOption(state)?.candidateIds ?? []
    const candidates = await deps.workbench.loadCandidates(question.id)
    const expensive = candidates.find(({ id }) => approved.includes(id))
    if (!expensive) return { groups: [] }
    run.writer?.({ step: 'check', detail: `Running ${expensive.id}` })
    const database = await deps.database(question.database, run)
    const attempt = await tryCandidate(expensive.sql, question, { ...deps, database, evenIfHeavy: true }, run)
    await deps.workbench.saveCandidates(question.id, [{ ...expensive, run: attempt.run }])
    if (attempt.run.status !== 'ran') return { groups: [] }
    const { groupKey: key } = attempt.run
    const { id, prior } = expensive
    return { groups: [{ key, candidateIds: [id], representativeId: id, score: prior }] }
  }
