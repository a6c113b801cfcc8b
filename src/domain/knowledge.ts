import type { ModelReply } from './model.ts'

/** Where a piece of knowledge is defined, so a person can correct it: `knowledge/shop.md`, line 12. */
export interface KnowledgeLocation {
  readonly file: string
  readonly line: number
}

/** A term of the team's glossary. `sql` is a condition or expression in the database's dialect. */
export interface GlossaryTerm {
  readonly name: string
  readonly synonyms: readonly string[]
  readonly meaning: string
  readonly sql: string | null
  /** The columns it is about, as `table.column`; columns used in `sql` need not be repeated. */
  readonly columns: readonly string[]
  readonly at: KnowledgeLocation
}

/** A rule that applies to every answer: "cancelled orders are no sales". */
export interface BusinessRule {
  readonly text: string
  readonly at: KnowledgeLocation
}

/** What a table or one of its columns means. `text` is empty if only synonyms were given. */
export interface Description {
  readonly table: string
  /** Null for the table itself. */
  readonly column: string | null
  readonly text: string
  readonly synonyms: readonly string[]
  /** Written by a person, or by a model from the profile. */
  readonly source: 'knowledge' | 'generated'
  readonly at: KnowledgeLocation
}

/** The preferred join between two tables, pair of columns by pair, whatever the database declares. */
export interface PreferredJoin {
  readonly from: { readonly table: string; readonly columns: readonly string[] }
  readonly to: { readonly table: string; readonly columns: readonly string[] }
  readonly at: KnowledgeLocation
}

/** What a team knows about a database besides its contents. */
export interface Knowledge {
  readonly terms: readonly GlossaryTerm[]
  readonly rules: readonly BusinessRule[]
  readonly descriptions: readonly Description[]
  readonly joins: readonly PreferredJoin[]
}

/** A problem in a knowledge file: unreadable, or it names something the database does not have. */
export interface KnowledgeProblem {
  readonly at: KnowledgeLocation
  /** What is wrong, and what to write instead. */
  readonly message: string
}

export const noKnowledge: Knowledge = { terms: [], rules: [], descriptions: [], joins: [] }

/** The meaning of a team's term, as a reply to a clarification gave it. */
export interface RuleMeaning {
  /** The words of the question, such as `country`; null if it is about the whole question. */
  readonly phrase: string | null
  /** In plain words, such as `pickup country of the hire`. */
  readonly meaning: string
  /** As a condition in the database's dialect, if it is one. */
  readonly sql: string | null
  /** The columns it is about, as `table.column`. */
  readonly columns: readonly string[]
}

/**
 * `proposed` waits for an admin; only `accepted` rules are used; `rejected` ones are stored so that they are not
 * proposed again.
 */
export type RuleStatus = 'proposed' | 'accepted' | 'rejected'

export const ruleStatuses = ['proposed', 'accepted', 'rejected'] as const satisfies readonly RuleStatus[]

/**
 * The longest question and reply text that is proposed. Admins see all of what models would then get with every
 * question.
 */
export const maxRuleTextLength = 200

/** A glossary rule from a reply to a clarification. A question proposes at most one. */
export interface ProposedRule extends RuleMeaning {
  readonly id: string
  /** Name of the database, as in `Database.name`. */
  readonly database: string
  readonly questionId: string
  /** The question that needed the clarification. */
  readonly question: string
  readonly status: RuleStatus
  readonly proposedBy: string | null
  readonly proposedAt: Date
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
}

/** Lists rules of one database or all, in one state or all, newest first. */
export type ListRules = (
  only: { readonly database?: string; readonly status?: RuleStatus },
  options?: { readonly signal?: AbortSignal },
) => Promise<readonly ProposedRule[]>

/** Accepts or rejects a rule. Null if the id is unknown; deciding again changes the decision. */
export type DecideRule = (given: {
  readonly id: string
  readonly status: 'accepted' | 'rejected'
  readonly by: string | null
}) => Promise<ProposedRule | null>

/** A table to describe, rendered with its profile. */
export interface TableToDescribe {
  /** What the database is about, in one sentence, or its name. */
  readonly database: string
  readonly rendered: string
  /** The columns without a description. */
  readonly columns: readonly string[]
}

/** A model's descriptions of a table; a null or a missing column means that it could not tell. */
interface DescribedTable {
  readonly table: string | null
  readonly columns: readonly { readonly column: string; readonly text: string }[]
}

/** Asks for descriptions of one table. Throws `ModelError` as `AskForSql` does. */
export type DescribeTable = (
  table: TableToDescribe,
  options?: { readonly signal?: AbortSignal },
) => Promise<ModelReply<DescribedTable>>
