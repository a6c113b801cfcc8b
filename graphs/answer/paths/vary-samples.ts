import type { DraftPath } from '../../../src/core/draft.ts'

/**
 * A path each of whose samples is drafted by a path of its own: another model, another rendering of the schema. They
 * all have the same name and number of samples.
 */
export const varySamples = (make: (sample: number) => DraftPath): DraftPath => ({
  ...make(0),
  draft: input => make(input.sample).draft(input),
})
