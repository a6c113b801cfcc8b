import type { DigestCondition, FindingChange } from '../../domain/digests/digest.ts'
import type { DigestRequestOutcome } from '../../domain/digests/use-cases.ts'
import { formatCount, formatNumber } from './phrases.ts'

/** What people do with a digest: with its buttons, and with the command. */
export type DigestAction = 'pause' | 'resume' | 'remove' | 'runNow'

/** "only when it changed". The digest command reads these words back. */
export const conditionTexts = {
  changed: 'only when it changed',
  above: (value: string): string => `only above ${value}`,
  below: (value: string): string => `only below ${value}`,
  moved: (percent: string): string => `only when it moved by ${percent}% or more`,
} as const

/** "in #sales" or "to @ada alone". The digest command reads these words back. */
export const targetTexts = {
  channel: (channel: string): string => `in ${channel}`,
  person: (person: string): string => `to ${person} alone`,
} as const

/** "every weekday at 09:00 (Europe/Berlin), only when it changed". */
export const scheduleText = (words: string, timeZone: string, condition: string | null): string =>
  `${words} (${timeZone})${condition === null ? '' : `, ${condition}`}`

/** The cron line behind words that had to be cut. */
export const cronSuffix = (cron: string): string => ` (cron ${cron})`

const warning = (text: string): string => `:warning: ${text}`

/** Whether a digest runs and when next, or why it does not. */
export const statusTexts = {
  nextRun: (moment: string | null): string => (moment === null ? 'no more runs' : `next run ${moment}`),
  lastRunsFailed: (count: number): string =>
    warning(count === 1 ? 'the last run failed' : `the last ${count} runs failed`),
  pausedBy: (person: string): string => `paused by ${person}`,
  failedTooOften: (reason: string): string => warning(`paused after too many failures: ${reason}`),
  notAllowed: (reason: string): string => warning(`paused: ${reason}`),
  sqlNoLongerFits: (reason: string): string =>
    warning(`paused, its SQL no longer fits the database: ${reason}`),
  awaitsRepair: (reason: string): string => warning(`paused until a repair is decided: ${reason}`),
} as const

/** In place of a run that not everyone in its channel may see. */
export const withheldDigestText =
  'I took this digest out of the channel, because not everyone here may see it.'

export const digestGoneText = 'This digest no longer exists.'

/** A part of a digest that is gone, in a refusal. */
export const goneText = 'It no longer exists.'

/** What a digest says to the person who clicked or typed. */
export const digestActionTexts: Readonly<Record<DigestAction, (title: string) => string>> = {
  pause: title => `“${title}” is paused. Resume it in my Home tab.`,
  resume: title => `“${title}” is resumed. It runs at its next time.`,
  remove: title => `“${title}” is deleted.`,
  runNow: title => `“${title}” is running. It is posted in a moment.`,
}

/** A refusal about one digest. */
export const aboutDigest = (title: string, refusal: string): string => `“${title}”: ${refusal}`

/** Above a run that did not come at its own time. */
export const runReasonTexts = {
  late: (due: string, missed: number): string =>
    `:hourglass: Late run: it was due ${due}. ${
      missed > 1
        ? `I was away and missed ${formatNumber(missed)} runs. This one replaces all of them.`
        : 'I could not run it then.'
    }`,
  byHand: 'Run by hand, outside its schedule.',
} as const

/** Where a run comes from. `owner` is a mention. */
export const runContext = (databases: string, owner: string, schedule: string): string =>
  `${databases}  ·  with the permissions of ${owner}  ·  ${schedule}`

/** For notifications: a run, and each of its questions. */
export const runSummary = (title: string, parts: readonly string[]): string => `${title}: ${parts.join(' ')}`

export const partSummary = (headline: string, change: string): string => `${headline}. ${change}`

export const failedPartSummary = (question: string, reason: string): string => `${question} failed: ${reason}`

export const failedPart = (reason: string, nextStep: string): string => warning(`${reason} ${nextStep}`)

/** After "50 of 1,204 rows". */
export const restInThread = (shown: string): string => `${shown}; the rest is in a file in the thread`

/** The comment of a file of rows. */
export const rowsFileComment = (
  question: string,
  rows: number,
  { isCut }: { readonly isCut: boolean },
): string =>
  `${question}: ${isCut ? `the first ${formatCount(rows, 'row')}, as many as one run reads.` : `${formatCount(rows, 'row')}, the whole result.`}`

export const rowsFileFailed = (question: string): string =>
  `${question}: I could not make the file with all rows. Run now tries again.`

/** A percentage below this would be shown as 0. */
const SMALLEST_PERCENT = 0.05

