import type { Database } from '../../core/database.ts'
import { type Knowledge, type KnowledgeProblem, noKnowledge } from '../../core/knowledge.ts'
import { applyKnowledge } from './apply-knowledge.ts'
import { checkKnowledge } from './check-knowledge.ts'
import { withGlossaryTerms } from './find-terms.ts'

/**
 * A database with more knowledge than its own: terms for prompts, values and columns for the semantic parser. What
 * names a table or column that is not there, or may not be seen, is left out, and told as a problem.
 */
export const addKnowledge = (
  database: Database,
  added: Knowledge,
): { readonly database: Database; readonly problems: readonly KnowledgeProblem[] } => {
  const own = database.knowledge ?? noKnowledge
  const { knowledge: more, problems } = checkKnowledge(added, database.catalog)
  return {
    problems,
    database: {
      ...database,
      catalog: applyKnowledge(database.catalog, more),
      findValues: withGlossaryTerms(database.findValues, more.terms),
      knowledge: {
        terms: [...own.terms, ...more.terms],
        rules: [...own.rules, ...more.rules],
        descriptions: [...own.descriptions, ...more.descriptions],
        joins: [...own.joins, ...more.joins],
      },
    },
  }
}
