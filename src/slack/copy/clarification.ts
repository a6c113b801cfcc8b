/** Below the options of a question back. */
export const defaultChoice = (option: string): string =>
  `You can also reply in this thread. Without a reply, I go with: ${option}`

/** For notifications: the question and its options. */
export const clarificationSummary = (question: string, options: readonly string[]): string =>
  `${question} ${options.join(', ')}?`

/** "1. billing country (12 rows)". */
export const numberedOption = (number: number, label: string, hint?: string): string =>
  `${number}. ${label}${hint ? ` (${hint})` : ''}`

/** For anyone but the asker. */
export const onlyAskerCanChoose = (asker: string | null): string =>
  `Only ${asker ?? 'the person who asked'} can choose here.`

/** The form of `Something else…`. */
export const somethingElseForm = {
  title: 'Something else',
  label: (question: string): string => `What do you mean by “${question}”?`,
  labelWithoutQuestion: 'What do you mean?',
  empty: 'Enter what you mean.',
} as const
