import type { Database } from './database.ts'
import type { SqlErrorClass } from './errors.ts'
import type { Decision } from './interpretation.ts'
import type { AnswerMeaning } from './metrics/metric-reading.ts'
import type { ModelReply, ModelRequest } from './model.ts'
import type { ModelUsage } from './operations/usage.ts'
import type { LinkedSchema, Understanding, ValueMatch } from './question-context.ts'
import type { ResultTable } from './result.ts'
import type { AgentStrategyName } from './strategies/strategy.ts'

/** A way to draft candidates. */
export type DraftPathName =
  | 'semantic-parser'
  | 'verified-example'
  | 'metric-query'
  | 'divide-and-conquer'
  | 'query-plan'
  | 'online-synthetic'
  | 'pool-replay'
  | AgentStrategyName

/** One repair round: what was wrong and what was tried. */
export interface Repair {
  readonly round: number
  readonly sql: string
  readonly errorClass: SqlErrorClass
  readonly message: string
}

/** How the candidate's last statement ended. `resultId` names the saved rows. */
export type CandidateRun =
  | {
      readonly status: 'ran'
      readonly resultId: string
      /** Hash of the canonical result, in any row order: equal for candidates of one execution group. */
      readonly groupKey: string
      /** Tells apart members of a group whose columns are in a different order. */
      readonly columnsKey: string
      readonly evidence: Evidence
      readonly rowCount: number
      readonly columnCount: number
      readonly milliseconds: number
      /** What rules could not repair in a result that a model may still look at. */
      readonly problem?: SqlErrorClass
    }
  | { readonly status: 'failed'; readonly errorClass: SqlErrorClass; readonly message: string }

/**
 * Which draft a candidate is. `attempt` counts how often a question was started over after a reply in words, `round` the
 * sets of drafts of an attempt, `sample` the drafts of one path; all from 0.
 */
export interface DraftOrigin {
  readonly attempt: number
  readonly round: number
  readonly sample: number
}

/** The id of a candidate; the order of ids is that of attempts, then rounds. */
export const candidateId = (
  { attempt, round, sample }: DraftOrigin,
  { path, rank }: { readonly path: string; readonly rank: number },
): string => `${attempt}/${twoDigits(round)}/${path}/${twoDigits(sample)}.${twoDigits(rank)}`

const twoDigits = (number: number): string => String(number).padStart(2, '0')

/** Reads the origin of a candidate that was stored with its id alone. Everything else takes `Candidate.origin`. */
export const parseCandidateId = (id: string): DraftOrigin => {
  const [, attempt, round, sample] = /^(\d+)\/(?:(\d+)\/)?[^/]+(?:\/(\d+))?/.exec(id) ?? []
  return { attempt: Number(attempt ?? 0), round: Number(round ?? 0), sample: Number(sample ?? 0) }
}

/**
 * One SQL statement with its path and repair history. `lineage` is path and model: candidates of one lineage are
 * correlated and must not count as two pieces of evidence. `prior` is the path's own estimate of being right, 0 to 1.
 */
export interface Candidate {
  readonly id: string
  readonly origin: DraftOrigin
  readonly path: DraftPathName
  readonly lineage: string
  readonly rank: number
  readonly sql: string
  readonly prior: number
  readonly decisions: readonly Decision[]
  readonly assumptions: readonly string[]
  /** Content words of the question that this SQL ignores; null if the path cannot tell. */
  readonly unused: readonly string[] | null
  readonly repairs: readonly Repair[]
  readonly run: CandidateRun | null
  /** What it is about, if it was read as a metric query. */
  readonly meaning?: AnswerMeaning
  /** Set if its draft called the question ambiguous: the meaning that it answers. */
  readonly named?: NamedMeaning
}

/** One of the meanings that a model sees in an ambiguous question, in words that nothing can happen with. */
export interface NamedMeaning {
  /** A short noun phrase, as a person could have typed it. */
  readonly label: string
  /** The words that can mean several things; null if the model named none. */
  readonly unclear: string | null
}

/** Input of every drafting path. */
export interface DraftInput {
  readonly understanding: Understanding
  readonly database: Database
  readonly linked: LinkedSchema
  readonly matches: readonly ValueMatch[]
  /** Index of the path's draft, from 0; also the seed for shuffling and sampling. */
  readonly sample: number
  /** The question whose model budget pays for the drafts. */
  readonly questionId?: string
  readonly signal?: AbortSignal
}

/** One statement of a path, before it is checked or run. */
export interface Draft {
  readonly sql: string
  readonly lineage: string
  readonly prior: number
  readonly decisions: readonly Decision[]
  readonly assumptions: readonly string[]
  readonly unused: readonly string[] | null
  /** What it is about, if it was read as a metric query. */
  readonly meaning?: AnswerMeaning
  /** Set if its draft called the question ambiguous: the meaning that it answers. */
  readonly named?: NamedMeaning
}

/**
 * What one call of a path brings: statements, or a model's word that the schema cannot answer. Its `reason` is in the
 * model's own words, which may be somebody else's.
 */
export type PathDrafts =
  | {
      readonly kind: 'statements'
      readonly drafts: readonly Draft[]
      /** Why there are none, if others are to be asked. */
      readonly declined?: string
      readonly usage: ModelUsage
    }
  | {
      readonly kind: 'cannot-answer'
      readonly lineage: string
      readonly reason: string
      readonly usage: ModelUsage
    }

/**
 * The least prior of a statement that a person approved for this question. On Spider's train questions such statements were
 * right 92 of 92 times in the same words, and 53 of 55 with a value replaced (`npm run bench:verified`).
 */
export const PRIOR_OF_APPROVED = 0.9

