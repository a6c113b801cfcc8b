import type { DraftPath } from '../../../src/core/draft.ts'
import type { ParseQuestion } from '../../../src/core/reading.ts'
import { noUsage } from '../../../src/core/usage.ts'

/** Readings of the semantic parser as drafts, in their order; costs no model call. */
export const makeSemanticParserPath = (deps: { readonly parse: ParseQuestion }): DraftPath => ({
  name: 'semantic-parser',
  cost: 'free',
  samples: 1,
  draft: async ({ understanding, database }) => {
    const { catalog, findValues } = database
    const readings = deps.parse({ understanding, catalog, findValues })
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
