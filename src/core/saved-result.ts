import type { ResultTable } from './result.ts'

/** Keeps the rows of one run and returns the id under which table, CSV and "how I got this" read them. */
export type SaveResult = (questionId: string, table: ResultTable) => Promise<string>

/** Reads a saved result back; null when it has expired. */
export type LoadResult = (resultId: string) => Promise<ResultTable | null>
