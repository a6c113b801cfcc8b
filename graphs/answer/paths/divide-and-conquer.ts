import type { DraftPath } from '../../../src/core/draft.ts'
import { draftWithModel, type ModelPathDeps, SAMPLES_PER_PATH } from './draft-with-model.ts'

/**
 * How often a draft of this path is taken to be right before it has run. CHASE-SQL (table 4) reports 65.8 % on BIRD
 * for this path with its fixer and a large model; a model we do not know gets a little less.
 */
const DIVIDE_AND_CONQUER_PRIOR = 0.6

/**
 * Divide and conquer in one call (CHASE-SQL 3.3, Algorithm 1): sub-questions with pseudo-SQL, the SQL of each, the
 * assembled statement, and the same without what is redundant. One draft a call, none when the model finds that the
 * schema cannot answer. Throws what `askForSql` throws.
 */
export const makeDivideAndConquerPath = (deps: ModelPathDeps): DraftPath => ({
  name: 'divide-and-conquer',
  cost: 'model',
  samples: SAMPLES_PER_PATH,
  draft: input =>
    draftWithModel(
      input,
      { name: 'divide-and-conquer', prompt: 'divide-and-conquer', prior: DIVIDE_AND_CONQUER_PRIOR },
      deps,
    ),
})
