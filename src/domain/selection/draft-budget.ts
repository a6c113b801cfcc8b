/** How much is spent on drafts: `frugal` on few, `thorough` on as many as change an answer, `balanced` between them. */
export const draftBudgets = ['frugal', 'balanced', 'thorough'] as const

export type DraftBudget = (typeof draftBudgets)[number]
