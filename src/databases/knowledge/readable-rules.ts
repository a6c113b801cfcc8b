import { seesEveryValue, seesValuesOf } from '../../domain/access/sees-value.ts'
import type { Database } from '../../domain/database.ts'
import type { ProposedRule } from '../../domain/knowledge.ts'
import { hideValues } from '../../sql/rewrite/hide-values.ts'

/**
 * The accepted rules that apply to a database as one person sees it. A rule came from the reply of somebody, who may see
 * other rows, and is said with answers: it must name columns alone, or values of rows that this person sees. What a rule
 * in words alone names is not known.
 */
export const readableRules = (
  rules: readonly ProposedRule[],
  database: Pick<Database, 'dialect' | 'rights' | 'findValues'>,
): readonly ProposedRule[] => {
  const sees = seesValuesOf(database)
  if (sees === seesEveryValue) return rules
  const { dialect } = database
  return rules.filter(({ phrase, sql, columns, meaning }) => {
    if (phrase === null) return false
    return sql === null ? columns.length > 0 : hideValues({ sql, dialect, words: meaning }, sees).isOpen
  })
}
