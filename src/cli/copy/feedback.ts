import { formatCount, idPrefixErrors } from './phrases.ts'

/** What the `verified` commands write. */
export const verifiedCopy = {
  none: 'There are no verified queries. `verified add` saves a question with its SQL.',
  head: ['id', 'status', 'database', 'question', 'last run', 'by'],
  idErrors: idPrefixErrors('verified query', 'verified list'),
  giveSql: 'Give the SQL with --sql, or a file that contains it with --file, but not both.',
  saved: (id: string, status: string, rows: number): string =>
    `Saved as ${id}, ${status}. It returns ${formatCount(rows, 'row')} today.`,
  answersExactly: 'It answers this question in exactly these words.',
  answersWithOthers: (replaceable: readonly string[]): string =>
    `It answers this question, also with other values for ${replaceable.map(said => `“${said}”`).join(', ')}.`,
  notUsedYet: 'It is used after `verified accept`.',
  cannotSave: (reason: string): string => `The SQL cannot be saved: ${reason}.`,
  alreadyAccepted:
    'This question already has an accepted query. `verified list` shows it, `verified remove` removes it.',
  doesNotRun: (reason: string): string =>
    `The query does not run: ${reason}\nSave other SQL for its question with \`verified add\`, or remove it with \`verified remove\`.`,
  decidedMeanwhile: 'Someone decided about this query a moment ago. `verified list` shows its status.',
  statusIs: (id: string, status: string, question: string): string => `${id} is ${status}: ${question}`,
  isStale: (id: string, reasons: readonly string[]): string => `${id} is stale: ${reasons.join('; ')}.`,
  whatToDoIfStale:
    'Use a query again with `verified accept`, which runs it first, or remove it with `verified remove`.',
  notRunYet: 'not yet',
  ran: (day: string, rows: number): string => `${day}: ${formatCount(rows, 'row')}`,
  failed: (day: string): string => `${day}: failed`,
  tooExpensive: (day: string, reason: string): string =>
    `${day}: too expensive to run without asking, ${reason}`,
  unreachable: (day: string, reason: string): string => `${day}: database not reached, ${reason}`,
} as const

/** What the `knowledge` commands write. */
export const knowledgeCopy = {
  none: (status: string): string =>
    `There are no ${status} rules. Querent proposes them from replies when it asks back.`,
  head: ['id', 'database', 'rule', 'question', 'by'],
  idErrors: idPrefixErrors('rule', 'knowledge proposed'),
  statusIs: (id: string, status: string, rule: string): string => `${id} is ${status}: ${rule}`,
  phraseMeans: (phrase: string, meaning: string): string => `“${phrase}” means ${meaning}`,
  questionMeans: (question: string, meaning: string): string => `“${question}” means ${meaning}`,
} as const

/** What the `selector` commands write. */
export const selectorCopy = {
  shippedInUse: 'In use: the selector that came with Querent.',
  inUse: (version: string, shipped: string): string =>
    `In use: ${version}. \`selector rollback ${shipped}\` goes back to the one that came with Querent.`,
  noneTrained: 'No selector has been trained on votes yet.',
  expertsTitle: 'How often each way of drafting was right, by the feedback of people:',
  versionHead: ['version', 'state', 'compared with', 'gain on votes', 'benchmark', 'votes of', 'by'],
  expertHead: ['drafts by', 'weight', 'mistakes', 'answers'],
  gain: (gain: number, error: number): string => `${gain.toFixed(3)} ± ${error.toFixed(3)}`,
  benchmark: (challenger: number, champion: number, questions: number): string =>
    `${challenger} / ${champion} of ${questions}`,
  voters: (count: number): string => (count === 1 ? '1 person' : `${count} people`),
  byTraining: 'nightly training',
  alreadyInUse: (version: string): string => `${version} is already in use.`,
  nowInUse: (version: string, before: string): string =>
    `${version} is now in use instead of ${before}. Running bots switch within half a minute.`,
  unknown: (version: string, shipped: string): string =>
    `There is no selector ${version}, or this version of Querent cannot read it. \`selector list\` shows them; “${shipped}” is the one that came with Querent.`,
  neverInUse: (version: string): string =>
    `${version} was rejected, so it was never in use. \`selector promote ${version}\` uses it anyway.`,
} as const

/** What `feedback export` writes. */
export const feedbackCopy = {
  nothing: 'There is nothing to export yet: nobody has marked a result as right or wrong.',
  unopened: (databases: readonly string[]): string =>
    `Left out, because they could not be opened: ${databases.join(', ')}.`,
  written: (lines: number, pairs: number, file: string): string =>
    `Wrote ${formatCount(lines, 'line')} from ${formatCount(pairs, 'pair')} to ${file}.`,
} as const

/** What the commands on held votes and on voters write. */
export const heldCopy = {
  none: 'No votes wait for a decision.',
  head: ['question', 'person', 'says', 'why it waits', 'given (UTC)'],
  reasons: { burst: 'one of many within minutes', 'against-all': 'against all others' },
  claims: {
    right: 'the answer is right',
    wrong: 'the answer is wrong',
    named: 'another result is right',
    better: 'another result is better',
  },
  whatToDo: 'Decide with `feedback accept PERSON` or `feedback drop PERSON`.',
  nothingHeld: (person: string): string =>
    `No votes of ${person} wait. \`feedback held\` shows those that do.`,
  accepted: (person: string, count: number): string =>
    `${formatCount(count, 'vote')} of ${person} will train. \`feedback drop ${person}\` takes this back.`,
  dropped: (person: string, count: number): string =>
    `${formatCount(count, 'vote')} of ${person} will not train. \`feedback accept ${person}\` takes this back.`,
  noVoters: 'Nobody has marked a result as right or wrong yet.',
  voterHead: ['person', 'weight', 'held'],
} as const

/** What the `digest` commands write. */
export const digestCopy = {
  none: 'There are no digests. People create them in Slack, with `Schedule` under an answer.',
  head: ['id', 'title', 'when', 'next (UTC)', 'where', 'owner'],
  idErrors: idPrefixErrors('digest', 'digest list'),
  done: (id: string, what: string, title: string): string => `${id} ${what}: ${title}`,
  willRun: 'will run as soon as the bot is free',
  isPaused: 'is paused',
  isResumed: 'is resumed',
  isChanged: (when: string, where: string): string => `is now due ${when}, ${where}`,
  channelName: (name: string): string =>
    `The command line cannot look up the channel #${name}. Give its id, such as \`in C0123456789\`.`,
  deletedMeanwhile: 'Someone deleted this digest a moment ago.',
  paused: (why: string): string => `paused: ${why}`,
  inChannel: (channel: string): string => `in ${channel}`,
  toPerson: (person: string): string => `to ${person}`,
} as const
