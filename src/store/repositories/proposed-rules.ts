import { z } from 'zod'
import { type ProposedRule, type RuleStatus, ruleStatuses } from '../../domain/knowledge.ts'
import type { Tx } from '../../domain/operations/jobs.ts'
import { cleanText, toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.proposed_rules'

/** The most rules listed; older ones are left out. */
const MAX_LISTED = 1_000

const Row = z.object({
  id: z.string(),
  database: z.string(),
  question_id: z.string(),
  question: z.string(),
  phrase: z.string().nullable(),
  meaning: z.string(),
  sql: z.string().nullable(),
  columns: z.array(z.string()),
  status: z.enum(ruleStatuses),
  proposed_by: z.string().nullable(),
  proposed_at: z.date(),
  decided_by: z.string().nullable(),
  decided_at: z.date().nullable(),
})

const toRule = (found: unknown): ProposedRule => {
  const row = Row.parse(found)
  return {
    id: row.id,
    database: row.database,
    questionId: row.question_id,
    question: row.question,
    phrase: row.phrase,
    meaning: row.meaning,
    sql: row.sql,
    columns: row.columns,
    status: row.status,
    proposedBy: row.proposed_by,
    proposedAt: row.proposed_at,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
  }
}

/** Queries on proposed rules. */
export const makeProposedRules = (within: Within) => ({
  /** Stores a rule. False if its question already proposed one, or the same rule was proposed before. */
  insert: async (rule: ProposedRule, tx?: Tx): Promise<boolean> => {
    const inserted = await within(tx)(TABLE)
      .insert({
        id: rule.id,
        database: rule.database,
        question_id: rule.questionId,
        question: cleanText(rule.question),
        phrase: rule.phrase === null ? null : cleanText(rule.phrase),
        meaning: cleanText(rule.meaning),
        sql: rule.sql === null ? null : cleanText(rule.sql),
        columns: toJsonb(rule.columns),
        status: rule.status,
        proposed_by: rule.proposedBy,
        proposed_at: rule.proposedAt,
        decided_by: rule.decidedBy,
        decided_at: rule.decidedAt,
      })
      .onConflict()
      .ignore()
      .returning('id')
    return inserted.length === 1
  },

  /** Rules of one database or all, in one state or all, newest first. */
  list: async (
    only: { readonly database?: string; readonly status?: RuleStatus } = {},
    tx?: Tx,
  ): Promise<readonly ProposedRule[]> => {
    const rows: unknown[] = await within(tx)(TABLE)
      .where(only)
      .orderBy('proposed_at', 'desc')
      .orderBy('id')
      .limit(MAX_LISTED)
    return rows.map(toRule)
  },

  /** Rules by id prefix. */
  findByPrefix: async (prefix: string, tx?: Tx): Promise<readonly ProposedRule[]> => {
    const rows: unknown[] = await within(tx)(TABLE)
      .whereRaw('starts_with(id::text, ?)', [prefix.toLowerCase()])
      .limit(2)
    return rows.map(toRule)
  },

  /** Accepts or rejects a rule; null if the id is unknown. Deciding again changes the decision. */
  decide: async (
    id: string,
    decision: { readonly status: 'accepted' | 'rejected'; readonly by: string | null; readonly at: Date },
    tx?: Tx,
  ): Promise<ProposedRule | null> => {
    const [row] = await within(tx)(TABLE)
      .where({ id })
      .update({ status: decision.status, decided_by: decision.by, decided_at: decision.at })
      .returning('*')
    return row === undefined ? null : toRule(row)
  },
})
