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
