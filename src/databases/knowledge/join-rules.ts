import type { Database } from '../../core/database.ts'
import type { Knowledge } from '../../core/knowledge.ts'
import type { ProposedRule } from '../../core/proposed-rule.ts'
import { addKnowledge } from './join-knowledge.ts'

/**
 * A database with the accepted rules in its knowledge: terms for prompts, values and columns for the semantic parser.
 * What names a table or column that is no longer there, or may not be seen, is left out.
 */
export const addAcceptedRules = (database: Database, rules: readonly ProposedRule[]): Database => {
  if (rules.length === 0) return database
  return addKnowledge(database, rulesToKnowledge(rules)).database
}

const rulesToKnowledge = (rules: readonly ProposedRule[]): Knowledge => ({
  terms: rules.flatMap(rule => {
    const { phrase, meaning, sql, columns } = rule
    return phrase === null
      ? []
      : [{ name: phrase, synonyms: [], meaning, sql, columns, at: ruleOrigin(rule) }]
  }),
  rules: rules.flatMap(rule =>
    rule.phrase === null
      ? [{ text: `Asked “${rule.question}”, people meant: ${rule.meaning}`, at: ruleOrigin(rule) }]
      : [],
  ),
  // What a phrase means without a condition is another name of the column.
  descriptions: rules.flatMap(rule => {
    const { phrase, sql, columns } = rule
    const [only, second] = columns
    if (phrase === null || sql !== null || only === undefined || second !== undefined) return []
    const dot = only.lastIndexOf('.')
    return [
      {
        table: only.slice(0, dot),
        column: only.slice(dot + 1),
        text: '',
        synonyms: [phrase],
        source: 'knowledge' as const,
        at: ruleOrigin(rule),
      },
    ]
  }),
  joins: [],
})

const ruleOrigin = ({ id }: ProposedRule) => ({ file: `accepted rule ${id.slice(0, 8)}`, line: 1 })
