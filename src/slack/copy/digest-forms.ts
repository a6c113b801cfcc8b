import type { RepairDecision } from '../../domain/digests/use-cases.ts'
import { formatNumber } from './phrases.ts'

/** Fields of the form about a new or changed digest. */
export const digestFields = {
  title: 'Title',
  schedule: 'When',
  scheduleHint:
    'In words or as cron: every weekday at 09:00, mondays 8:30, first of the month at 7am, 0 9 * * 1-5.',
  timeZone: 'Time zone',
  timeZoneHint: 'A name such as Europe/Berlin. Daylight saving time is included.',
  where: 'Where',
  inChannel: 'In a channel',
  onlyToMe: 'Only to me',
  onlyToOwner: 'Only to its owner',
  channel: 'Channel',
  channelHint: (member: 'you' | 'owner'): string =>
    `${member === 'you' ? 'You' : 'Its owner'} and I must be in it. Everyone there sees the rows.`,
  chooseChannel: 'Choose a channel',
  condition: 'Post it',
  value: 'Value or percentage',
  valueHint: 'For the last three choices. It is compared with the first number of the result.',
} as const

export const formProblem = (problem: string): string => `:warning: ${problem}`

/** What is wrong with a field. */
export const fieldErrors = {
  noSchedule: 'Enter when it runs, for example: every weekday at 09:00.',
  unknownTimeZone: "I don't know this time zone. Enter a name such as Europe/Berlin or America/New_York.",
  noChannel: 'Choose a channel, or the choice above that needs none.',
  unusedValue: 'Choose above what this number is for, or clear it.',
  noPercentage: 'Enter a percentage above 0, for example 10.',
  noValue: 'This choice needs a number, for example 1000.',
  unreadableValue: 'Enter a number, for example 1000 or 12.5.',
} as const

/** The form of `Schedule`. */
export const scheduleForm = {
  title: 'Schedule',
  note: 'Each run uses your permissions at that time. Periods such as “last week” move along.',
  existing: 'Add to an existing digest',
  existingHint: 'It keeps its own title, schedule, place and condition. Those above are ignored.',
  newDigest: 'A new digest',
  defaultSchedule: 'every weekday at 09:00',
  running: {
    title: 'Scheduling',
    text: 'I am trying the query. You can close this: when it is done, the digest is in my Home tab.',
  },
  notScheduled: (question: string, reason: string): string => `“${question}” was not scheduled: ${reason}`,
} as const

/** Titles of the notice after a form. */
export const savedTitles = {
  scheduled: 'Scheduled',
  added: 'Added',
  saved: 'Saved',
  unchanged: 'Unchanged',
} as const

/** What the notice says about the digest. */
export const savedTexts = {
  nextRuns: 'Next runs',
  note: 'My Home tab lists your digests. You can change, pause or delete them there.',
  questionAdded: (count: number, most: number): string =>
    `It now has ${formatNumber(count)} of at most ${formatNumber(most)} questions.`,
  alreadyThere: 'This answer is already in it.',
} as const

/** The form of `Edit`. */
export const editDigestForm = {
  title: 'Edit digest',
  questions: 'Its questions',
  questionsHint: 'Clear a checkbox to remove that question.',
  running: { title: 'Saving', text: 'I am saving the digest. You can close this.' },
  notChanged: (title: string, reason: string): string => `“${title}” was not changed: ${reason}`,
} as const

/** The form of `Hand over`. */
export const handOverForm = {
  title: 'Hand over',
  person: 'New owner',
  personHint: 'From then on it runs with their permissions, and they get its notices.',
  choosePerson: 'Choose a person',
  running: { title: 'Handing over', text: 'I am checking what they can see. You can close this.' },
  done: { title: 'Handed over', text: 'The digest now runs with their permissions.' },
  doneNote: (title: string): string => `“${title}” is handed over.`,
  notDone: (reason: string): string => `The digest was not handed over: ${reason}`,
  refused: (reason: string): string => `They can't see what it shows. They would be told: “${reason}”`,
} as const

