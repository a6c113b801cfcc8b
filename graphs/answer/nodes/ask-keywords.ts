import type { LinkingDeps, NodeRun, OpenDatabase, StoringDeps, UnderstandingDeps } from '../deps.ts'
import type { KeywordsTask, Update } from '../state.ts'
import { findMoreValues } from '../understanding/model-keywords.ts'

/**
 * Asks a model for more keywords beside the first draft of a model, which does not wait for them: later drafts and
 * repairs see the values that they find, and a schema that is linked with these. Throws only if the question is stopped.
 */
export const makeAskKeywords =
  (deps: {
    readonly database: OpenDatabase
    readonly understanding: Pick<UnderstandingDeps, 'askForKeywords'>
    readonly linking: Pick<LinkingDeps, 'linkSchema'>
    readonly storing: Pick<StoringDeps, 'runStore'>
  }) =>
  async ({ question }: KeywordsTask, run: NodeRun): Promise<Update> => {
    const database = await deps.database(question.database, run)
    const context = await deps.storing.runStore.loadContext(question.id)
    const more = await findMoreValues(context, { database, questionId: question.id }, deps.understanding, run)
    if (more === null) return {}
    const { understanding, matches } = more.context
    if (matches.length > context.matches.length) {
      const linked = await deps.linking.linkSchema({
        ...{ understanding, matches, catalog: database.catalog },
        ...(run.signal ? { signal: run.signal } : {}),
      })
      await deps.storing.runStore.saveContext(question.id, { ...more.context, linked })
    }
    return { usage: more.usage }
  }
