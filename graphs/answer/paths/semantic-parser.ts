import type { DraftInput, DraftPath } from '../../../src/core/draft.ts'
import type { ReadFollowUp } from '../../../src/core/follow-up.ts'
import type { ParseQuestion, Reading } from '../../../src/core/reading.ts'
import { noUsage } from '../../../src/core/usage.ts'

/**
 * Readings of the semantic parser as drafts, in their order; costs no model call. A change of an earlier question is
 * read as one where that can be done, and else as the whole question that was put together.
 */
export const makeSemanticParserPath = (deps: {
  readonly parse: ParseQuestion
  readonly readFollowUp?: ReadFollowUp
}): DraftPath => ({
  name: 'semantic-parser',
  cost: 'free',
  samples: 1,
  draft: async ({ understanding, database }) => {
    const { catalog, findValues } = database
    const changed = readChange({ understanding, database }, deps.readFollowUp)
    const readings = changed.length > 0 ? changed : deps.parse({ understanding, catalog, findValues })
    const drafts = readings.map(({ sql, confidence, decisions, assumptions, unused }) => ({
      sql,
      lineage: 'semantic-parser',
      prior: confidence,
      decisions,
      assumptions,
      unused,
    }))
    return { drafts, usage: noUsage }
  },
})

const readChange = (
  { understanding, database }: Pick<DraftInput, 'understanding' | 'database'>,
  readFollowUp: ReadFollowUp | undefined,
): readonly Reading[] => {
  const { followUp, timeZone } = understanding
  if (!followUp || !readFollowUp) return []
  const { catalog, findValues } = database
  const read = readFollowUp({ followUp, catalog, findValues, timeZone })
  return read.kind === 'edit' ? read.readings : []
}
