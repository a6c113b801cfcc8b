import { makeDivideAndConquerPath } from '../../../graphs/answer/paths/divide-and-conquer.ts'
import type { ModelPathDeps } from '../../../graphs/answer/paths/draft-with-model.ts'
import { makeMakeExamples } from '../../../graphs/answer/paths/make-examples.ts'
import { makeSyntheticExamplesPath } from '../../../graphs/answer/paths/online-synthetic.ts'
import { makeQueryPlanPath } from '../../../graphs/answer/paths/query-plan.ts'
import { cacheExamples } from '../../../graphs/answer/paths/remember-examples.ts'
import { varySamples } from '../../../graphs/answer/paths/vary-samples.ts'
import type { DraftPath } from '../../core/draft.ts'
import type { FindExampleQueries } from '../../core/example-query.ts'
import type { LinkSchema, RenderSchema } from '../../core/linked-schema.ts'
import { renderDdl } from '../../databases/catalog/render-ddl.ts'
import { renderMSchema } from '../../databases/catalog/render-m-schema.ts'
import { renderMarkdown } from '../../databases/catalog/render-markdown.ts'
import type { Models } from './make-models.ts'

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
