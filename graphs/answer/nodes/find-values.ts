import type { ValueMatch } from '../../../src/core/value-match.ts'
import type { AnswerDeps, NodeRun } from '../deps.ts'
import { extractKeywords } from '../extract-keywords.ts'
import type { State, Update } from '../state.ts'

const MATCHES_PER_KEYWORD = 5
const WORTH_SHOWING = 0.5

/** Looks the question's words up in the value index and keeps the likely literals in the brief. */
export const makeFindValues =
  (deps: Pick<AnswerDeps, 'database' | 'workbench'>) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    run.writer?.({ step: 'find-values', detail: 'Looking for values' })
    const database = await deps.database(state.question.database, run)
    const brief = await deps.workbench.loadBrief(state.question.id)
    const matches = extractKeywords(brief.understanding.text)
      .flatMap(keyword => database.findValues(keyword, { limit: MATCHES_PER_KEYWORD }))
      .filter(match => match.score >= WORTH_SHOWING)
    await deps.workbench.saveBrief(state.question.id, { ...brief, matches: bestPerValue(matches) })
    return {}
  }

/** The same value may be found by several spans of the question; the best span stays. */
const bestPerValue = (matches: readonly ValueMatch[]): ValueMatch[] => {
  const best = new Map<string, ValueMatch>()
  for (const match of matches) {
    const key = JSON.stringify([match.table, match.column, match.value])
    const known = best.get(key)
    if (!known || match.score > known.score) best.set(key, match)
  }
  return [...best.values()].sort((a, b) => b.score - a.score)
}
