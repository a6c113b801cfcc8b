import type { Cell, ResultColumn } from './result.ts'

/** The first rows of a saved result, and how many it has in all. */
export interface ResultHead {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly Cell[])[]
  readonly rowCount: number
}

/** Reads heads of saved results, at most `rows` rows of each, by id; those that have expired are left out. */
export type LoadResultHeads = (
  resultIds: readonly string[],
  rows: number,
) => Promise<ReadonlyMap<string, ResultHead>>
