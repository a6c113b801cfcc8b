import type { Catalog } from '../../../src/domain/catalog.ts'
import type { Database } from '../../../src/domain/database.ts'
import { ModelError } from '../../../src/domain/errors.ts'
import type { ModelUsage } from '../../../src/domain/operations/usage.ts'
import type { Keyword, QuestionContext, ValueMatch } from '../../../src/domain/question-context.ts'
import { relatedTo } from '../../../src/lib/lexicon/synonyms.ts'
import { parseNumber } from '../../../src/lib/parse-number.ts'
import type { NodeRun, UnderstandingDeps } from '../deps.ts'
import { mergeKeywords, questionWords } from './keywords.ts'
import { nameStems, requestWords, stemsOf } from './schema-words.ts'
import { matchKeywords } from './value-matches.ts'

/** The context with what a model added to it, and what asking cost. */
interface MoreValues {
  readonly context: QuestionContext
  readonly usage: ModelUsage
}

/**
 * Asks a model for more keywords and looks them up, while words of the question are left that neither a name nor a value
 * accounts for. Null if there is nothing to ask, or no model. Throws only when the question was stopped.
 */
export const findMoreValues = async (
  context: QuestionContext,
  given: { readonly database: Database; readonly questionId: string },
  { askForKeywords }: Pick<UnderstandingDeps, 'askForKeywords'>,
  run: NodeRun,
): Promise<MoreValues | null> => {
  const { understanding, matches, keywords = [] } = context
  const { database, questionId } = given
  const isAllRead =
    unexplainedWords(understanding.text, {
      catalog: database.catalog,
      matches,
      read: understanding.spans.map(span => span.phrase),
    }).length === 0
  if (isAllRead || !askForKeywords) return null
  const asked = await askModel(understanding.text, database, { askForKeywords, questionId, run })
  const all = mergeKeywords([...keywords, ...asked.keywords])
  const more = all.slice(keywords.length)
  if (more.length === 0) return { context, usage: asked.usage }
  const options = { more: matches, ...(run.signal && { signal: run.signal }) }
  const found = await matchKeywords(more, database, options)
  return { context: { ...context, keywords: all, matches: found }, usage: asked.usage }
}

/** What the model adds; nothing if it fails. */
const askModel = async (
  question: string,
  { catalog }: Database,
  {
    askForKeywords,
    questionId,
    run,
  }: {
    readonly askForKeywords: NonNullable<UnderstandingDeps['askForKeywords']>
    readonly questionId: string
    readonly run: NodeRun
  },
): Promise<{ readonly keywords: readonly Keyword[]; readonly usage: ModelUsage }> => {
  try {
    const { value, usage } = await askForKeywords({
      question,
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
