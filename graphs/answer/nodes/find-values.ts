import type { Database } from '../../../src/core/database.ts'
import type { Keyword } from '../../../src/core/keyword.ts'
import { ModelError } from '../../../src/core/model-error.ts'
import type { Understanding } from '../../../src/core/understanding.ts'
import type { ModelUsage } from '../../../src/core/usage.ts'
import type { AnswerDeps, NodeRun } from '../deps.ts'
import { extractKeywords } from '../keywords/extract-keywords.ts'
import { flagMatches } from '../keywords/flag-matches.ts'
import { matchKeywords } from '../keywords/match-keywords.ts'
import { mergeKeywords } from '../keywords/merge-keywords.ts'
import { outlineTables } from '../keywords/outline-tables.ts'
import { unexplainedWords } from '../keywords/unread-words.ts'
import type { State, Update } from '../state.ts'

type FindValuesDeps = Pick<AnswerDeps, 'database' | 'workbench' | 'askForKeywords'>

/**
 * Looks the question's words up in the value index and keeps the likely literals in the brief. A model, where there is
 * one, is asked for more keywords only while words of the question are left that neither a name nor a value accounts
 * for; when it fails, the keywords are those that were found without it.
 */
export const makeFindValues =
  (deps: FindValuesDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    run.writer?.({ step: 'find-values', detail: 'Looking for values' })
    const database = await deps.database(state.question.database, run)
    const brief = await deps.workbench.loadContext(state.question.id)
    const { text } = brief.understanding
    const options = run.signal ? { signal: run.signal } : {}
    const keywords = extractKeywords(text)
    const found = await matchKeywords(keywords, database, {
      more: flagMatches(text, database.catalog),
      ...options,
    })
    // A breakdown reads the words of its follow-up by itself.
    const isAllRead =
      state.isWhy ||
      unexplainedWords(text, {
        catalog: database.catalog,
        matches: found,
        read: spansOf(brief.understanding),
      }).length === 0
    const asked = isAllRead
      ? null
      : await askModel(brief.understanding, database, { deps, run, questionId: state.question.id })
    const all = asked ? mergeKeywords([...keywords, ...asked.keywords]) : keywords
    const more = all.slice(keywords.length)
    const matches =
      more.length === 0 ? found : await matchKeywords(more, database, { more: found, ...options })
    await deps.workbench.saveContext(state.question.id, { ...brief, keywords: all, matches })
    return asked ? { usage: asked.usage } : {}
  }

const spansOf = ({ spans }: Understanding): readonly string[] => spans.map(span => span.phrase)

/** What the model adds; null without a model. Throws only when the question was stopped. */
const askModel = async (
  { text }: Understanding,
  { catalog }: Database,
  { deps, run, questionId }: { deps: FindValuesDeps; run: NodeRun; questionId: string },
): Promise<{ readonly keywords: readonly Keyword[]; readonly usage: ModelUsage } | null> => {
  if (!deps.askForKeywords) return null
  try {
    const { value, usage } = await deps.askForKeywords({
      question: text,
      tables: outlineTables(catalog),
      questionId,
      ...(run.signal && { signal: run.signal }),
    })
    return { keywords: value, usage }
  } catch (error) {
    run.signal?.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    run.writer?.({ step: 'find-values', detail: `Keywords without the model: ${error.message}` })
    // A call that failed was still paid for.
    return { keywords: [], usage: error.usage }
  }
}
