/** Steps of one question as a person may watch them. Several may be under way at once. */
export type AnswerStep = 'understand' | 'find-values' | 'link' | 'draft' | 'check' | 'choose' | 'explain'

/** What the graph tells whoever listens while it works. `detail` is short and fit for a person. */
export interface AnswerEvent {
  readonly step: AnswerStep
  readonly detail: string
}

export type OnAnswerEvent = (event: AnswerEvent) => void
