/** What became of one question. */
export interface AskedQuestion {
  readonly kind: string
  readonly isRight: boolean
  readonly outcome: string
  readonly confidence: number | null
  readonly answerable: boolean
}

/** Totals of some questions. */
export interface Totals {
  readonly questions: number
  readonly right: number
  readonly wrong: number
  readonly askedBack: number
  readonly refused: number
  /** Answers with a confidence of at least .8, and how many of them are right. */
  readonly confident: number
  readonly confidentRight: number
  readonly unanswerable: number
  readonly unanswerableRefused: number
  /** `[right, questions]` for each kind. */
  readonly byKind: Readonly<Record<string, readonly [number, number]>>
}

const CONFIDENT = 0.8

export const summarize = (asked: readonly AskedQuestion[]): Totals => {
  const answerable = asked.filter(one => one.answerable)
  const others = asked.filter(one => !one.answerable)
  const sure = answerable.filter(
    ({ outcome, confidence }) => outcome === 'answered' && (confidence ?? 0) >= CONFIDENT,
  )
  const countRight = (some: readonly AskedQuestion[]): number => some.filter(({ isRight }) => isRight).length
  return {
    questions: answerable.length,
    right: countRight(answerable),
    wrong: answerable.filter(({ outcome, isRight }) => outcome === 'answered' && !isRight).length,
    askedBack: answerable.filter(({ outcome }) => outcome === 'clarified').length,
    refused: answerable.filter(({ outcome }) => outcome === 'refused').length,
    confident: sure.length,
    confidentRight: countRight(sure),
    unanswerable: others.length,
    unanswerableRefused: others.filter(({ outcome }) => outcome === 'refused').length,
    byKind: Object.fromEntries(
      [...Map.groupBy(answerable, ({ kind }) => kind)].map(([kind, some]) => [
        kind,
        [countRight(some), some.length],
      ]),
    ),
  }
}
