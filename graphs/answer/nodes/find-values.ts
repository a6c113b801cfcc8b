import type { Catalog } from '../../../src/domain/catalog.ts'
import type { Database } from '../../../src/domain/database.ts'
import { ModelError } from '../../../src/domain/errors.ts'
import type { ModelUsage } from '../../../src/domain/operations/usage.ts'
import type { Keyword, Understanding, ValueMatch } from '../../../src/domain/question-context.ts'
import { relatedTo } from '../../../src/lib/lexicon/synonyms.ts'
import { parseNumber } from '../../../src/lib/parse-number.ts'
import type { NodeRun, OpenDatabase, StoringDeps, UnderstandingDeps } from '../deps.ts'
import type { State, Update } from '../state.ts'
import { extractKeywords, mergeKeywords, questionWords } from '../understanding/keywords.ts'
import { nameStems, requestWords, stemsOf } from '../understanding/schema-words.ts'
import { flagMatches, matchKeywords } from '../understanding/value-matches.ts'

interface FindValuesDeps {
  readonly database: OpenDatabase
  readonly understanding: Pick<UnderstandingDeps, 'askForKeywords'>
  readonly storing: Pick<StoringDeps, 'runStore'>
}

/**
 * Looks the question's words up in the value index and keeps the likely literals in the question context. A model, where there is
 * one, is asked for more keywords only while words of the question are left that neither a name nor a value accounts
 * for; when it fails, the keywords are those that were found without it.
 */
export const makeFindValues =
  (deps: FindValuesDeps) =>
  async (state: State, run: NodeRun): Promise<Update> => {
    run.writer?.({ step: 'find-values', detail: 'Looking for values' })
    const database = await deps.database(state.question.database, run)
    const context = await deps.storing.runStore.loadContext(state.question.id)
    const { text } = context.understanding
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
        read: spansOf(context.understanding),
      }).length === 0
    const asked = isAllRead
      ? null
      : await askModel(context.understanding, database, { deps, run, questionId: state.question.id })
    const all = asked ? mergeKeywords([...keywords, ...asked.keywords]) : keywords
    const more = all.slice(keywords.length)
    const matches =
      more.length === 0 ? found : await matchKeywords(more, database, { more: found, ...options })
    await deps.storing.runStore.saveContext(state.question.id, { ...context, keywords: all, matches })
    return asked ? { usage: asked.usage } : {}
  }

const spansOf = ({ spans }: Understanding): readonly string[] => spans.map(span => span.phrase)

/** What the model adds; null without a model. Throws only when the question was stopped. */
const askModel = async (
  { text }: Understanding,
  { catalog }: Database,
  { deps, run, questionId }: { deps: FindValuesDeps; run: NodeRun; questionId: string },
): Promise<{ readonly keywords: readonly Keyword[]; readonly usage: ModelUsage } | null> => {
  if (!deps.understanding.askForKeywords) return null
  try {
    const { value, usage } = await deps.understanding.askForKeywords({
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

/** A match at least so good says what its words are. */
const GOOD_SCORE = 0.8

/**
 * Words of a question that mean something and that neither the names of the catalog nor a good match of a value
 * account for, nor a number, nor a time span (`read`: pieces of the question that were read otherwise). Where there is
 * none, a model has nothing to add to the values that were found.
 */
const unexplainedWords = (
  text: string,
  {
    catalog,
    matches,
    read = [],
  }: {
    readonly catalog: Catalog
    readonly matches: readonly ValueMatch[]
    readonly read?: readonly string[]
  },
): readonly string[] => {
  const names = nameStems(catalog)
  const accounted = new Set(
    [...matches.filter(match => match.score >= GOOD_SCORE).map(match => match.keyword), ...read].flatMap(
      stemsOf,
    ),
  )
  return questionWords(text)
    .filter(({ text, mayBound }) => mayBound && parseNumber(text) === null)
    .map(word => word.text)
    .filter(word => {
      const stems = stemsOf(word).filter(stem => stem.length > 1)
      const isRead = (stem: string): boolean =>
        requestWords.has(stem) ||
        accounted.has(stem) ||
        names.has(stem) ||
        [...relatedTo(stem)].some(other => names.has(other))
      return stems.length > 0 && !stems.every(isRead)
    })
}

/** Enough to know what a database is about; the rest of a wide one is left out. */
const MOST_CHARACTERS = 3_500

/** Names of tables with the columns that hold texts, one table a line, as many as fit. No value is in it. */
const outlineTables = (catalog: Catalog): string => {
  const lines: string[] = []
  let characters = 0
  for (const { name, columns } of catalog.tables) {
    const texts = columns.filter(({ kind }) => kind === 'text' || kind === 'unknown')
    const line = `${name}(${texts.map(column => column.name).join(', ')})`
    characters += line.length + 1
    if (characters > MOST_CHARACTERS) break
    lines.push(line)
  }
  return lines.join('\n')
}
