import {
  type ModelPathDeps,
  makeDivideAndConquerPath,
  makeQueryPlanPath,
  varySamples,
} from '../../../graphs/answer/drafting/model-paths.ts'
import {
  cacheExamples,
  defaultExampleCounts,
  type ExampleCounts,
  makeMakeExamples,
  makeSyntheticExamplesPath,
} from '../../../graphs/answer/drafting/synthetic-examples.ts'
import type { Config } from '../../config/config.ts'
import { renderDdl, renderMarkdown, renderMSchema } from '../../databases/catalog/render-schema.ts'
import { makeEmbeddingBonus } from '../../databases/schema-linking/embedding-similarity.ts'
import { makeLinkSchema } from '../../databases/schema-linking/link-schema.ts'
import type { DraftPath, FindExampleQueries } from '../../domain/candidate.ts'
import type { Embedder } from '../../domain/model.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { LinkSchema, RenderSchema } from '../../domain/question-context.ts'
import { type Models, readModelConnections } from './models.ts'

const renderings: readonly RenderSchema[] = [renderDdl, renderMSchema, renderMarkdown]

/**
 * The three paths of CHASE-SQL, cheapest first: the last one needs another call for its examples. Drafters and renderings
 * of the schema take turns, and each path begins with different ones, so that the first drafts differ in all three.
 */
export const makeModelDraftPaths = (
  { askForSql, askForExamples, drafters }: Pick<Models, 'askForSql' | 'askForExamples' | 'drafters'>,
  options: {
    readonly linkSchema: LinkSchema
    readonly findExamples?: FindExampleQueries
    /** Of each path; that of the model if left out. */
    readonly temperatures?: readonly [number | null, number | null, number | null]
    readonly examples?: ExampleCounts
  },
): readonly DraftPath[] => {
  const { linkSchema, findExamples, temperatures = [], examples = defaultExampleCounts } = options
  const turn = (path: number, sample: number): ModelPathDeps => {
    const temperature = temperatures[path] ?? null
    const model = roundRobin(drafters, sample + path)
    // In steps of two: with three drafters and three renderings, each drafter gets each rendering.
    const renderSchema = roundRobin(renderings, sample + 2 * path)
    return {
      ...{ model, askForSql, renderSchema },
      ...(findExamples && { findExamples }),
      ...(temperature === null ? {} : { temperature }),
    }
  }
  const makeExamples = cacheExamples(
    makeMakeExamples({ askForExamples, linkSchema, renderSchema: renderDdl, counts: examples }),
  )
  return [
    varySamples(sample => makeDivideAndConquerPath(turn(0, sample))),
    varySamples(sample => makeQueryPlanPath(turn(1, sample))),
    varySamples(sample =>
      makeSyntheticExamplesPath({ ...turn(2, sample), makeExamples, shown: examples.shown }),
    ),
  ]
}

const roundRobin = <Item>(items: readonly Item[], turn: number): Item => items[turn % items.length] as Item

/** The embedder of the settings; null if none is configured, or if `--model none` forbids it. */
export const makeConfiguredEmbedder = async (
  config: Config,
  named: string | null,
): Promise<Embedder | null> => {
  if (!config.embedder || named === 'none') return null
  const { makeEmbedder } = await import('../../llm/embedder.ts')
  const endpoint = readModelConnections(config).findEndpoint(config.embedder.model)
  return makeEmbedder(endpoint, { ...config.embedder, model: endpoint.model })
}

/** Makes schema linking, with an embedder if there is one. */
export const makeSchemaLinker = (
  config: Config,
  { embedder, log }: { readonly embedder: Embedder | null; readonly log: Log },
): LinkSchema => {
  const { tokenBudget } = config.linking
  if (embedder === null) return makeLinkSchema({ tokenBudget })
  const nearInSense = makeEmbeddingBonus({ embedder, folder: `${config.home}/cache`, log })
  return makeLinkSchema({ tokenBudget, nearInSense })
}
