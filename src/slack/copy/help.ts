/** What an empty mention gets. */
export const helpText = (database: string): string =>
  `Mention me with a question about *${database}*. I answer in this thread with a table and the SQL behind it.`

/** For notifications. */
export const helpSummary = (database: string): string => `Ask me about ${database}.`

/** Above a question that a person asked with a button or a command. */
export const asksText = (person: string): string => `${person} asks: `

/** What can follow `/querent`, and what it does. */
export const slashCommands = [
  ['ask QUESTION', 'Asks here in your name. The answer comes in the thread.'],
  ['schema', 'Lists the tables you can ask about here.'],
  ['schema TABLE', 'Lists the columns of a table.'],
  ['verified', 'Lists questions that I answer from verified queries.'],
  ['digest WHEN: QUESTION', 'Asks now, and then on a schedule: `every monday at 9: …`'],
  ['digest list', 'Lists your digests. `digest help` shows more.'],
  ['admin', 'Shows admins how I am doing.'],
  ['help', 'Shows this list.'],
] as const

/** The same for `/querent digest`. */
export const digestSlashCommands = [
  [
    'digest WHEN: QUESTION',
    'Asks here now, and then posts the answer on a schedule: `every monday at 9: how many orders were placed last week?`',
  ],
  ['digest WHEN to me: QUESTION', 'Posts it only to you. `in #channel` posts it there.'],
  [
    'digest WHEN if CONDITION: QUESTION',
    'Posts it only then: `if it changed`, `if above 100`, `if below 100`, `if it changes by 10 %`',
  ],
  ['digest list', 'Lists your digests with their IDs. Admins see everyone’s.'],
  ['digest run ID', 'Runs one now.'],
  ['digest pause ID', 'Pauses it until you resume it.'],
  ['digest resume ID', 'Resumes it.'],
  ['digest delete ID', 'Deletes it.'],
] as const

const formatCommands = (list: readonly (readonly [string, string])[]): string =>
  list.map(([words, what]) => `\`/querent ${words}\`  ${what}`).join('\n')

export const commandHelpText = `*What I can do*\n${formatCommands(slashCommands)}`

/** For notifications. */
export const commandHelpSummary = 'Commands of /querent: ask, schema, verified, digest, admin, help.'

/** Words that are no command. `quotable` is the same without backquotes. */
export const unknownCommand = (typed: string, quotable: string): string =>
  `I don't know the command “${typed}”. To ask it as a question: \`/querent ask ${quotable}\``

export const digestHelpText = `*What I can do with digests*\n${formatCommands(digestSlashCommands)}`

/** For notifications. */
export const digestHelpSummary = 'Commands of /querent digest: make, list, run, pause, resume, delete.'

export const digestHelpNote =
  'WHEN is plain words or cron, in your time zone. _Schedule_ under an answer makes a digest too. You can shorten an ID.'

export const unknownDigestCommand = (typed: string): string => `I don't know the command “${typed}”.`

/** Replies to `/querent ask` and `/querent digest` that asked nothing, and why. */
export const commandProblems = {
  noQuestion: {
    reason: 'There is no question.',
    nextStep: 'Write it after the word: `/querent ask how many orders are there?`',
  },
  noDigestQuestion: {
    reason: 'There is no question.',
    nextStep: 'Write it after the colon: `/querent digest every monday at 9: how many orders are there?`',
  },
  noQuestionAfterSchedule: (example: string) => ({
    reason: 'There is no question after the schedule.',
    nextStep: `Write it after a colon: ${example}`,
  }),
  noColon: (example: string) => ({
    reason: 'The colon between the schedule and the question is missing.',
    nextStep: `Write ${example}`,
  }),
  exampleQuestion: 'how many orders are there?',
  nothingAsked: (reason: string): string => `I didn't schedule anything. ${reason}`,
  unknownChannel: (name: string) => ({
    reason: `I can't find a channel #${name} that we are both in.`,
    nextStep: 'Invite me there with `/invite @querent`, or type the command in that channel.',
  }),
  notToOtherPeople: {
    reason: 'A digest goes to a channel or to you, not to other people’s direct messages.',
    nextStep: 'Write `to me` or `in #channel`, or leave it out to use this channel.',
  },
} as const

/** Replies to `/querent schema`. */
export const schemaTexts = {
  noSuchTable: (table: string, database: string): string => `There is no table ${table} in ${database}.`,
  noTables: "You can't ask about any of its tables.",
  similarTables: (tables: readonly string[]): string => `Similar tables: ${tables.join(', ')}`,
  tablesTitle: (database: string): string => `Tables in ${database}`,
  tablesNote: '`/querent schema TABLE` lists the columns of a table.',
  tableTitle: (table: string, database: string): string => `${table} in ${database}`,
  maskedColumn: (type: string): string => `${type}, values are hidden`,
  nothing: 'There is nothing you can ask about.',
} as const

/** Replies to `/querent verified`. */
export const verifiedTexts = {
  none: (database: string) => ({
    reason: `${database} has no verified queries yet.`,
    nextStep: 'If an answer is right, propose it: “Save as verified” in the menu of the answer.',
  }),
  title: (database: string): string => `Verified queries of ${database}`,
  summary: (database: string, count: number): string => `Verified queries of ${database}: ${count}`,
  note: 'I answer questions like these from verified queries.',
} as const

/** Replies to `/querent admin`. */
export const adminTexts = {
  summary: 'How Querent is doing',
  note: 'My Home tab lists what needs a decision: rules, stale queries, failures and indexes.',
  notAdmin: {
    reason: 'Only admins can see this.',
    nextStep: 'Admins are listed in querent.yml under `slack.admins`.',
  },
} as const

/** What a page of the installation says: a title, and its sentences. */
interface InstallPageTexts {
  readonly title: string
  readonly sentences: readonly string[]
}

const notInstalled = (...sentences: string[]): InstallPageTexts => ({ title: 'Not installed', sentences })

export const installPages = {
  start: {
    title: 'Install Querent',
    sentences: ['Querent answers data questions in Slack. You choose the workspace on the next page.'],
  },
  done: (team: string): InstallPageTexts => ({
    title: 'Installed',
    sentences: [
      `Querent is installed in ${team}.`,
      'Go back to Slack and message it directly, or invite it to a channel.',
    ],
  }),
  refused: (reason: string, nextStep: string): InstallPageTexts => notInstalled(reason, nextStep),
  declined: notInstalled('You did not agree, so nothing was installed.'),
  expired: notInstalled(
    'The installation was started in another browser, more than ten minutes ago, or it was finished before.',
  ),
  opened: notInstalled('Slack returns to this page after an installation. It shows nothing by itself.'),
  broken: notInstalled('Something went wrong in Querent. Its log has the details.', 'Nothing was changed.'),
} as const

export const installLinks = { install: 'Install in Slack', startAgain: 'Start again' } as const

/** If Slack names neither the workspace nor its ID. */
export const unnamedWorkspace = 'a workspace without a name'
