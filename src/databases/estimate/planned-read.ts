/** One place of a plan where rows are read: of which table, as the plan names it, and how many in all. */
export interface PlannedRead {
  readonly table: string | null
  /** Null where the plan does not tell. */
  readonly rows: number | null
}

/** What stands for a plan that is none, or is written in a way that is not read. An empty list is a plan that reads nothing. */
export const unreadablePlan: readonly PlannedRead[] = [{ table: null, rows: null }]

/** How many rows a table has, by the name or alias that a plan uses; null where that is not known. */
export type TableRowCount = (table: string) => number | null
