/** A result that the question could have been answered with instead: another group of candidates, and its first rows. */
export interface AlternativeResult {
  readonly groupKey: string
  readonly candidateId: string
  /** From 0 to 1. */
  readonly score: number
  readonly sql: string
  readonly rowCount: number
  /** As text; null where they are no longer kept. */
  readonly head: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] } | null
}

/** The other results of a question, likeliest first, without the one that stands as its answer. */
export type ListAlternativeResults = (questionId: string) => Promise<readonly AlternativeResult[]>
