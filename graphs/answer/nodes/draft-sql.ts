import type { Candidate } from '../../../src/core/candidate.ts'
import type { Draft, DraftPath } from '../../../src/core/draft.ts'
import { ModelError } from '../../../src/core/model-error.ts'
import { noUsage } from '../../../src/core/usage.ts'
import type { AnswerDeps, NodeRun } from '../deps.ts'
import type { DraftTask, Update } from '../state.ts'
import { wavePrefix } from '../waves/wave-prefix.ts'

/**
 * One branch of the fan-out: drafts along one path and puts the candidates on the workbench. Never throws but for
 * a stop: a path that fails leaves no candidates, and the other paths answer without it.
 */
export const makeDraftSql = (deps: Pick<AnswerDeps, 'database' | 'workbench' | 'paths'>) => {
  const paths = new Map(deps.paths.map(path => [path.name as string, path]))
  return async (task: DraftTask, run: NodeRun): Promise<Update> => {
    const path = paths.get(task.path)
    if (!path) return {}
    run.writer?.({ step: 'draft', detail: `Drafting: ${path.name}` })
    try {
      return await draftAlong(path, task, run, deps)
    } catch (error) {
      run.signal?.throwIfAborted()
      run.writer?.({ step: 'draft', detail: `${path.name} failed: ${messageOf(error)}` })
      // A call that failed was still paid for.
      return error instanceof ModelError ? { usage: error.usage } : {}
    }
  }
}

const draftAlong = async (
  path: DraftPath,
  task: DraftTask,
  run: NodeRun,
  deps: Pick<AnswerDeps, 'database' | 'workbench'>,
): Promise<Update> => {
  const database = await deps.database(task.question.database, run)
  const brief = await deps.workbench.loadBrief(task.question.id)
  const { drafts, usage } = await path.draft({
    ...brief,
    database,
    sample: task.sample,
    questionId: task.question.id,
    ...signalOf(run),
  })
  const candidates = drafts.map((draft, rank) => asCandidate(draft, path, task, rank))
  await deps.workbench.saveCandidates(task.question.id, candidates)
  return { candidateIds: candidates.map(candidate => candidate.id), usage: usage ?? noUsage }
}

const asCandidate = (draft: Draft, path: DraftPath, task: DraftTask, rank: number): Candidate => ({
  ...draft,
  id: `${wavePrefix(task)}${path.name}/${twoDigits(task.sample)}.${twoDigits(rank)}`,
  path: path.name,
  rank,
  repairs: [],
  run: null,
})

const twoDigits = (number: number): string => String(number).padStart(2, '0')

const signalOf = (run: NodeRun): { signal?: AbortSignal } => (run.signal ? { signal: run.signal } : {})

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
