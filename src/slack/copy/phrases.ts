/** Labels of buttons and menu entries. Slack takes 75 characters in a message and 24 in a modal. */
export const labels = {
  accept: 'Accept',
  acceptFirst: 'Accept the first',
  acceptSecond: 'Accept the second',
  approve: 'Approve',
  askAgain: 'Ask again',
  askHuman: 'Ask a human',
  cancel: 'Cancel',
  changeTo: 'Change to…',
  close: 'Close',
  compare: 'Compare',
  decide: 'Decide',
  delete: 'Delete',
  discard: 'Discard',
  edit: 'Edit',
  editSql: 'Edit & rerun',
  exportCsv: 'Export CSV',
  fixSql: 'Fix SQL',
  handOver: 'Hand over',
  howIGotThis: 'How I got this',
  keep: 'Keep',
  next: 'Next',
  pause: 'Pause',
  postToThread: 'Post to thread',
  previous: 'Previous',
  refuse: 'Refuse',
  reject: 'Reject',
  remove: 'Remove',
  resume: 'Resume',
  retry: 'Retry',
  right: 'Right',
  run: 'Run',
  runAgain: 'Run again',
  runNow: 'Run now',
  save: 'Save',
  saveAsVerified: 'Save as verified',
  schedule: 'Schedule',
  send: 'Send',
  showAsChart: 'Show as chart',
  showAsTable: 'Show as table',
  showSql: 'Show SQL',
  skip: 'Skip',
  somethingElse: 'Something else…',
  stop: 'Stop',
  wrong: 'Wrong',
} as const

/** What screen readers say for a button whose label alone is too short. */
export const accessibilityLabels = {
  right: 'This answer is right',
  stop: 'Stop working on this question',
  wrong: 'This answer is wrong',
} as const

/** A number with thousands separators. */
export const formatNumber = (value: number): string => value.toLocaleString('en-US')

/** "1 row", "1,204 rows". */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatNumber(count)} ${count === 1 ? noun : plural}`

/** "and 3 more". */
export const andMore = (count: number): string => `and ${formatNumber(count)} more`

/** "50 of 1,204 rows". `isAtLeast`: there are more than were read. */
export const formatShare = (shown: number, all: number, noun: string, isAtLeast = false): string =>
  `${formatNumber(shown)} of ${isAtLeast ? 'more than ' : ''}${formatNumber(all)} ${noun}`

/** A reason and what to do about it, as one text. */
export const withNextStep = ({
  reason,
  nextStep,
}: {
  readonly reason: string
  readonly nextStep: string
}): string => `${reason} ${nextStep}`

/** A question that I could not answer because something broke. */
export const couldNotAnswer = (reason: string): string => `I could not answer this. ${reason}`

/** Below a refusal. `people` are mentions. */
export const adminsToAsk = (people: readonly string[]): string => `Admins you can ask: ${people.join(', ')}.`

/** Below a question that I do not answer. `owner` is a mention, or a name from the configuration. */
export const ownerToAsk = (owner: string): string => `Ask ${owner} about this data.`

/** True as long as Slack delivers the message again, which is for six minutes. */
export const unavailableText =
  "My own database is down, so I can't take this question yet. I will answer here as soon as it is back. If nothing comes within ten minutes, please ask again."

/** To anyone whose click broke. */
export const clickFailedText = 'That did not work. Try again in a moment. The log has the details.'

/** To anyone whose command broke. */
export const commandFailed = {
  reason: 'That did not work.',
  nextStep: 'Try again in a moment. An admin can find the details in the log.',
} as const

/** At a field of a form, if nothing more is known. */
export const formFailedText = 'Something went wrong on my side. Try again in a moment.'

export const alreadyDecidedText = 'Someone else already decided this.'

/** A channel that nobody invited me to. */
export const notInChannel = {
  reason: "I am not in this channel, so I can't post your question here.",
  nextStep: 'Invite me with `/invite @querent`, or message me directly.',
} as const

/** If Slack opens no conversation with a person. */
export const noDirectMessagesText =
  'I could not open your direct messages with me. Message me there once, then try again.'

/** What is answered to requests that are refused before they are read. */
export const requestRefusals = {
  tooLarge: 'too large',
  notSigned: 'not signed',
  otherTime: 'sent at another time',
} as const

/** Why Slack's requests cannot be received. */
export const cannotListen = (place: string, reason: string): string =>
  `cannot listen for Slack on ${place} (${reason}). Set slack.port to a free port, and slack.host to an address of this machine.`

/** Why requests of Slack cannot be checked by our clock. */
export const clockText = (minutes: number, isAhead: boolean): string =>
  `this machine's clock is ${minutes} minutes ${isAhead ? 'ahead of' : 'behind'} Slack's: set it right, or no request of Slack can be checked`
