import type { QuestionStatus } from '../../domain/question.ts'
import { formatCount, formatNumber } from './phrases.ts'

/** The title of App Home. */
export const homeTitle = 'Querent'

export const homeIntro =
  'Ask a question about your data: mention me in a channel, message me directly, or use `/querent ask`.'

/** "Ask here or in #sales, #ops and 2 more channels." Empty if it can be asked nowhere. */
export const whereToAsk = (given: {
  readonly isDirect: boolean
  /** With their sign. */
  readonly channels: readonly string[]
  readonly moreChannels: number
}): string => {
  const { isDirect, channels, moreChannels } = given
  const more = moreChannels > 0 ? ` and ${formatCount(moreChannels, 'more channel')}` : ''
  const inChannels = channels.length === 0 ? '' : `in ${channels.join(', ')}${more}`
  const places = [...(isDirect ? ['here'] : []), ...(inChannels === '' ? [] : [inChannels])]
  return places.length === 0 ? '' : `Ask ${places.join(' or ')}.`
}

/** A database that was not measured yet. */
export const notReadYet =
  "I am reading it for the first time, or can't reach it. Open this tab again in a minute."

export const lastRead = (moment: string): string => `Last read ${moment}.`

export const whatYouSee = 'What you see, and why:'

export const noTables = 'No tables.'

export const moreTables = (count: number): string =>
  ` and ${formatNumber(count)} more. \`/querent schema\` lists all.`

/** Above the questions that Slack offers in direct messages. */
export const suggestedPromptsTitle = 'Try one of these'

export const examplesText = '*Try one of these*\nThe answer comes in your direct messages with me.'

export const yourQuestionsTitle = 'Your questions'

export const emptyQuestion = '(mention without a question)'

export const questionStatusLabels: Readonly<Record<QuestionStatus, string>> = {
  queued: 'queued',
  working: 'in progress',
  waiting: 'waiting for your reply',
  stopping: 'stopping',
  answered: 'answered',
  refused: 'not answered',
  failed: 'failed',
  stopped: 'stopped',
}

/** Titles of the list of digests. */
export const digestsTitle = ({ isEveryones }: { readonly isEveryones: boolean }): string =>
  isEveryones ? 'All digests' : 'Your digests'

export const noDigests = 'None yet. Press _Schedule_ under an answer to get it on a schedule.'

export const ownedBy = (person: string): string => `owned by ${person}`

/** "1 to 10 of 24"; null for a page without digests. */
export const pageRange = (
  range: { readonly from: number; readonly to: number } | null,
  total: number,
): string =>
  `${range === null ? 'None on this page' : `${range.from} to ${range.to}`} of ${formatNumber(total)}`

/** What App Home says at its top after a click. */
export const homeNotes = {
  adminsOnly: 'Only admins can decide this. They are listed in querent.yml under `slack.admins`.',
  asked: 'Asked. The answer comes in your direct messages with me.',
  rule: (status: 'accepted' | 'rejected'): string => `The rule is ${status}.`,
  ruleGone: 'This rule no longer exists.',
  proposal: (label: string, status: 'accepted' | 'rejected'): string =>
    status === 'accepted' ? `“${label}” is accepted.` : `“${label}” is rejected. I no longer use it.`,
  proposalGone:
    'There is nothing to decide any more: someone has decided, or a file in semantic/ says what it is.',
  labelTaken: (label: string): string => `Something else is called “${label}” already. Choose another label.`,
  rebuilding: (database: string): string =>
    `I am rebuilding the index of ${database}. Until it is done, I answer from the old one.`,
  unknownDatabase: (database: string): string => `The database ${database} is no longer configured.`,
  queryAccepted: 'The query is accepted. I answer such questions from it.',
  queryRejected: 'The query is rejected. I do not use it.',
  queryTaken: 'This question already has an accepted query. Remove that one first.',
  queryGone: 'There is nothing to decide any more: someone has decided, or the query is gone.',
  queryKept: 'The query works and is in use again.',
  queryRemoved: 'The query is removed.',
  jobGone: 'This job no longer exists: someone else already decided.',
  jobDiscarded: 'The job is discarded.',
  jobRetried: 'The job runs again.',
} as const

