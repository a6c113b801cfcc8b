import type { CallShortfall } from '../../domain/answer.ts'
import type { RevisionKind } from '../../domain/answer-revision.ts'
import { formatCount, formatNumber } from './phrases.ts'

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
export const sourceOf = (database: string, isSameForAll: boolean): string =>
  `${database}, ${isSameForAll ? 'same rows for everyone' : 'rows the asker may see'}`

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
  `${formatCount(count, 'more row')}${isInCsv ? ` ${count === 1 ? 'is' : 'are'} in the CSV` : ''}.`

/** First and last name, in what a table is called. */
export const nameHeading = 'Name'

/** What a table is called, above it and by screen readers: "Revenue by month"; "First name, last name". */
export const tableCaption = (labels: readonly string[], figures: readonly string[]): string => {
  const list = (headings: readonly string[]): string =>
    headings.map((heading, i) => (i === 0 ? heading : lowerFirst(heading))).join(', ')
  if (labels.length === 0 || figures.length === 0) return list([...labels, ...figures])
  return `${list(figures)} by ${lowerFirst(list(labels))}`
}

/** Within a sentence a heading starts small, unless it is an abbreviation. */
const lowerFirst = (heading: string): string =>
  /^\p{Lu}(?!\p{Lu})/u.test(heading) ? heading.charAt(0).toLowerCase() + heading.slice(1) : heading

/** In the place of a table that Slack refused. */
export const tableNotShown = ({ isInCsv }: { readonly isInCsv: boolean }): string =>
  `Slack could not show the table here.${isInCsv ? ' Export CSV has all rows.' : ''}`

export const answerGoneText = 'This answer is no longer stored. Ask the question again.'

export const questionDeletedText = 'The question was deleted, so I removed its answer.'

/** What is said around an answer that not everyone in its channel may see. */
export const privateAnswerTexts = {
  askedIn: (channel: string, question: string): string => `You asked in ${channel}: ${question}`,
  withheldSummary: 'The answer went to the person who asked.',
  withheld: (person: string | null): string =>
    person === null
      ? 'Not everyone here may see this answer.'
      : `I sent the answer to ${person}, because not everyone here may see it.`,
  notPosted: (without: number | null): string =>
    without === null
      ? "I can't post it there: I can't tell whether everyone in the channel may see it. Ask an admin to set `audience` for the channel."
      : `I can't post it there: ${without === 1 ? 'one person' : `${without} people`} in the channel may not see it.`,
  posted: 'Posted to the thread.',
  onlyAsker: 'Only the person who asked can post it.',
} as const

/** What an export says to the person who asked for it. */
export const exportTexts = {
  sentToYou: 'I sent you the file in a direct message, because not everyone here may see it.',
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

/** Below the options of a question back. */
export const defaultChoice = (option: string): string =>
  `You can also reply in this thread. Without a reply, I go with: ${option}`

/** Below that, if an option says what a word means. */
export const choiceScope = 'A choice counts for this answer. For everyone, it waits for an admin’s review.'

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

/** Titles of the parts of "How I got this". */
export const traceTitles = {
  modal: 'How I got this',
  interpretation: 'How I read the question',
  confidence: 'How sure I am',
  values: 'Values I found',
  tables: 'Tables I considered',
  agents: 'Who worked on it',
  queries: 'Queries',
  results: 'Results',
  comparisons: 'Comparisons',
  cannotAnswer: 'Drafts that found no answer',
  failures: 'What did not work',
  shortfalls: 'What I left out',
  usage: 'Model usage',
  leftOut: 'Not shown here',
  gone: 'No longer available',
} as const

export const traceGoneText =
  'I keep how I got an answer for a week. Ask again to see it. Show SQL still has the query.'

/** "Confident (85%)". */
export const confidenceWithPercent = (label: string, confidence: number): string =>
  `${label} (${Math.round(confidence * 100)}%)`

/** "“last week”: from 2026-11-16 until 2026-11-23". */
export const formatPeriod = (phrase: string, from: string | null, until: string | null): string =>
  `“${phrase}”: from ${from ?? 'the beginning'} until ${until ?? 'now'}`

export const todayIs = (day: string, timeZone: string): string => `Today is ${day} in ${timeZone}.`

export const addedInReply = (reply: string): string => `Added in a reply: ${reply}`

export const formatMatch = (keyword: string, value: string, column: string): string =>
  `“${keyword}” is ${value} in ${column}`

/** "3 queries: 2 by query plan, 1 by examples. 2 ran, 1 of them after a repair." */
export const formatQueries = (given: {
  readonly byPath: readonly (readonly [path: string, count: number])[]
  readonly ran: number
  readonly repaired: number
}): string => {
  const total = given.byPath.reduce((sum, [, count]) => sum + count, 0)
  const paths = given.byPath.map(([path, count]) => `${formatNumber(count)} by ${path}`).join(', ')
  const repaired = given.repaired > 0 ? `, ${formatNumber(given.repaired)} after a repair` : ''
  return `${formatCount(total, 'query', 'queries')}: ${paths}. ${formatNumber(given.ran)} ran${repaired}.`
}

/** "Result 1 (the answer): 3 rows × 2 columns. 2 of 3 queries agree, 80% likely." */
export const formatTracedResult = (given: {
  readonly number: number
  readonly isAnswer: boolean
  readonly size: { readonly rows: number; readonly columns: number } | null
  readonly agreeing: number
  readonly ran: number
  /** From 0 to 1. */
  readonly score: number
  /** What the selector went by; empty if it had nothing to compare. */
  readonly reasons: readonly string[]
}): string => {
  const { number, isAnswer, size, agreeing, ran, score, reasons } = given
  const extent =
    size === null ? '' : `: ${formatCount(size.rows, 'row')} × ${formatCount(size.columns, 'column')}`
  const why = reasons.length === 0 ? '' : ` Reasons: ${reasons.join('; ')}`
  return `• Result ${number}${isAnswer ? ' (the answer)' : ''}${extent}. ${agreeing} of ${formatCount(ran, 'query', 'queries')} agree, ${Math.round(score * 100)}% likely.${why}`
}

const deciders = {
  model: 'a model',
  scorer: 'the local ranker',
  probe: 'a check of both results',
  vote: 'the vote',
} as const

/** One of the numbered results; null for one that is not listed. */
/** Which agents of a published system were asked, and how often. */
export const formatAgents = (strategy: string, asked: readonly (readonly [string, number])[]): string =>
  `${strategy}: ${asked.map(([agent, times]) => (times === 1 ? agent : `${agent} (${times} times)`)).join(', ')}`

export const tracedResultName = (number: number | null): string =>
  number === null ? 'another result' : `result ${number}`

/** "• result 1 over result 2, decided by a model: it groups by city". */
export const formatComparison = (given: {
  readonly winner: string
  readonly loser: string
  readonly by: keyof typeof deciders
  readonly reason: string | null
}): string => {
  const { winner, loser, by, reason } = given
  return `• ${winner} over ${loser}, decided by ${deciders[by]}${reason ? `: ${reason}` : ''}`
}

/** "• query plan: there are no salaries here". */
export const formatCannotAnswer = (path: string, reason: string | null): string =>
  `• ${path}: ${reason ?? 'no reason given'}`

export const noModelText = 'I used no model.'

export const formatUsage = (calls: number, tokens: number): string =>
  `${formatCount(calls, 'model call')}, ${formatCount(tokens, 'token')}.`
