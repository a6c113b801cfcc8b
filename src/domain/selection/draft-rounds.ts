/** How much is spent on drafts: `frugal` on few, `thorough` on as many as change an answer, `balanced` between them. */
export const draftBudgets = ['frugal', 'balanced', 'thorough'] as const

export type DraftBudget = (typeof draftBudgets)[number]

/** So many drafts are made one after the other: one of each path, and most questions end here. */
const ONE_BY_ONE = 3

const LEAST_OF_LATER = 2

/** Of the drafts made so far: two more do not settle what many could not. */
const SHARE_OF_MADE = 0.25

/**
 * How many drafts there are when the next round ends: 1, 2, 3, 5, 7, 9, 11, 13, 16, 20, 25. The drafts of a round are
 * written at the same time, so that a hard question takes fewer turns than drafts.
 */
export const nextRoundEnd = (made: number): number =>
  made < ONE_BY_ONE ? made + 1 : made + Math.max(LEAST_OF_LATER, Math.floor(made * SHARE_OF_MADE))
