/** Of what kind a part of a statement is: its parts are compared with those of other candidates within a kind. */
export type StatementPartKind = 'table' | 'column' | 'clause' | 'literal' | 'skeleton'

/** A result by hashes of what is in it, bounded however long it is: enough to tell how much two results share. */
export interface ResultSketch {
  /** The smallest hashes of rows, whatever the order of their cells; ascending. */
  readonly rows: readonly string[]
  /** One hash a column, over the set of its values. */
  readonly columns: readonly string[]
  /** The smallest hashes of cells; ascending. */
  readonly cells: readonly string[]
}

/** What a selector keeps of a candidate that ran. Everything in it was known without knowing what is right. */
export interface CandidateObservation {
  /** By the name of the measure; what is 0 is left out. */
  readonly measures: Readonly<Record<string, number>>
  /** Hashes of the statement's parts. */
  readonly parts: Readonly<Record<StatementPartKind, readonly string[]>>
  readonly sketch: ResultSketch
  /** Log likelihood of the order of its columns; 0 is the best. Comparable within one execution group. */
  readonly columnOrder: number
}
