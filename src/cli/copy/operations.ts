import { formatCount } from './phrases.ts'

/** What `audit export` writes besides statements. */
export const auditCopy = {
  unknownOrigin: (known: readonly string[], given: string): string =>
    `--origin must be one or more of ${known.join(', ')}, not “${given}”.`,
  jsonAndFormat: '--json writes one JSON array. Give either --json or --format.',
  unknownDatabase: (name: string, known: readonly string[]): string =>
    `--database: neither querent.yml nor the audit log has a database “${name}”. ${known.length === 0 ? 'There are none.' : `Known databases: ${known.join(', ')}.`}`,
  emptyRange: '--since must be before --until.',
} as const

/** What `forget` writes, and how it asks. */
export const forgetCopy = {
  personMissing: '--person is missing. Give the Slack id of a person.',
  nothing: (person: string): string => `Querent keeps nothing about ${person}.`,
  found: (person: string): string => `Querent keeps about ${person}:`,
  kinds: {
    questions: 'questions, with their answers, results and votes: will be deleted',
    digests: 'digests: will be deleted',
    remarks: 'messages in threads: will be deleted',
    votes: 'votes on the answers of others: will be deleted',
    feedback: 'other feedback on the answers of others: will be deleted',
    jobs: 'jobs in the queues: will be deleted',
    usage: 'usage records: will be deleted, or kept without a name',
    statements: 'statements in the audit log: will be kept under a random name',
    names: 'replies, changes and decisions in data that stays: the name will be removed',
    mentions: 'texts and documents that mention them: the mention will be replaced',
  },
  confirm: 'This cannot be undone. Type “forget” to continue: ',
  done: 'Deleted. Querent cannot delete what Slack and your logs keep.',
  unchanged: 'Nothing was changed. Add --yes to delete without being asked.',
} as const

/** What the `installations` commands write. */
export const installationsCopy = {
  none: 'No workspace has installed the app. Workspaces install it at /slack/install.',
  head: ['workspace', 'name', 'installed (UTC)', 'token', 'key'],
  notInstalled: (team: string): string =>
    `The app is not installed in ${team}. \`installations list\` shows where it is.`,
  removed: (team: string): string =>
    `Removed ${team}. Every process stops answering there within a minute. To keep it from installing the app again, remove it from slack.workspaces too.`,
  noKeys: 'QUERENT_ENCRYPTION_KEYS is not set. Set it, with the new key first.',
  rotated: (resealed: number, workspaces: number, key: string): string =>
    `Encrypted the tokens of ${resealed} of ${formatCount(workspaces, 'workspace')} again. All of them now use the key ${key}, so you can remove the other keys.`,
  expires: (at: string): string => `until ${at}`,
  neverExpires: 'does not expire',
  notRefreshed: (lasts: string, reason: string): string => `${lasts}; not refreshed: ${reason}`,
} as const

/** What `migrate` writes. */
export const migrateCopy = {
  ran: (migrations: readonly string[]): string => `Ran ${migrations.join(', ')}.`,
  nothingToDo: 'The schema is up to date.',
} as const
