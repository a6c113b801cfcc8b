import type { DraftPath } from '../../../src/core/draft.ts'
import type { RenderSchema } from '../../../src/core/linked-schema.ts'
import type { AskForSql } from '../../../src/core/model.ts'
import { describeEvidence } from './describe-evidence.ts'
import { describeTime } from './describe-time.ts'
import { describeValues } from './describe-values.ts'
import { dialectNotes } from './dialects/dialect-notes.ts'

/**
 * How often a draft of this path is taken to be right before it has run. CHASE-SQL (table 4) reports 65.8 % on BIRD
 * for this path with its fixer and a large model; a model we do not know gets a little less.
 */
const PRIOR = 0.6

/** CHASE-SQL takes seven of each of its three paths; beyond about twenty nothing is gained (section 4.3). */
const SAMPLES = 7

/**
 * Divide and conquer in one call (CHASE-SQL 3.3, Algorithm 1): sub-questions with pseudo-SQL, the SQL of each, the
 * assembled statement, and the same without what is redundant. `model` names the lineage. One draft a call, none
 * when the model finds that the schema cannot answer. Throws what `askForSql` throws.
 */
export const makeDivideAndConquer = (deps: {
  readonly askForSql: AskForSql
  readonly renderSchema: RenderSchema
  readonly model: string
}): DraftPath => ({
  name: 'divide-and-conquer',
  cost: 'model',
  samples: SAMPLES,
  draft: async ({ understanding, database, linked, matches, sample, questionId, signal }) => {
    const { value, usage } = await deps.askForSql({
      role: 'drafter',
      prompt: 'divide-and-conquer',
      variables: {
        dialect: dialectNotes[database.dialect],
        schema: deps.renderSchema(database.catalog, linked, { seed: sample, matches }),
        evidence: describeEvidence(database.knowledge, { question: understanding.text, linked }),
        values: describeValues(matches),
        time: describeTime(understanding),
        question: understanding.text,
      },
      ...(questionId === undefined ? {} : { questionId }),
      ...(signal ? { signal } : {}),
    })
    const draft = {
      sql: value.sql,
      lineage: `divide-and-conquer/${deps.model}`,
      prior: PRIOR,
      decisions: [],
      assumptions: value.assumptions,
      unused: null,
    }
    return { drafts: value.sql === '' ? [] : [draft], usage }
  },
})
