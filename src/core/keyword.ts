import type { ModelReply } from './model.ts'

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
