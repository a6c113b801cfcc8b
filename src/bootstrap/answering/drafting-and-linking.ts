import {
  type ModelPathDeps,
  makeDivideAndConquerPath,
  makeQueryPlanPath,
  varySamples,
} from '../../../graphs/answer/drafting/model-paths.ts'
import {
  cacheExamples,
  makeMakeExamples,
  makeSyntheticExamplesPath,
} from '../../../graphs/answer/drafting/synthetic-examples.ts'
import type { Config } from '../../config/config.ts'
import { renderDdl, renderMarkdown, renderMSchema } from '../../databases/catalog/render-schema.ts'
import { makeEmbeddingBonus } from '../../databases/schema-linking/embedding-similarity.ts'
import { makeLinkSchema } from '../../databases/schema-linking/link-schema.ts'
import type { DraftPath, FindExampleQueries } from '../../domain/candidate.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { LinkSchema, RenderSchema } from '../../domain/question-context.ts'
import { type Models, readModelConnections } from './models.ts'

const renderings: readonly RenderSchema[] = [renderDdl, renderMSchema, renderMarkdown]

/**
 * The three paths of CHASE-SQL, in the order of asking: the two that cost one call before the one that costs a call for
 * its examples too. Drafters and renderings of the schema are taken in turn, each path beginning with others, so that
 * the first drafts of a question already differ in all three.
 */
export const makeModelDraftPaths = (
  { askForSql, askForExamples, drafters }: Pick<Models, 'askForSql' | 'askForExamples' | 'drafters'>,
  options: { readonly linkSchema: LinkSchema; readonly findExamples?: FindExampleQueries },
): readonly DraftPath[] => {
  const { linkSchema, findExamples } = options
  const turn = (path: number, sample: number): ModelPathDeps => {
    const model = roundRobin(drafters, sample + path)
    // Twice the step of the drafters: with three of both, each drafter sees each rendering.
    const renderSchema = roundRobin(renderings, sample + 2 * path)
    return { model, askForSql, renderSchema, ...(findExamples && { findExamples }) }
  }
  const makeExamples = cacheExamples(
    makeMakeExamples({ askForExamples, linkSchema, renderSchema: renderDdl }),
  )
  return [
    varySamples(sample => makeDivideAndConquerPath(turn(0, sample))),
    varySamples(sample => makeQueryPlanPath(turn(1, sample))),
    varySamples(sample => makeSyntheticExamplesPath({ ...turn(2, sample), makeExamples })),
  ]
}

const roundRobin = <Item>(items: readonly Item[], turn: number): Item => items[turn % items.length] as Item

/** Makes schema linking. An embedder has a say where one is configured and `--model none` does not forbid it. */
export const makeSchemaLinker = async (
  config: Config,
  { named, log }: { readonly named: string | null; readonly log: Log },
): Promise<LinkSchema> => {
  const { tokenBudget } = config.linking
  if (!config.embedder || named === 'none') return makeLinkSchema({ tokenBudget })
  const { makeEmbedder } = await import('../../llm/embedder.ts')
  const endpoint = readModelConnections(config).findEndpoint(config.embedder.model)
  const embedder = makeEmbedder(endpoint, { ...config.embedder, model: endpoint.model })
  const nearInSense = makeEmbeddingBonus({ embedder, folder: `${config.home}/cache`, log })
  return makeLinkSchema({ tokenBudget, nearInSense })
}
