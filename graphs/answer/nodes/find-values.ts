import type { AnswerDeps, NodeRun } from '../deps.ts'
import { extractKeywords } from '../keywords/extract-keywords.ts'
import { flagMatches } from '../keywords/flag-matches.ts'
import { matchKeywords } from '../keywords/match-keywords.ts'
import type { State, Update } from '../state.ts'

/** Looks the question's words up in the value index and keeps the likely literals in the brief. */
export const makeFindValues =
  (deps: Pick<AnswerDeps, 'database' | 'workbench'>) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    run.writer?.({ step: 'find-values', detail: 'Looking for values' })
    const database = await deps.database(state.question.database, run)
    const brief = await deps.workbench.loadBrief(state.question.id)
    const { text } = brief.understanding
    const matches = await matchKeywords(extractKeywords(text), database, {
      more: flagMatches(text, database.catalog),
      ...(run.signal && { signal: run.signal }),
    })
    await deps.workbench.saveBrief(state.question.id, { ...brief, matches })
    return {}
  }
