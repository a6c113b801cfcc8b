import type { DraftInput } from './draft.ts'
import type { ModelReply, ModelRequest } from './model.ts'

/** A question with the SQL that answers it, shown to a model as an example. */
export interface ExampleQuery {
  readonly question: string
  readonly sql: string
}

/** Examples that a model made up for one question of one database (CHASE-SQL 3.3, Algorithm 2). Nobody has run them. */
export interface GeneratedExamples {
  /** Of common clauses, over the whole schema. */
  readonly features: readonly ExampleQuery[]
  /** Of the columns that the question is likely to need. */
  readonly focused: readonly ExampleQuery[]
}

/** Asks for examples. Throws `ModelError` as `AskForSql` does. */
export type AskForExamples = (request: ModelRequest) => Promise<ModelReply<GeneratedExamples>>

/** Finds questions like this one whose SQL people have checked, the most alike first. Never throws but for a stop. */
export type FindExampleQueries = (
  input: Pick<DraftInput, 'understanding' | 'database' | 'matches' | 'signal'>,
) => Promise<readonly ExampleQuery[]>
