import type { LinkingDeps, NodeRun, OpenDatabase, StoringDeps } from '../deps.ts'
import type { State, Update } from '../state.ts'

/** Chooses the part of the schema that the drafts are shown. */
export const makeLinkSchema =
  (deps: {
    readonly database: OpenDatabase
    readonly linking: Pick<LinkingDeps, 'linkSchema'>
    readonly storing: Pick<StoringDeps, 'runStore'>
  }) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    run.writer?.({ step: 'link', detail: 'Choosing tables and columns' })
    const { catalog } = await deps.database(state.question.database, run)
    const context = await deps.storing.runStore.loadContext(state.question.id)
    const linked = await deps.linking.linkSchema({
      understanding: context.understanding,
      catalog,
      matches: context.matches,
      ...(run.signal ? { signal: run.signal } : {}),
    })
    await deps.storing.runStore.saveContext(state.question.id, { ...context, linked })
    return {}
  }
