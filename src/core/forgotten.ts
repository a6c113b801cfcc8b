/** How much of a person was found, and is deleted or made nameless: rows by what they are. */
export interface ForgottenRows {
  /** Deleted, with their answers, results, votes and all else that hangs on them. */
  readonly questions: number
  readonly digests: number
  readonly remarks: number
  readonly votes: number
  readonly feedback: number
  /** Deleted from the queues. */
  readonly jobs: number
  /** What models cost, by day, model and role; kept under nobody. */
  readonly usage: number
  /** Statements of the audit log; kept under a name that means nobody. */
  readonly statements: number
  /** Places where the person was named in what stays: replies, changed answers, verified queries, rules, decisions. */
  readonly names: number
  /** Texts and documents of others that mention the person. */
  readonly mentions: number
}

export type ForgottenKind = keyof ForgottenRows

/** Nothing found. */
export const nothingForgotten: ForgottenRows = {
  ...{ questions: 0, digests: 0, remarks: 0, votes: 0, feedback: 0 },
  ...{ jobs: 0, usage: 0, statements: 0, names: 0, mentions: 0 },
}
