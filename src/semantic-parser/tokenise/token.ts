/** One word, number, quoted span or mark of a question. `at` is [start, end) in UTF-16 units of the text. */
export interface Token {
  readonly kind: 'word' | 'number' | 'quoted' | 'mark'
  /** As written; of a quoted span what stands between the quotes. */
  readonly text: string
  /** Folded: lower case, no accents. */
  readonly folded: string
  /** Singular and stemmed, as names of the schema are. */
  readonly stem: string
  /** What a number, or a small number written as a word, stands for; else null. */
  readonly number: number | null
  readonly at: readonly [number, number]
}
