import type { Database } from '../../core/database.ts'
import type { IndexReport } from '../../core/index-report.ts'
import { noKnowledge } from '../../core/knowledge.ts'
import type { Check } from './check.ts'

/** Problems that are shown; the rest is counted. */
const mostProblems = 3

/** What the team knows of a database, and whether all of it fits. */
export const checkKnowledge = (
  { knowledge = noKnowledge }: Pick<Database, 'knowledge'>,
  { knowledgeProblems: problems }: Pick<IndexReport, 'knowledgeProblems'>,
): Omit<Check, 'part'> => {
  const { terms, rules, descriptions, joins } = knowledge
  const entries = terms.length + rules.length + descriptions.length + joins.length
  if (problems.length > 0) {
    const shown = problems
      .slice(0, mostProblems)
      .map(({ at, message }) => `${at.file}:${at.line}: ${message}`)
    const more = problems.length - shown.length
    return {
      status: 'broken',
      finding: [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
      todo: 'Correct the lines (docs/knowledge.md); until then they are left out. index lists all of them.',
    }
  }
  return entries === 0
    ? { status: 'not-set', finding: 'Nobody has written anything down (docs/knowledge.md).' }
    : {
        status: 'ok',
        finding: `${terms.length} terms, ${rules.length} rules, ${descriptions.length} descriptions`,
      }
}