/** Whether a person approved a candidate for this question: other interpretations do not outweigh it. */
export const isApproved = ({ path, prior }: Pick<Candidate, 'path' | 'prior'>): boolean =>
  path === 'verified-example' && prior >= PRIOR_OF_APPROVED

/** A draft that says the schema cannot answer. `reason` is inert text; null if the model gave none. */
export interface CannotAnswer {
  readonly origin: DraftOrigin
  readonly path: DraftPathName
  readonly lineage: string
  readonly reason: string | null
}

/**
 * A path drafts candidates, best first. It may throw; the graph's drafting branch catches. A `free` path asks no model,
 * has calibrated priors and returns all its drafts at once. A `model` path returns one draft at a time, up to `samples`
 * of them.
 */
export interface DraftPath {
  readonly name: DraftPathName
  readonly cost: 'free' | 'model'
  readonly samples: number
  /** Of the adaptive mode alone, beside the free paths: cheap, and often enough. If it drafts nothing, that ends nothing. */
  readonly isFirst?: true
  /** Model calls that all its drafts of a question share, such as making examples; 0 if left out. */
  readonly sharedCalls?: number
  readonly draft: (input: DraftInput) => Promise<PathDrafts>
}

/** Input of the fixer: a failed statement and its error. */
export interface FixInput extends DraftInput {
  readonly sql: string
  readonly errorClass: SqlErrorClass
  readonly message: string
  /** Earlier rounds, oldest first. */
  readonly history: readonly { readonly sql: string; readonly message: string }[]
}

/**
 * Repairs a statement, or returns null if it cannot. `missing` is a model's word for what the schema lacks, `named` the
 * meaning that the statement has if the model finds the question ambiguous. One call is one round; the graph allows
 * three of a model.
 */
export type FixSql = (
  input: FixInput,
) => Promise<
  | { readonly sql: string; readonly usage: ModelUsage; readonly named?: NamedMeaning }
  | { readonly sql: null; readonly usage: ModelUsage; readonly missing?: string }
>

/** A question with the SQL that answers it, shown to a model as an example. */
export interface ExampleQuery {
  readonly question: string
  readonly sql: string
}

/**
 * Examples that a model generated for one question on one database (CHASE-SQL 3.3, Algorithm 2). They have not been
 * run.
 */
export interface GeneratedExamples {
  /** Examples of common clauses, over the whole schema. */
  readonly features: readonly ExampleQuery[]
  /** Examples for the columns the question is likely to need. */
  readonly focused: readonly ExampleQuery[]
}

/** Asks a model for examples. Throws `ModelError` as `AskForSql` does. */
export type AskForExamples = (request: ModelRequest) => Promise<ModelReply<GeneratedExamples>>

/** Finds similar questions whose SQL people have verified, most similar first. Throws only when stopped. */
export type FindExampleQueries = (
  input: Pick<DraftInput, 'understanding' | 'database' | 'matches' | 'signal'>,
) => Promise<readonly ExampleQuery[]>

/** Finds up to `most` verified questions with their SQL, the nearest first, however far they are. Throws only when stopped. */
export type FindNearestQueries = (
  input: Parameters<FindExampleQueries>[0],
  most: number,
) => Promise<readonly ExampleQuery[]>

/** Candidates whose results are equal. `score` is the estimated probability of being right. */
export interface ExecutionGroup {
  readonly key: string
  readonly candidateIds: readonly string[]
  /** The member whose SQL and column order are shown. */
  readonly representativeId: string
  readonly score: number
  /** Reasons for its rank, in words; left out if nothing was compared. */
  readonly reasons?: readonly string[]
}

/** Groups the candidates that ran, best group first. */
export type GroupCandidates = (candidates: readonly Candidate[]) => readonly ExecutionGroup[]

/**
 * What execution and the database say about a candidate, besides how many others agree with it. In published work such
 * evidence gives a selector most of its gain over plain votes.
 */
export interface Evidence {
  /** The result has no rows. */
  readonly isEmpty: boolean
  /** Text literals that do not occur in the column they are compared with. */
  readonly absentLiterals: number
  /** Pairs of result columns in the opposite order of how the question names them. */
  readonly columnInversions: number
  /** Input of the learned selector; absent for candidates stored before it existed. */
  readonly observation?: CandidateObservation | undefined
}

/** Gathers the evidence on a candidate that ran, from its text, its result and what is known about the database. */
export type FindEvidence = (
  candidate: { readonly sql: string; readonly question: string; readonly table: ResultTable },
  known: Pick<Database, 'catalog' | 'findValues' | 'semanticLayer'>,
) => Evidence

/** Kind of a statement part. Parts are compared with those of other candidates within a kind. */
export type StatementPartKind = 'table' | 'column' | 'clause' | 'literal' | 'skeleton'

/** A bounded sketch of a result by hashes of its contents, enough to tell how much two results share. */
export interface ResultSketch {
  /** The smallest row hashes, regardless of cell order; ascending. */
  readonly rows: readonly string[]
  /** One hash per column, over the set of its values. */
  readonly columns: readonly string[]
  /** The smallest cell hashes; ascending. */
  readonly cells: readonly string[]
}

/** What a selector records about a candidate that ran. All of it was known before the right answer was. */
export interface CandidateObservation {
  /** By measure name; zeros are left out. */
  readonly measures: Readonly<Record<string, number>>
  /** Hashes of the statement's parts. */
  readonly parts: Readonly<Record<StatementPartKind, readonly string[]>>
  readonly sketch: ResultSketch
  /** Log likelihood of its column order; 0 is the best. Comparable within one execution group. */
  readonly columnOrder: number
}
