import type { RevisionKind } from '../../domain/answer-revision.ts'

/** From 0 to 1: at least this is confident, and at least that is likely. */
const CONFIDENT = 0.8

const LIKELY = 0.5

/** How sure an answer is. The percentage is under "How I got this". */
export const formatConfidence = (confidence: number): string => {
  if (confidence >= CONFIDENT) return 'Confident'
  return confidence >= LIKELY ? 'Likely' : 'Please check'
}

const revisionLabels: Readonly<Record<RevisionKind, string>> = {
  edited: 'SQL edited by',
  picked: 'Result picked by',
  fixed: 'Corrected by',
}

/** "SQL edited by @ada". */
export const revisedBy = (kind: RevisionKind, person: string): string => `${revisionLabels[kind]} ${person}`

export const confirmedBy = (person: string): string => `Confirmed by ${person}`

/** "read Nov 21, 2026, 21:58 (Europe/Berlin)". */
export const readAt = (moment: Date, timeZone: string): string => {
  const formatted = new Intl.DateTimeFormat('en-US', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(moment)
  return `read ${formatted} (${timeZone})`
}

/** "saved answer, 12 minutes old": an earlier answer that was shown again. */
export const savedAnswerAge = (ms: number): string => {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'saved answer, less than a minute old'
  if (minutes < 90) return `saved answer, ${minutes === 1 ? '1 minute' : `${minutes} minutes`} old`
  return `saved answer, ${Math.round(minutes / 60)} hours old`
}

/** Whose rows are shown: nobody's permissions change them. */
export const sourceOf = (database: string): string => `${database}, same rows for everyone`

/** "marked right by 2, wrong by 1". */
export const formatVotes = ({ up, down }: { readonly up: number; readonly down: number }): string => {
  const parts = [...(up > 0 ? [`right by ${up}`] : []), ...(down > 0 ? [`wrong by ${down}`] : [])]
  return parts.length === 0 ? '' : `marked ${parts.join(', ')}`
}

/** Beside the menu of other interpretations, if the answer states no assumption. */
export const otherInterpretationsText = 'The question can also mean something else.'

/** For screen readers, if a chart has no description of its own. */
export const chartAltText = 'A chart of the result'

/** The title of the uploaded picture. */
export const chartTitle = 'Chart'

/** Below a table that was cut to fit into text. */
export const rowsLeftOut = (count: number, { isInCsv }: { readonly isInCsv: boolean }): string =>
  `${count} more rows${isInCsv ? ' are in the CSV' : ''}.`

/** In the place of a table that Slack refused. */
export const tableNotShown = ({ isInCsv }: { readonly isInCsv: boolean }): string =>
  `Slack could not show the table here.${isInCsv ? ' Export CSV has all rows.' : ''}`

export const answerGoneText = 'This answer is no longer stored. Ask the question again.'

export const questionDeletedText = 'The question was deleted, so I removed its answer.'

/** What an export says to the person who asked for it. */
export const exportTexts = {
  slow: 'I am reading the whole result from the database. The file comes in this thread.',
  gone: 'The rows of this answer are no longer stored. Ask the question again.',
  failed: (reason: string): string => `I could not make the file. ${reason}`,
  tryAgain: 'I could not make the file. Try again in a moment.',
  complete: (rows: string): string => `${rows}, the whole result.`,
  cut: (rows: string): string =>
    `The first ${rows}. The result is larger than one file can be. Narrow the question, or ask an admin to raise \`export.maxRows\`.`,
} as const

/** What `Save as verified` says to the person who clicked. */
export const saveAsVerifiedTexts = {
  saved: (id: string): string =>
    `Saved as a proposal. Once an admin accepts it (\`querent verified accept ${id}\`), I answer similar questions from it.`,
  taken: 'This question already has a verified query.',
  unfit: (reason: string): string => `I can't save it: ${reason}`,
} as const

/** For anyone but the asker and admins. */
export const onlyAskerCanStop = (asker: string | null): string =>
  `Only ${asker ?? 'the person who asked'} or an admin can stop this.`

export const nothingToStopText = 'There is nothing to stop: this question is finished.'
