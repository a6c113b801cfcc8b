import type { DraftInput, DraftPath } from '../../../src/core/draft.ts'
import type { FollowUpInterpretation, InterpretFollowUp } from '../../../src/core/follow-up.ts'
import type { ParseQuestion } from '../../../src/core/reading.ts'
import { noModelUsage } from '../../../src/core/usage.ts'
import { draftBreakdown } from '../breakdown/draft-breakdown.ts'

/**
 * Readings of the semantic parser as drafts, in their order; costs no model call. A change of an earlier question is
 * read as one where that can be done, and else as the whole question that was put together. Where it was asked why, the
 * statements of the breakdown are run, and the one that tells most is the draft.
 */
export const makeSemanticParserPath = (deps: {
  readonly parse: ParseQuestion
  readonly readFollowUp?: InterpretFollowUp
}): DraftPath => ({
  name: 'semantic-parser',
  cost: 'free',
  samples: 1,
  draft: async ({ understanding, database, signal }) => {
    const { catalog, findValues } = database
    const read = readChange({ understanding, database }, deps.readFollowUp)
    if (read?.kind === 'breakdown') {
      const draft = await draftBreakdown(read, database, signal ? { signal } : {})
      return { drafts: [draft], usage: noModelUsage }
    }
    const changed = read?.kind === 'edit' ? read.readings : []
    const readings = changed.length > 0 ? changed : deps.parse({ understanding, catalog, findValues })
    const drafts = readings.map(({ sql, confidence, decisions, assumptions, unused }) => ({
      sql,
      lineage: 'semantic-parser',
      prior: confidence,
      decisions,
      assumptions,
      unused,
    }))
    return { drafts, usage: noModelUsage }
  },
})

const readChange = (
  { understanding, database }: Pick<DraftInput, 'understanding' | 'database'>,
  readFollowUp: InterpretFollowUp | undefined,
): FollowUpInterpretation | null => {
  const { followUp, timeZone } = understanding
  if (!followUp || !readFollowUp) return null
  const { catalog, findValues } = database
  return readFollowUp({ followUp, catalog, findValues, timeZone })
}
