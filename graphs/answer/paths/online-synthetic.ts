import type { DraftInput, DraftPath } from '../../../src/core/draft.ts'
import type { ExampleQuery } from '../../../src/core/example-query.ts'
import { ModelError } from '../../../src/core/model-error.ts'
import { addModelUsage, type ModelUsage } from '../../../src/core/usage.ts'
import { shuffle } from '../../../src/lib/shuffle.ts'
import { draftWithModel, type ModelPathDeps, SAMPLES_PER_PATH } from './draft-with-model.ts'

/** CHASE-SQL (table 4) reports 68.0 % on BIRD for this path with its fixer; a model we do not know gets a little less. */
const PRIOR = 0.62

/** Of those that were made and ran, so many are shown: each sample shows others, in another order. */
const SHOWN = 6

/** Makes examples for one question and keeps those whose SQL runs. Throws `ModelError`. */
export type MakeExamples = (
  input: DraftInput,
) => Promise<{ readonly examples: readonly ExampleQuery[]; readonly usage: ModelUsage }>

/**
 * Online synthetic examples (CHASE-SQL 3.3, Algorithm 2): one call makes examples for this very question, a second one
 * drafts with them. One draft a sample, none when the model finds that the schema cannot answer. Throws `ModelError`,
 * whose usage has both calls.
 */
export const makeSyntheticExamplesPath = (
  deps: ModelPathDeps & { readonly makeExamples: MakeExamples },
): DraftPath => ({
  name: 'online-synthetic',
  cost: 'model',
  samples: SAMPLES_PER_PATH,
  draft: async input => {
    const made = await deps.makeExamples(input)
    const examples = shuffle(made.examples, input.sample).slice(0, SHOWN)
    const traits = { name: 'online-synthetic', prompt: 'online-synthetic', prior: PRIOR, examples } as const
    const { drafts, usage } = await draftWithModel(input, traits, deps).catch((error: unknown) => {
      if (!(error instanceof ModelError)) throw error
      const { code, message, cause } = error
      throw new ModelError(code, message, { usage: addModelUsage(made.usage, error.usage), cause })
    })
    return { drafts, usage: addModelUsage(made.usage, usage) }
  },
})
