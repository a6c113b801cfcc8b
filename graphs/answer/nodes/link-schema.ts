import type { AnswerDeps, NodeRun } from '../deps.ts'
import type { State, Update } from '../state.ts'

/** Chooses the part of the schema that the drafts are shown. */
export const makeLinkSchema =
  (deps: Pick<AnswerDeps, 'database' | 'workbench' | 'linkSchema'>) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    run.writer?.({ step: 'link', detail: 'Choosing tables and columns' })
    const { catalog } = await deps.database(state.question.database, run)
    const brief = await deps.workbench.loadContext(state.question.id)
    const linked = await deps.linkSchema({
      understanding: brief.understanding,
      catalog,
      matches: brief.matches,
      ...(run.signal ? { signal: run.signal } : {}),
    })
    await deps.workbench.saveContext(state.question.id, { ...brief, linked })
    return {}
  }
