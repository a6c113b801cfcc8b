/** Where a piece of knowledge is written, for a person who corrects it: `knowledge/shop.md`, line 12. */
export interface KnowledgeLocation {
  readonly file: string
  readonly line: number
}

/** A word of the team's with its meaning. `sql` is a condition or an expression, in the database's own dialect. */
export interface GlossaryTerm {
  readonly name: string
  readonly synonyms: readonly string[]
  readonly meaning: string
  readonly sql: string | null
  /** What it is about, as `table.column`; columns of `sql` need not be repeated. */
  readonly columns: readonly string[]
  readonly at: KnowledgeLocation
}

/** Something that holds for every answer: "cancelled orders are no sales". */
export interface BusinessRule {
  readonly text: string
  readonly at: KnowledgeLocation
}

/** What a table, or a column of it, means. `text` is empty where only synonyms were given. */
export interface Description {
  readonly table: string
  /** Null for the table itself. */
  readonly column: string | null
  readonly text: string
  readonly synonyms: readonly string[]
  /** Written by a person, or by a model from what was measured. */
  readonly source: 'knowledge' | 'generated'
  readonly at: KnowledgeLocation
}

/** How two tables are joined, pair of columns by pair, whatever the database declares. */
export interface PreferredJoin {
  readonly from: { readonly table: string; readonly columns: readonly string[] }
  readonly to: { readonly table: string; readonly columns: readonly string[] }
  readonly at: KnowledgeLocation
}

/** What a team knows of a database beside what stands in it. */
export interface Knowledge {
  readonly terms: readonly GlossaryTerm[]
  readonly rules: readonly BusinessRule[]
  readonly descriptions: readonly Description[]
  readonly joins: readonly PreferredJoin[]
}

/** Something in a knowledge file that cannot be read, or that names what the database has not. */
export interface KnowledgeProblem {
  readonly at: KnowledgeLocation
  /** What is wrong and what to write instead. */
  readonly message: string
}

export const noKnowledge: Knowledge = { terms: [], rules: [], descriptions: [], joins: [] }

/** What a word of the team's means, as a reply to a question back tells it. */
export interface RuleMeaning {
  /** The words of the question, for instance `country`; null where it is about the question as a whole. */
  readonly phrase: string | null
  /** In plain words, for instance `pickup country of the hire`. */
  readonly meaning: string
  /** As a condition in the database's own dialect, where it is one. */
  readonly sql: string | null
  /** What it is about, as `table.column`. */
  readonly columns: readonly string[]
}

/** `proposed` waits for an admin; only `accepted` ones are used; `rejected` ones are kept, so as not to come again. */
export type RuleStatus = 'proposed' | 'accepted' | 'rejected'

export const ruleStatuses = ['proposed', 'accepted', 'rejected'] as const satisfies readonly RuleStatus[]

/**
 * The longest words that are proposed, of the question and of the reply. Whoever decides is shown all of what models
 * would then be told with every question.
 */
export const maxRuleTextLength = 200

/** A rule of the glossary that came out of a reply to a question back. A question proposes one at most. */
export interface ProposedRule extends RuleMeaning {
  readonly id: string
  /** Name of the database, as in `Database.name`. */
  readonly database: string
  readonly questionId: string
  /** The question that was asked back. */
  readonly question: string
  readonly status: RuleStatus
  readonly proposedBy: string | null
  readonly proposedAt: Date
  readonly decidedBy: string | null
  readonly decidedAt: Date | null
}

/** Rules of one database or all, in one state or all, the newest first. */
export type ListRules = (
  only: { readonly database?: string; readonly status?: RuleStatus },
  options?: { readonly signal?: AbortSignal },
) => Promise<readonly ProposedRule[]>

/** Accepts or rejects a rule. Null when there is none of this id; deciding again changes the decision. */
export type DecideRule = (given: {
  readonly id: string
  readonly status: 'accepted' | 'rejected'
  readonly by: string | null
}) => Promise<ProposedRule | null>
