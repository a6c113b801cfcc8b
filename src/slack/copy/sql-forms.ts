/** The form of `Edit & rerun`. */
export const editSqlForm = {
  title: 'Edit & rerun',
  note: 'The answer changes for everyone in the thread, with your name on it. The query can only read, with the same checks and limits as mine.',
} as const

/** The form of `Fix SQL`, for a reviewer. */
export const fixSqlForm = {
  title: 'Fix SQL',
  note: 'Your query replaces the answer. The thread is told that you corrected it.',
} as const

export const sqlModalTitle = 'SQL'

/** A long query is cut into several fields. */
export const sqlFieldLabel = (part: number, parts: number): string =>
  parts === 1 ? 'SQL' : `SQL, part ${part} of ${parts}`

/** The checkbox for a query that is expensive to run. */
export const runAnywayField = { label: 'It reads a lot of data', option: 'Run it anyway' } as const

export const emptySqlText = 'Enter a query to run.'

/** While a query runs longer than Slack waits for a form. */
export const queryRunning = {
  title: 'Running',
  text: 'The query is running. You can close this: the answer in the thread changes when it is done.',
} as const

/** How the change of an answer ended. */
export const revisionTexts = {
  done: { title: 'Done', text: 'The answer in the thread now shows your result.' },
  notShown: {
    title: 'Saved, but not shown',
    text: 'Your change is saved, but I could not update the message in the thread. Show SQL and Export CSV below it have your result.',
  },
  notChanged: { title: 'Not changed' },
  broken: (reason: string): string => `That did not work: ${reason}`,
  unfit: (reason: string): string => `I did not run it: ${reason}`,
  /** For a person who closed the form in which it would be decided. */
  useFormAgain: 'Use the form again to run it anyway.',
} as const
