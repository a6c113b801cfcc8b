import type { Database } from '../database.ts'
import type { Interpretation } from '../interpretation.ts'
import type { ModelReply, ModelRequest } from '../model.ts'
import type { Understanding, ValueMatch } from '../question-context.ts'
import type { ColumnMeaning } from './answer-meaning.ts'
import type { MetricQuery } from './metric-query.ts'

/** What an answer is about, so that it can be shown in the words of the business and changed by a follow-up. */
export interface AnswerMeaning {
  readonly query: MetricQuery
  /** The statement to show: what was asked, with what a person needs beside it, such as the figure that ranks. */
  readonly sql: string
  /** The columns of that statement, in their order. */
  readonly columns: readonly ColumnMeaning[]
  /** The question wants a yes or no. */
  readonly isYesNo: boolean
}

/** A question read as a metric query. `sql` has what was asked for and nothing more. */
export interface MetricReading extends Interpretation {
  readonly meaning: AnswerMeaning
  /** What its probability is estimated from, by name. */
  readonly features: Readonly<Record<string, number>>
}

/** Reads a question without a model, by the layer and by tables and columns, likeliest first. Pure. */
export type ReadQuestion = (input: {
  readonly understanding: Understanding
  readonly database: Pick<Database, 'catalog' | 'findValues' | 'semanticLayer'>
}) => readonly (Interpretation & { readonly meaning?: AnswerMeaning })[]

/** Reads a question as metric queries over a database's semantic layer, best first; costs no model call. Pure. */
export type ReadMetricQuestion = (input: {
  readonly understanding: Understanding
  readonly database: Pick<Database, 'catalog' | 'findValues' | 'semanticLayer'>
}) => readonly MetricReading[]

/** The part of a database's layer that bears on a question, for a model that is asked for a metric query. */
export interface LinkedLayer {
  /** As it stands in a prompt. */
  readonly text: string
  /** Matches of columns that are dimensions here, with model and dimension in place of table and column. */
  readonly inDimensions: <Match extends ValueMatch>(matches: readonly Match[]) => readonly Match[]
  /** Checks what a model replied and compiles it; the problems are sentences that the model can act on. */
  readonly compile: (reply: MetricReply) =>
    | {
        readonly ok: true
        readonly reading: Pick<Interpretation, 'sql' | 'assumptions'> & { readonly meaning: AnswerMeaning }
      }
    | { readonly ok: false; readonly problems: readonly string[] }
}

/** Links a database's layer to a question; null if the layer has nothing to say about it. Pure. */
export type LinkLayer = (input: {
  readonly understanding: Understanding
  readonly database: Pick<Database, 'catalog' | 'findValues' | 'semanticLayer'>
  readonly matches: readonly ValueMatch[]
}) => LinkedLayer | null

/** Asks a model for a metric query. Throws `ModelError` as `AskForSql` does. */
export type AskForMetricQuery = (request: ModelRequest) => Promise<ModelReply<MetricReply>>

/** What a model replies that is asked for a metric query. Nothing in it has been checked but its shape. */
export interface MetricReply {
  /** What the layer cannot say; empty if it can. Then nothing else counts. */
  readonly missing: string
  readonly metrics: readonly ReplyMetric[]
  /** The model whose rows are listed. */
  readonly rows: string | null
  readonly by: readonly string[]
  readonly show: readonly string[]
  readonly where: readonly ReplyCondition[]
  readonly period: (ReplyDays & { readonly date: string | null }) | null
  readonly compare: 'previous' | 'year' | ReplyDays | null
  readonly share: string | null
  readonly running: string | null
  readonly having: readonly ReplyComparison[]
  readonly sort: readonly { readonly by: string; readonly direction: 'asc' | 'desc' }[]
  readonly limit: number | null
  readonly limitPer: readonly string[]
  readonly assumptions: readonly string[]
}

interface ReplyDays {
  readonly from: string | null
  readonly until: string | null
}

/** A metric of the layer, or an aggregation such as `avg(order.weight)`. */
interface ReplyFigure {
  readonly figure: string
  readonly where: readonly ReplyTest[]
}

export interface ReplyMetric extends ReplyFigure {
  /** What it is divided by. */
  readonly per: ReplyFigure | null
}

interface ReplyComparison {
  readonly figure: string
  readonly is: '=' | '<>' | '<' | '<=' | '>' | '>='
  readonly value: number
}

/** A condition on a dimension or a segment. */
export interface ReplyTest {
  readonly at: string
  readonly is:
    | ReplyComparison['is']
    | 'contains'
    | 'starts'
    | 'ends'
    | 'missing'
    | 'present'
    | 'in'
    | 'not in'
  readonly values: readonly (string | number | boolean)[]
}

export type ReplyCondition =
  | ReplyTest
  | { readonly any: readonly ReplyTest[] }
  | { readonly related: string; readonly are: 'some' | 'none'; readonly where: readonly ReplyTest[] }
  | (ReplyComparison & { readonly each: string })
