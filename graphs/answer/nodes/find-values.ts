import type {
  AnswerDeps,
  DraftingDeps,
  NodeRun,
  OpenDatabase,
  StoringDeps,
  UnderstandingDeps,
} from '../deps.ts'
import type { State, Update } from '../state.ts'
import { extractKeywords } from '../understanding/keywords.ts'
import { withLiveValues } from '../understanding/live-values.ts'
import { findMoreValues } from '../understanding/model-keywords.ts'
import { flagMatches, matchKeywords } from '../understanding/value-matches.ts'

interface FindValuesDeps extends Pick<AnswerDeps, 'agents'> {
  readonly database: OpenDatabase
  readonly understanding: Pick<UnderstandingDeps, 'askForKeywords'>
  readonly drafting: Pick<DraftingDeps, 'mode'>
  readonly storing: Pick<StoringDeps, 'runStore'>
}

/**
 * Looks the question's words up in the value index and keeps the likely literals in the question context. If everything is
 * drafted at once, as in CHASE-SQL, or by a published system, a model is asked for more keywords first; in rounds it is
 * asked beside the first of its drafts (`ask-keywords`).
 */
export const makeFindValues =
  (deps: FindValuesDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    run.writer?.({ step: 'find-values', detail: 'Looking for values' })
    const context = await deps.storing.runStore.loadContext(state.question.id)
    const { text } = context.understanding
    const opened = await deps.database(state.question.database, run)
    const database = await withLiveValues(opened, context.understanding, run)
    const keywords = extractKeywords(text)
    const matches = await matchKeywords(keywords, database, {
      more: flagMatches(text, database.catalog),
      ...(run.signal ? { signal: run.signal } : {}),
    })
    const found = { ...context, keywords, matches }
    // A breakdown reads the words of its follow-up by itself.
    const isAskedLater = deps.agents === null && deps.drafting.mode === 'adaptive'
    const more =
      state.isWhy || isAskedLater
        ? null
        : await findMoreValues(found, { database, questionId: state.question.id }, deps.understanding, run)
    await deps.storing.runStore.saveContext(state.question.id, more?.context ?? found)
    return more === null ? {} : { usage: more.usage }
  }