/** What admins see in App Home. */
export const adminHome = {
  title: 'For admins',
  rules: 'Proposed rules',
  rulesCommand: 'querent knowledge proposed',
  proposedQueries: 'Proposed verified queries',
  proposedQueriesCommand: 'querent verified list --status proposed',
  proposals: 'Proposed metrics and segments',
  proposalsNote:
    'I found these in the schema and already use them. Accept what is right, so that I need not say what I assumed.',
  proposalsCommand: 'querent semantic review',
  proposalLine: (kind: 'metric' | 'segment', label: string, meaning: string): string =>
    kind === 'metric' ? `*${label}* = ${meaning}` : `*${label}*: ${meaning}`,
  proposalOf: (database: string, kind: 'metric' | 'segment', synonyms: readonly string[]): string =>
    [database, kind, ...(synonyms.length > 0 ? [`also called ${synonyms.join(', ')}`] : [])].join('  ·  '),
  staleQueries: 'Stale verified queries',
  staleQueriesCommand: 'querent verified list',
  moreInCommand: (more: string, command: string): string => `${more}: \`${command}\``,
  tokens: 'Slack tokens that could not be renewed',
  tokensNote:
    'I try again every ten minutes. If a token has expired, install the app in that workspace again.',
  tokenLine: (team: string, reason: string, validUntil: string | null): string =>
    `• ${team}${validUntil === null ? '' : `, valid until ${validUntil}`}: ${reason}`,
  ruleLine: (phrase: string, meaning: string): string => `• “${phrase}” means ${meaning}`,
  proposedBy: (database: string, person: string | null): string =>
    `${database}  ·  proposed${person === null ? '' : ` by ${person}`}`,
  staleSince: (database: string, moment: string): string => `${database}  ·  stale since ${moment}`,
  failures: 'Recent failures',
  reasonGone: 'The reason is no longer stored.',
  rebuildIndex: (database: string): string => `Rebuild the index of ${database}`,
  jobs: 'Jobs that failed for good',
  moreJobs: (more: string): string => `${more}. They appear once you decide on these.`,
  attempts: (count: number): string => formatCount(count, 'attempt'),
} as const

/** The form of `Edit` on a proposal. */
export const proposalForm = {
  title: 'Edit and accept',
  label: 'Label',
  labelHint: 'As a heading, such as Net revenue.',
  synonyms: 'Other words for it',
  synonymsHint: 'In the singular, with commas: sales, turnover.',
  noLabel: 'Enter a label.',
  running: { title: 'Accepting', text: 'I am storing it. You can close this.' },
  notAccepted: (label: string, reason: string): string => `“${label}” was not accepted: ${reason}`,
} as const

/** How Querent is doing: for App Home and `/querent admin`. */
export const adminSummaryText = (given: {
  readonly questions: { readonly answered: number; readonly refused: number; readonly failed: number }
  readonly votes: { readonly up: number; readonly down: number }
  readonly selector: string
  readonly verified: { readonly accepted: number; readonly proposed: number; readonly stale: number }
  readonly rules: number
  /** Of metrics and segments; null if they are not known. */
  readonly proposals: number | null
}): string => {
  const { questions, votes, selector, verified, rules, proposals } = given
  return [
    `*Questions*: ${formatNumber(questions.answered)} answered, ${formatNumber(questions.refused)} not answered, ${formatNumber(questions.failed)} failed`,
    `*Votes*: ${formatNumber(votes.up)} right, ${formatNumber(votes.down)} wrong`,
    `*Selector*: ${selector}`,
    `*Verified queries*: ${formatNumber(verified.accepted)} in use, ${formatNumber(verified.proposed)} proposed, ${formatNumber(verified.stale)} stale`,
    `*Proposed rules*: ${formatNumber(rules)}`,
    ...(proposals === null ? [] : [`*Proposed metrics and segments*: ${formatNumber(proposals)}`]),
  ].join('\n')
}

export const shippedSelector = (version: string): string =>
  `${version}, shipped with Querent. Nothing learned here has beaten it yet.`

/** The measured lift over the one before, on votes it had not seen and on the shipped benchmark. */
export const learnedSelector = (given: {
  readonly version: string
  readonly against: string
  readonly heldOut: {
    readonly questions: number
    readonly champion: number
    readonly challenger: number
    readonly gain: number
    readonly standardError: number
  }
  readonly benchmark: { readonly questions: number; readonly champion: number; readonly challenger: number }
}): string => {
  const { version, against, heldOut, benchmark } = given
  const loss = `loss on ${formatNumber(heldOut.questions)} held-out questions ${heldOut.champion.toFixed(3)} → ${heldOut.challenger.toFixed(3)} (gain ${heldOut.gain.toFixed(3)} ± ${heldOut.standardError.toFixed(3)})`
  const right = `benchmark ${formatNumber(benchmark.champion)} → ${formatNumber(benchmark.challenger)} of ${formatNumber(benchmark.questions)} right`
  return `${version}, learned here. Against ${against}: ${loss}; ${right}`
}
