import type { DraftPath } from '../../../src/core/draft.ts'
import { draftWithModel, type ModelPathDeps, SAMPLES_PER_PATH } from './draft-with-model.ts'

/** CHASE-SQL (table 4) reports 65.5 % on BIRD for this path with its fixer; a model we do not know gets a little less. */
const QUERY_PLAN_PRIOR = 0.6

/**
 * Query plan in one call (CHASE-SQL 3.3): the model goes through what a database engine would do, in the order of an
 * EXPLAIN told in words, and then writes the statement that does it. One draft a call, none when the model finds that
 * the schema cannot answer. Throws what `askForSql` throws.
 */
export const makeQueryPlanPath = (deps: ModelPathDeps): DraftPath => ({
  name: 'query-plan',
  cost: 'model',
  samples: SAMPLES_PER_PATH,
  draft: input =>
    draftWithModel(input, { name: 'query-plan', prompt: 'query-plan', prior: QUERY_PLAN_PRIOR }, deps),
})
