import type { Candidate } from './candidate.ts'
import type { Catalog } from './catalog.ts'
import type { FollowUp, PreviousAnswer, RequestedView } from './conversation.ts'
import type { ModelReply } from './model.ts'

/** What the drafting paths know about a question. It grows from node to node, and each branch reads it. */
export interface QuestionContext {
  readonly understanding: Understanding
  /** The keywords that were looked up, to explain how values were found. */
  readonly keywords?: readonly Keyword[]
  readonly matches: readonly ValueMatch[]
  readonly linked: LinkedSchema
}

/** A relative or absolute period in a question. Bounds are ISO days, `from` included, `until` excluded. */
export interface TimeSpan {
  /** The words as written, such as `last month`. */
  readonly phrase: string
  /** Position of the phrase in the question: [start, end) in UTF-16 units. */
  readonly at: readonly [number, number]
  readonly from: string | null
  readonly until: string | null
}

/** The kind of request. Only `data` is drafted. */
export type RequestKind = 'data' | 'meta' | 'small-talk' | 'empty'

/** The question made explicit: what it asks, and which days its relative periods mean. */
export interface Understanding {
  readonly kind: RequestKind
  /** Self-contained text of the question. */
  readonly text: string
  readonly spans: readonly TimeSpan[]
  /** The day (ISO) relative periods were resolved against, and its time zone. */
  readonly today: string
  readonly timeZone: string
  /** What was given with the question beside its words, such as what a term in it means. Untrusted text. */
  readonly evidence?: string
  /** Set if the text was built from a change to an earlier question. */
  readonly followUp?: FollowUp
  /** Set if a model rewrote the text from the thread. */
  readonly rewritten?: true
  /** The answer that a follow-up builds on, whether rules or a model read it. */
  readonly previous?: PreviousAnswer
  /** The label of the option that was taken because the reply to a question back changed something else. */
  readonly assumedOption?: string
  /** Set if the question says how to show the rows. */
  readonly show?: RequestedView
  /** The newest rows of one table that the question is limited to; null for most, left out in contexts stored before. */
  readonly newestRows?: NewestRowsLimit | null
}

/** The newest rows of one table. `table` is its name in the catalog. */
export interface NewestRowsLimit {
  readonly table: string
  readonly rows: number
}

/** Finds out the kind of a request and the days its periods mean. Pure, never throws. */
export type UnderstandQuestion = (text: string, clock: Clock) => Understanding

/**
 * Source of a keyword: text in quotes, capitalized words, a number or date as a database writes it, any other words,
 * another form of such words (`French`: France), a letter that stands for them (`female`: F), or a model.
 */
export type KeywordSource = 'quoted' | 'capitalised' | 'number' | 'date' | 'span' | 'form' | 'code' | 'model'

/** A text the database may contain, derived from the question. */
export interface Keyword {
  /** The text to look up. */
  readonly text: string
  /** The words of the question it stands for: the same text, unless it is another form of them. */
  readonly said: string
  readonly source: KeywordSource
  /** Factor for a match's score, 0 to 1: 1 for the question's own words, less for derived ones. */
  readonly weight: number
}

/** Input of the keyword model: the question, and tables and columns, one table per line. */
export interface KeywordRequest {
  readonly question: string
  readonly tables: string
  /** The question whose budget pays. */
  readonly questionId?: string
  readonly signal?: AbortSignal
}

/** Asks a model for the phrases of a question that stand for data. Throws `ModelError` as `AskForSql` does. */
export type AskForKeywords = (request: KeywordRequest) => Promise<ModelReply<readonly Keyword[]>>

/** A database value that a span of the question may mean. `score` is from 0 to 1, 1 for the same text. */
export interface ValueMatch {
  readonly keyword: string
  readonly table: string
  readonly column: string
  readonly value: string
  readonly score: number
  /** The glossary term that means this value; the value's text need not resemble the keyword. */
  readonly term?: string
}

/** Options for looking up a keyword. */
interface FindValuesOptions {
  /** Matches in total; 10 by default. */
  readonly limit?: number
  /** The most matches of one column. If left out, one column gets half of the matches, plus what others leave. */
  readonly perColumn?: number
  /** Only values of these columns. */
  readonly columns?: readonly { readonly table: string; readonly column: string }[]
}

/** Looks up a keyword in the value index: best first, never throws. */
export type FindValues = (keyword: string, options?: FindValuesOptions) => readonly ValueMatch[]

/**
 * Asks the database itself for texts that the value index may have left out: exact ones, but for their case. Rejects only
 * when `signal` fires; what is too heavy to search or fails is left out.
 */
export type LookUpValues = (
  texts: readonly string[],
  options?: { readonly signal?: AbortSignal },
) => Promise<readonly ValueMatch[]>

/** The part of one table that a draft sees (MAC-SQL's form, section 3.2). */
export interface LinkedTable {
  readonly table: string
  readonly keep: 'all' | readonly string[]
}

/** The part of a catalog that goes into a prompt. Tables not listed are left out. */
export interface LinkedSchema {
  readonly tables: readonly LinkedTable[]
}

/**
 * Chooses tables and columns for a question. Keeps everything if the schema is small, unless `columns` limits how many
 * to keep, join keys included. Rejects only when the signal fired.
 */
export type LinkSchema = (input: {
  readonly understanding: Understanding
  readonly catalog: Catalog
  readonly matches: readonly ValueMatch[]
  readonly columns?: number
  readonly signal?: AbortSignal
}) => Promise<LinkedSchema>

/** A name used by a statement. A null `table` may be any table. */
export interface RequestedName {
  readonly table: string | null
  readonly column: string | null
}

/**
 * Adds the catalog parts that the names mean to the linked schema, with the tables that join them. Returns the same
 * object if nothing is missing, so widening twice changes nothing.
 */
export type WidenSchema = (input: {
  readonly catalog: Catalog
  readonly linked: LinkedSchema
  readonly wanted: readonly RequestedName[]
}) => LinkedSchema

/** Renders the linked part of a catalog as prompt text; `seed` shuffles tables and columns. */
export type RenderSchema = (
  catalog: Catalog,
  linked: LinkedSchema,
  options?: { readonly seed?: number },
) => string

/** The current time and time zone: a parameter everywhere, so that tests and `--as-of` can fix it. */
export interface Clock {
  readonly now: () => Date
  /** IANA name, such as `Europe/Berlin`; relative periods follow it. */
  readonly timeZone: string
}

/**
 * Stores the working data of a question while it runs. It is outside the graph's state so that a fan-out sends only ids
 * and checkpoints stay small, and it survives a crash of the process.
 */
export interface RunStore {
  /** Stores the context, replacing an earlier one of the same question. */
  saveContext(questionId: string, context: QuestionContext): Promise<void>
  /** Loads the context. Rejects with `internal` if there is none: the graph saves it before anything reads it. */
  loadContext(questionId: string): Promise<QuestionContext>
  /** Adds candidates, or replaces those with the same ids. */
  saveCandidates(questionId: string, candidates: readonly Candidate[]): Promise<void>
  /** All candidates of a question, ordered by id. */
  loadCandidates(questionId: string): Promise<readonly Candidate[]>
}
