import type { Candidate } from './candidate.ts'
import type { Catalog } from './catalog.ts'
import type { FollowUp, RequestedView } from './conversation.ts'
import type { ModelReply } from './model.ts'

/** What the drafting paths of one question are told. Grows node by node, and is read back by each branch. */
export interface QuestionContext {
  readonly understanding: Understanding
  /** What was looked up, for whoever asks how the values were found. */
  readonly keywords?: readonly Keyword[]
  readonly matches: readonly ValueMatch[]
  readonly linked: LinkedSchema
}

/** A relative or absolute period found in a question. Bounds are ISO days, `from` included, `until` excluded. */
export interface TimeSpan {
  /** The words as written, for instance `last month`. */
  readonly phrase: string
  /** Where the phrase stands in the question text: [start, end) in UTF-16 units. */
  readonly at: readonly [number, number]
  readonly from: string | null
  readonly until: string | null
}

/** What kind of request a text is (design/pipeline.md 1). Only `data` goes on to candidates. */
export type RequestKind = 'data' | 'meta' | 'small-talk' | 'empty'

/** The question made explicit: what it asks for, and which days its relative periods mean. */
export interface Understanding {
  readonly kind: RequestKind
  /** Self-contained text of the question. */
  readonly text: string
  readonly spans: readonly TimeSpan[]
  /** Day that relative periods were resolved against (ISO), and its time zone. */
  readonly today: string
  readonly timeZone: string
  /** Set where the text was made of a change to an earlier question. */
  readonly followUp?: FollowUp
  /** Set where a model wrote the text from what was said in the thread. */
  readonly rewritten?: true
  /** Set where it was said how the rows are wanted. */
  readonly show?: RequestedView
}

/** Reads what kind of request a text is and which days its periods mean. Pure, never throws. */
export type UnderstandQuestion = (text: string, clock: Clock) => Understanding

/**
 * Where a keyword comes from: what stands in quotes, a run of capitalised words, a number or a date as a database
 * writes it, any other run of words, another form of such a run (`French`: France), a letter that stands for it
 * (`female`: F), or a model.
 */
export type KeywordSource = 'quoted' | 'capitalised' | 'number' | 'date' | 'span' | 'form' | 'code' | 'model'

/** A text that a database may hold because of what a question says. */
export interface Keyword {
  /** What to look up. */
  readonly text: string
  /** The words of the question that it stands for: the same text, unless it is another form of them. */
  readonly said: string
  readonly source: KeywordSource
  /** Share of a match's score that counts, from 0 to 1: 1 for the question's own words, less for what was made of them. */
  readonly weight: number
}

/** What a model is told: the question, and names of tables and columns, one table a line. */
export interface KeywordRequest {
  readonly question: string
  readonly tables: string
  /** Whose budget pays. */
  readonly questionId?: string
  readonly signal?: AbortSignal
}

/** Has a model name the phrases of a question that stand for data. Throws `ModelError` as `AskForSql` does. */
export type AskForKeywords = (request: KeywordRequest) => Promise<ModelReply<readonly Keyword[]>>

/** A value of the database that a span of the question may mean. `score` is from 0 to 1, 1 for the same text. */
export interface ValueMatch {
  readonly keyword: string
  readonly table: string
  readonly column: string
  readonly value: string
  readonly score: number
  /** The term of the team's glossary that means this value; the value's text then need not resemble the keyword. */
  readonly term?: string
}

/** How a keyword is looked up. */
interface FindValuesOptions {
  /** Matches in all; 10 by default. */
  readonly limit?: number
  /** At most so many matches of one column. Without it, a column has half of the places, and what others leave. */
  readonly perColumn?: number
  /** Only values of these columns. */
  readonly columns?: readonly { readonly table: string; readonly column: string }[]
}

/** Looks a keyword up in the value index: best first, never throws. */
export type FindValues = (keyword: string, options?: FindValuesOptions) => readonly ValueMatch[]

/** What of one table a draft is shown (MAC-SQL's form, section 3.2). */
export interface LinkedTable {
  readonly table: string
  readonly keep: 'all' | readonly string[]
}

/** The part of a catalog that goes into a prompt. Tables that are not listed are dropped. */
export interface LinkedSchema {
  readonly tables: readonly LinkedTable[]
}

/**
 * Chooses the tables and columns for a question. Keeps everything when the schema is small, unless `columns` says how
 * many to keep at most, the keys that join them included. Rejects only when the signal fired.
 */
export type LinkSchema = (input: {
  readonly understanding: Understanding
  readonly catalog: Catalog
  readonly matches: readonly ValueMatch[]
  readonly columns?: number
  readonly signal?: AbortSignal
}) => Promise<LinkedSchema>

/** A name that a statement used. A null `table` may be any. */
export interface RequestedName {
  readonly table: string | null
  readonly column: string | null
}

/**
 * The linked schema and what of the catalog is meant by the names, with the tables that join it. The same object
 * when nothing that was dropped is meant, so that widening twice is widening once.
 */
export type WidenSchema = (input: {
  readonly catalog: Catalog
  readonly linked: LinkedSchema
  readonly wanted: readonly RequestedName[]
}) => LinkedSchema

/** Writes the linked part of a catalog as text for a prompt; `seed` shuffles tables and columns. */
export type RenderSchema = (
  catalog: Catalog,
  linked: LinkedSchema,
  options?: { readonly seed?: number; readonly matches?: readonly ValueMatch[] },
) => string

/** What "now" is, and in whose days: a parameter everywhere, so that tests and `--as-of` can pin it. */
export interface Clock {
  readonly now: () => Date
  /** IANA name, such as `Europe/Berlin`; relative periods are cut in it. */
  readonly timeZone: string
}

/**
 * What a question has on the bench while it is worked on. It lies outside the graph's state, so that a fan-out
 * sends ids only and checkpoints stay small; it is kept where a crash of the process cannot reach it.
 */
export interface RunStore {
  /** Puts the brief down, over an earlier one of the same question. */
  saveContext(questionId: string, brief: QuestionContext): Promise<void>
  /** The brief. Rejects with `internal` when there is none: the graph saves it before anybody asks. */
  loadContext(questionId: string): Promise<QuestionContext>
  /** Adds candidates, or replaces those of the same ids. */
  saveCandidates(questionId: string, candidates: readonly Candidate[]): Promise<void>
  /** All candidates of a question in the order of their ids. */
  loadCandidates(questionId: string): Promise<readonly Candidate[]>
}
