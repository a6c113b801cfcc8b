import type { CallShortfall } from '../../domain/answer.ts'

/** The steps of the timeline. The graph's own first details repeat some of them, and are left out then. */
export const progressTitles = {
  understand: 'Reading the question',
  'find-values': 'Looking for values, tables and columns',
  draft: 'Writing queries',
  check: 'Checking queries against the database',
  choose: 'Comparing results',
} as const

/** What the line of the drafts says first if the model calls of a question may not be enough. */
export const callShortfallNote = ({ estimated, allowed }: CallShortfall): string =>
  `This may need ${estimated} model calls, but only ${allowed} are allowed.`

/** Slack puts the name of the app in front of it. */
export const assistantStatus = 'is reading the question…'

/** For notifications while a question is worked on. */
export const workingOn = (step: string | null): string => `${step ?? 'Working'} …`

/** Who stopped a question; null if nobody replied in time. */
export const stoppedText = (person: string | null): string =>
  person === null ? 'Stopped because nobody replied.' : `Stopped by ${person}.`
