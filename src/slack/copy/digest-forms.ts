import { formatNumber } from './counts.ts'

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
