import type { CheckingDeps, NodeRun, OpenDatabase, StoringDeps } from '../deps.ts'
import { chosenOption } from '../options.ts'
import { tryCandidate } from '../repair/try-candidate.ts'
import { questionText, type State, type Update } from '../state.ts'

interface RunDeps {
  readonly database: OpenDatabase
  readonly checking: Omit<CheckingDeps, 'fixers' | 'modelFixers'>
  readonly storing: Pick<StoringDeps, 'runStore' | 'saveResult'>
}

/** Runs the expensive statement that a person has agreed to, once: its result is the only one to choose from. */
export const makeRunApproved =
  (deps: RunDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    const question = { ...state.question, text: questionText(state.question) }
    const approved = chosenOption(state)?.candidateIds ?? []
    const candidates = await deps.storing.runStore.loadCandidates(question.id)
    const expensive = candidates.find(({ id }) => approved.includes(id))
    if (!expensive) return { groups: [] }
    run.writer?.({ step: 'check', detail: `Running ${expensive.id}` })
    const database = await deps.database(question.database, run)
    const { saveResult } = deps.storing
    const how = { ...deps.checking, saveResult, database, evenIfHeavy: true }
    const attempt = await tryCandidate(expensive.sql, question, how, run)
    await deps.storing.runStore.saveCandidates(question.id, [{ ...expensive, run: attempt.run }])
    if (attempt.run.status !== 'ran') return { groups: [] }
    const { groupKey: key } = attempt.run
    const { id, prior } = expensive
    return { groups: [{ key, candidateIds: [id], representativeId: id, score: prior }] }
  }