/** What is asked before a digest is deleted. */
export const deleteDialog = {
  title: 'Delete this digest?',
  text: 'It stops running. What it has posted stays where it is.',
} as const

/** Below SQL that was saved and has not run yet. */
export const movingPeriods = (phrases: readonly string[]): string =>
  `The saved query. Its days move along in each run: ${phrases.map(phrase => `“${phrase}”`).join(', ')}`

/** What the owner of a digest is told. `title` is in quotation marks. */
export const noticeTexts = {
  failedAndPaused: (title: string, failures: number): string =>
    `Your digest ${title} failed ${failures} times in a row, so I paused it.`,
  failed: (title: string): string => `Your digest ${title} failed.`,
  failedNextStep: (nextStep: string, failures: number): string =>
    `${nextStep} It runs again at its next time. After ${failures} failures in a row I pause it.`,
  notAllowed: (title: string): string =>
    `Your digest ${title} is paused: you no longer have access to its data there.`,
  unreachable: (title: string, kind: 'channel' | 'person'): string =>
    `Your digest ${title} is paused: I could not post it ${kind === 'channel' ? 'in its channel' : 'to its recipient'}.`,
  unreachableNextStep: (target: string, kind: 'channel' | 'person'): string =>
    kind === 'channel'
      ? `It goes ${target}. Invite me there with \`/invite @querent\`, or choose another place under Edit. Then resume it.`
      : `It goes ${target}. Choose another place under Edit, then resume it.`,
  sqlNoLongerFits: 'Its SQL no longer fits the database.',
  repair: (title: string): string => `Your digest ${title} is paused: its SQL no longer fits the database.`,
  noRepair:
    'I found nothing that could replace it. Ask again asks the question where the digest goes, and makes a new digest of the answer. Edit removes the question if there are others. Resume the digest once the database is as it was, or delete it.',
  acceptHere:
    'Nothing else runs until you decide. Accept uses the new query from now on. Refuse keeps the digest paused.',
  acceptInModal:
    'Nothing else runs until you decide. Compare shows both queries, and lets you accept or refuse.',
} as const

/** Why Slack did not let me post, by its code. */
export const unreachableReason = (code: string): string => {
  switch (code) {
    case 'channel_not_found':
      return 'Its channel no longer exists, or it is private and I am not in it.'
    case 'not_in_channel':
      return 'I am not in its channel.'
    case 'is_archived':
      return 'Its channel is archived.'
    default:
      return `Slack does not let me message its recipient (${code}).`
  }
}

/** Titles of both queries, and of the modal that compares them. */
export const repairTitles = {
  modal: 'Repair a digest',
  before: 'Before',
  proposed: 'Proposed',
  alternative: 'Equally likely',
} as const

/** What replaces a proposal once it is decided. */
export const repairDecisionTexts = (
  title: string,
  decision: RepairDecision,
  { isPaused }: { readonly isPaused: boolean },
): { readonly reason: string; readonly nextStep: string } => {
  if (decision === 'refuse')
    return {
      reason: `The repair of “${title}” is refused.`,
      nextStep: 'The digest stays paused. Resume or delete it in my Home tab.',
    }
  return {
    reason: `The repair of “${title}” is accepted.`,
    nextStep: isPaused
      ? 'The digest was paused before and stays paused. Resume it in my Home tab.'
      : 'The digest runs again at its next time.',
  }
}

export const repairDecidedText =
  'There is nothing left to decide: someone else decided, or there is a newer repair.'

/** What `Ask again` says to the person who clicked. */
export const askAgainTexts = {
  notReadable: 'This question names values of rows that you may not see. Its owner can ask it again.',
  asked:
    'I asked the question where the digest goes. The answer becomes a new digest. Delete this one once it is there.',
  notInChannel:
    'I am not in the channel of this digest. Invite me there with /invite @querent, or choose another place under Edit.',
  wrongDatabase: (database: string): string =>
    `People can't ask ${database} where this digest goes. Ask the question in a channel where they can, and press Schedule under the answer.`,
  withGlossary: (database: string, glossary: string): string => `${database} with the glossary ${glossary}`,
} as const
