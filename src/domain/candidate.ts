import type { Catalog } from './catalog.ts'
import type { Database } from './database.ts'
import type { SqlErrorClass } from './errors.ts'
import type { Decision } from './interpretation.ts'
import type { ModelReply, ModelRequest } from './model.ts'
import type { ModelUsage } from './operations/usage.ts'
import type { FindValues, LinkedSchema, Understanding, ValueMatch } from './question-context.ts'
import type { ResultTable } from './result.ts'

/** A way to make candidates (design/pipeline.md 5). */
export type DraftPathName =
  | 'semantic-parser'
  | 'verified-example'
  | 'divide-and-conquer'
  | 'query-plan'
  | 'online-synthetic'
  | 'pool-replay'

/** One round of repair: what was wrong, and what was tried. */
export interface Repair {
  readonly round: number
  readonly sql: string
  readonly errorClass: SqlErrorClass
  readonly message: string
}

/** How the last statement of a candidate ended. Rows are elsewhere: `resultId` names the saved result. */
export type CandidateRun =
  | {
      readonly status: 'ran'
      readonly resultId: string
      /** Hash of the canonical result, whatever its order: equal for candidates of one execution group. */
      readonly groupKey: string
      /** Tells members of a group apart whose columns come in another order. */
      readonly columnsKey: string
      readonly evidence: Evidence
      readonly rowCount: number
      readonly columnCount: number
      readonly milliseconds: number
    }
  | { readonly status: 'failed'; readonly errorClass: SqlErrorClass; readonly message: string }

/**
 * One SQL with its path and repair history. `lineage` is path and model: two candidates of one lineage are
 * correlated and must not count as two witnesses. `prior` is the path's own estimate of being right, 0 to 1.
 */
export interface Candidate {
  readonly id: string
  readonly path: DraftPathName
  readonly lineage: string
  readonly rank: number
  readonly sql: string
  readonly prior: number
  readonly decisions: readonly Decision[]
  readonly assumptions: readonly string[]
  /** Content words of the question that this SQL leaves out; null when the path cannot tell. */
  readonly unused: readonly string[] | null
  readonly repairs: readonly Repair[]
  readonly run: CandidateRun | null
}

/** What every drafting path is given. */
export interface DraftInput {
  readonly understanding: Understanding
  readonly database: Database
  readonly linked: LinkedSchema
  readonly matches: readonly ValueMatch[]
  /** Which of the path's drafts this is, from 0; also what its shuffling and sampling are seeded with. */
  readonly sample: number
  /** Whose model budget pays for the drafts. */
  readonly questionId?: string
  readonly signal?: AbortSignal
}

/** One statement of a path, before anything was checked or run. */
export interface Draft {
  readonly sql: string
  readonly lineage: string
  readonly prior: number
  readonly decisions: readonly Decision[]
  readonly assumptions: readonly string[]
  readonly unused: readonly string[] | null
}

/**
 * A path: makes drafts, best first. May throw; the graph's drafting branch catches. A `free` path asks no model, knows
 * its own odds (calibrated priors) and says all it has in one go; a `model` path is asked for one draft at a time, up to
 * `samples` of them.
 */
export interface DraftPath {
  readonly name: DraftPathName
  readonly cost: 'free' | 'model'
  readonly samples: number
  readonly draft: (
    input: DraftInput,
  ) => Promise<{ readonly drafts: readonly Draft[]; readonly usage: ModelUsage }>
}

/** What was wrong with a statement, for the fixer. */
export interface FixInput extends DraftInput {
  readonly sql: string
  readonly errorClass: SqlErrorClass
  readonly message: string
  /** Earlier rounds, oldest first. */
  readonly history: readonly { readonly sql: string; readonly message: string }[]
}

/** Repairs one statement, or says that it cannot (null). One call is one round; the graph counts to three. */
export type FixSql = (
  input: FixInput,
) => Promise<
  { readonly sql: string; readonly usage: ModelUsage } | { readonly sql: null; readonly usage: ModelUsage }
>

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

/** Candidates whose results are equal (design/pipeline.md 7). `score` is the estimated probability of being right. */
export interface ExecutionGroup {
  readonly key: string
  readonly candidateIds: readonly string[]
  /** The member whose SQL and column order are shown. */
  readonly representativeId: string
  readonly score: number
  /** Why it stands where it does, in words; left out where nobody compared. */
  readonly reasons?: readonly string[]
}

/** Groups the candidates that ran, best group first. */
export type GroupCandidates = (candidates: readonly Candidate[]) => readonly ExecutionGroup[]

/**
 * What execution and the database say of one candidate, beside how many others agree with it (facts of the field:
 * such evidence carries most of what a selector gains over plain votes).
 */
export interface Evidence {
  /** The result has no rows. */
  readonly isEmpty: boolean
  /** Text literals that the column they are compared to does not hold. */
  readonly absentLiterals: number
  /** Pairs of result columns that come the other way round than the question names them. */
  readonly columnInversions: number
  /** What the learned selector reads; absent where the candidate was stored before there was one. */
  readonly observation?: CandidateObservation | undefined
}

/** Gathers the evidence on a candidate that ran, from its text, its result and what is known of the database. */
export type FindEvidence = (
  candidate: { readonly sql: string; readonly question: string; readonly table: ResultTable },
  known: { readonly catalog: Catalog; readonly findValues: FindValues },
) => Evidence

/** Of what kind a part of a statement is: its parts are compared with those of other candidates within a kind. */
export type StatementPartKind = 'table' | 'column' | 'clause' | 'literal' | 'skeleton'

/** A result by hashes of what is in it, bounded however long it is: enough to tell how much two results share. */
export interface ResultSketch {
  /** The smallest hashes of rows, whatever the order of their cells; ascending. */
  readonly rows: readonly string[]
  /** One hash a column, over the set of its values. */
  readonly columns: readonly string[]
  /** The smallest hashes of cells; ascending. */
  readonly cells: readonly string[]
}

/** What a selector keeps of a candidate that ran. Everything in it was known without knowing what is right. */
export interface CandidateObservation {
  /** By the name of the measure; what is 0 is left out. */
  readonly measures: Readonly<Record<string, number>>
  /** Hashes of the statement's parts. */
  readonly parts: Readonly<Record<StatementPartKind, readonly string[]>>
  readonly sketch: ResultSketch
  /** Log likelihood of the order of its columns; 0 is the best. Comparable within one execution group. */
  readonly columnOrder: number
}
