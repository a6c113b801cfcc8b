/** The owner's verified query, by its question. */
export const staleTitle = (question: string, database: string): string =>
  `Your verified query for “${question}” on ${database} may be out of date:`

export const cannotKeep = (reason: string): string => `I can't keep it: ${reason}`

export const staleNote =
  "I don't use it until you decide. Keep runs it first, and uses it again if that works."

/** Why a query cannot be kept, if its question was saved again. */
export const otherQueryTakenText = 'its question has another verified query now.'

/** The subject of the sentences below. */
const subject = (question: string | null): string =>
  question === null ? 'The verified query' : `The verified query for “${question}”`

/** What became of an outdated query: the fact, and what it means. */
export const settledTexts = {
  kept: (question: string, rows: string) => ({
    reason: `${subject(question)} is in use again.`,
    nextStep: `It just returned ${rows} and fits the tables as they are now.`,
  }),
  removed: (question: string | null) => ({
    reason: `${subject(question)} is removed.`,
    nextStep: 'I no longer answer from it. Save its question again to replace it.',
  }),
  gone: { reason: `${subject(null)} is no longer stored.`, nextStep: 'There is nothing left to decide.' },
  decided: (question: string, status: string) => ({
    reason: `${subject(question)} was already decided: it is ${status}.`,
    nextStep: 'There is nothing left to decide.',
  }),
} as const

export const expensiveTitle = (question: string, database: string): string =>
  `Your verified query for “${question}” on ${database} is too expensive to rerun automatically.`

/** If the database no longer says what makes a query expensive. */
export const expensiveReason = 'It reads more rows than I read without asking.'

export const expensiveNote =
  'It stays in use, and I ask people before I run it. I no longer check whether its result still holds. Save a cheaper query, or ask an admin to raise `heavyRows` of the database. You get this notice once.'