/**
 * What a result did since the run before, in a line that needs no escapes: "▲ +12% since Mon, Nov 9 (was 1,075)".
 * `day`: when the run was that it is compared with; null if there is none.
 */
export const changeText = (change: FindingChange, day: string | null): string => {
  const since = `since ${day ?? 'the last run'}`
  switch (change.kind) {
    case 'first':
      return 'First run: there is nothing to compare with yet.'
    case 'same':
      return `No change ${since}.`
    case 'number': {
      const { before, now, percent } = change
      const difference =
        percent === null || Math.abs(percent) < SMALLEST_PERCENT
          ? formatSigned(now - before, 2)
          : `${formatSigned(percent, 1)}%`
      return `${now >= before ? '▲' : '▼'} ${difference} ${since} (was ${formatAmount(before, 2)}).`
    }
    case 'differs':
      return `Changed ${since}. There are too many rows to say which.`
    case 'rows': {
      const parts = [
        ...(change.added > 0 ? [`${formatCount(change.added, 'row')} added`] : []),
        ...(change.removed > 0 ? [`${formatCount(change.removed, 'row')} removed`] : []),
        ...(change.changed > 0 ? [`${formatCount(change.changed, 'row')} changed`] : []),
      ]
      return parts.length === 0 ? `No change ${since}.` : `${parts.join(', ')} ${since}.`
    }
    default: {
      const never: never = change
      return never
    }
  }
}

const formatAmount = (value: number, digits: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: digits })

const formatSigned = (value: number, digits: number): string =>
  `${value < 0 ? '−' : '+'}${formatAmount(Math.abs(value), digits)}`

/** "Mon, Nov 9", and "Mon, Nov 16, 08:00 (Europe/Berlin)" with the hour. */
export const formatDay = (
  moment: Date,
  { timeZone, withHour }: { readonly timeZone: string; readonly withHour: boolean },
): string => {
  const format = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(moment)
  const day = format({ weekday: 'short', day: 'numeric', month: 'short' })
  if (!withHour) return day
  const time = format({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return `${day}, ${time} (${timeZone})`
}

/** The list of `/querent digest list`. */
export const digestListTexts = {
  none: 'None yet. Type `/querent digest every monday at 9: YOUR QUESTION`, or press _Schedule_ under an answer.',
  more: (more: string): string => `${more}: my Home tab lists all of them`,
  summary: (title: string, total: number): string => `${title}: ${formatNumber(total)}`,
} as const

/** Replies to `/querent digest` with an ID. */
export const digestIdTexts = {
  tooShort: 'Give the ID of a digest, or its first eight characters.',
  unknown: 'There is no digest with this ID.',
  ambiguous: 'More than one digest has an ID that starts like this.',
  seeList: '`/querent digest list` shows the IDs.',
  moreInHome: 'My Home tab has everything you can do with digests.',
} as const

const unansweredReasons: Readonly<
  Record<Extract<DigestRequestOutcome, { status: 'unanswered' }>['end'], string>
> = {
  refused: "I couldn't answer the question, as explained above",
  failed: 'answering the question failed, as explained above',
  stopped: 'the question was stopped',
  withdrawn: 'the question was withdrawn',
}

/** What became of a digest that was asked for together with its question. */
export const requestedDigestTexts = {
  scheduled: (schedule: string, target: string, times: readonly string[]): string =>
    `:calendar: *Scheduled*: ${schedule}, ${target}${times.length === 0 ? '' : `\nNext runs: ${times.join(', ')}`}`,
  summary: (words: string, timeZone: string): string => `Scheduled: ${words} (${timeZone})`,
  note: 'Its owner can change, pause or delete it in my Home tab.',
  refused: (refusal: string) => ({
    reason: `I didn't schedule this. ${refusal}`,
    nextStep: 'To schedule this answer another way, press Schedule under it.',
  }),
  unanswered: (end: keyof typeof unansweredReasons) => ({
    reason: `I didn't schedule this, because ${unansweredReasons[end]}.`,
    nextStep: 'Rephrase it with /querent digest, or ask first and press Schedule under the answer.',
  }),
  broken: {
    reason: "I didn't schedule this, because something went wrong on my side.",
    nextStep: 'Press Schedule under the answer to try again. An admin can find the details in the log.',
  },
} as const

/** A note about a digest that was created. */
export const noteText = (note: string): string => `:information_source: ${note}`

/** The words for each condition, in the order in which they are offered. */
export const conditionLabels: Readonly<Record<DigestCondition['kind'], string>> = {
  always: 'Always',
  changed: 'Only when it changed',
  above: 'Only when it is above a value',
  below: 'Only when it is below a value',
  moved: 'Only when it moved by a percentage, up or down',
}
