import { judgeRequest } from '../../../graphs/answer/comparison/judge-request.ts'
import { schemaOfPair } from '../../../graphs/answer/nodes/compare-groups.ts'
import { extractKeywords } from '../../../graphs/answer/understanding/keywords.ts'
import { flagMatches, matchKeywords } from '../../../graphs/answer/understanding/value-matches.ts'
import { renderDdl } from '../../databases/catalog/render-schema.ts'
import { linkSchema, widenSchema } from '../../databases/schema-linking/link-schema.ts'
import type { Database } from '../../domain/database.ts'
import type { Understanding } from '../../domain/question-context.ts'
import type { PairInput } from '../../domain/selection/pairwise.ts'
import type { RenderPair } from '../../evaluation/training-pairs.ts'
import { makeRenderPrompt } from '../../llm/prompts.ts'
import { understandQuestion } from '../../parser/understand/understand-question.ts'

/** What a judge knows of a question beside the statements. */
export type JudgedContext = Pick<PairInput, 'understanding' | 'matches' | 'linked'>

/** Questions whose context is kept: the pairs of one question come one after the other. */
const MOST_CONTEXTS = 20

/**
 * Makes the messages that a judge would get about two statements, from the prompt of judges itself. `contextOf` gives
 * what is known of a question; if it gives nothing, the question is read again, without a model.
 */
export const makeRenderPair = (
  database: Database,
  options: {
    readonly seesRows: boolean
    readonly now: () => Date
    readonly timeZone: string
    readonly contextOf?: (question: string) => Promise<JudgedContext | null>
  },
): RenderPair => {
  const renderPrompt = makeRenderPrompt()
  const contexts = new Map<string, Promise<JudgedContext>>()
  const contextOf = (question: string, signal?: AbortSignal): Promise<JudgedContext> => {
    const known = contexts.get(question)
    if (known !== undefined) return known
    const made = (async () =>
      (await options.contextOf?.(question)) ??
      readContext(understandQuestion(question, options), database, signal))()
    contexts.set(question, made)
    const [oldest] = contexts.keys()
    if (contexts.size > MOST_CONTEXTS && oldest !== undefined) contexts.delete(oldest)
    return made
  }

  return async ({ question, first, second, signal }) => {
    const context = await contextOf(question, signal)
    const statements = [first.sql, second.sql] as const
    const linked = schemaOfPair({ statements, database, linked: context.linked }, widenSchema)
    const { prompt, variables } = judgeRequest(
      { ...context, database, linked, first, second },
      { renderSchema: renderDdl, seesRows: options.seesRows },
    )
    return renderPrompt(prompt, variables).messages
  }
}

const readContext = async (
  understanding: Understanding,
  database: Database,
  signal?: AbortSignal,
): Promise<JudgedContext> => {
  const stop = signal ? { signal } : {}
  const { catalog } = database
  const matches = await matchKeywords(extractKeywords(understanding.text), database, {
    more: flagMatches(understanding.text, catalog),
    ...stop,
  })
  return { understanding, matches, linked: await linkSchema({ understanding, catalog, matches, ...stop }) }
}
