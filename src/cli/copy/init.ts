import { ownCommand } from '../../lib/project.ts'
import { formatCount } from './phrases.ts'

/** The frame of `init`: its steps, and what comes next. */
export const initCopy = {
  welcome: 'Querent answers questions about a database, in Slack.',
  promise: 'It never writes to the database. Press Ctrl-C to stop; run init again to continue.',
  steps: ['Database', 'Read-only user', 'Index', 'Questions', 'Slack'],
  step: (number: number, title: string): string => `${number} of 5  ${title}`,
  marks: { ok: 'ok', weak: 'weak', broken: 'broken', 'to do': 'to do' },
  stopped: 'Stopped',
  continueLater: (why: string): string =>
    `\n${why}. Finished steps are saved. To continue: ${ownCommand('init')}`,
  flagsNeeded: (isJson: boolean): string =>
    [
      isJson
        ? '--json asks nothing, so it needs --yes.'
        : 'init cannot ask questions here, because this is not a terminal.',
      'Use flags instead: --yes, and --database ADDRESS or --database-from-env VARIABLE; --name, --description,',
      '--slack socket, or --slack http with --url. Slack tokens come from the environment or from .env:',
      'SLACK_BOT_TOKEN, and SLACK_APP_TOKEN or SLACK_SIGNING_SECRET.',
    ].join('\n'),
  sampleCompanyRole: 'Querent reads the sample company as a user that can only read',
  fileRole: 'the file is opened read-only, so no user is needed',
  indexed: (tables: number, columns: number, values: number, seconds: number | null): string =>
    `${formatCount(tables, 'table')}, ${formatCount(columns, 'column')}, ${formatCount(values, 'value')}: ${seconds === null ? 'already indexed' : `indexed in ${seconds.toFixed(1)} s`}`,
  notIndexed: (count: number): string =>
    `${formatCount(count, 'item')} could not be indexed. To list them: ${ownCommand('index')}`,
  noExamples:
    'no example question found an answer; ask your own, or describe the tables in knowledge files: docs/knowledge.md',
  examples: 'Querent just answered these questions, without a model:',
  done: 'Done. Next:',
  doneWithoutSlack: 'Done, except for Slack. Next:',
  next: {
    start: 'starts the bot; then /invite @querent in a channel and mention it',
    init: 'continues with Slack',
    ask: 'asks a question here',
    demo: 'starts the bot with a Slack simulator',
    doctor: 'checks every part',
  },
  placeholderQuestion: 'how many ... are there?',
} as const

/** The step about the database. */
export const initDatabaseCopy = {
  which: 'Which database should people ask?',
  known: (name: string): string => `${name}, which is in querent.yml`,
  own: 'Our own database: Postgres, MySQL, MariaDB, or a file',
  sample: 'The sample company: made-up data to try Querent',
  sampleChosen: `the sample company, on an embedded Postgres; ${ownCommand('serve')} uses it until querent.yml has a defaultDatabase`,
  nameIt: (sample: string): string =>
    `No database is named. Add --database ADDRESS, --database-from-env VARIABLE, or --database ${sample}.`,
  variableNotSet: (variable: string): string =>
    `--database-from-env: The environment variable ${variable} is not set.`,
  passwordInArguments:
    'other users of this machine can see a password on the command line, and it stays in the shell history; use --database-from-env instead',
  cannotAsk: 'init cannot ask for an address here. Add --database.',
  address: 'Address or path:',
  addressNeeded: 'Type an address or a path, or press Ctrl-C to stop.',
  serverFormats: (servers: readonly string[]): string => `  A server:  ${servers.join('   or   ')}`,
  fileFormats: '  A file:    its path. SQLite, DuckDB, CSV, Parquet, JSON, or a folder of such files',
  password: (user: string): string => `Password of ${user} (Enter: none)`,
  connected: (name: string, kind: string, tables: number): string =>
    `${name} answers (${kind}): ${formatCount(tables, 'table')}`,
  name: 'What do you call it?',
  description: 'What is in it, in one sentence? (Enter: skip)',
  wrongFlag: (flag: string, why: string): string => `${flag}: ${why}`,
  nameTaken: (sample: string): string => `${sample} is the name of the sample company. Choose another name.`,
  namePattern: 'Use letters, digits, _ and -, and begin with a letter.',
  emptyFile: (name: string, kind: string): string =>
    `${name} is a ${kind} database without a table. Fill it, or name another file.`,
  nothingReadable: (name: string): string =>
    `${name} answers, but this user cannot read any table. Grant it SELECT, or name another database.`,
} as const

/** The step about the database user. */
export const initRoleCopy = {
  switched: (user: string): string => `Querent now connects as ${user}`,
  whatNow: 'What now?',
  switch: (user: string): string => `The statements were run: continue as ${user}`,
  switchNote: 'Querent connects as this user, and replaces the address in .env.',
  stay: 'Continue with the current user',
  stayNote: "Then only the guard and Querent's read-only transactions prevent writes.",
  later: 'Stop here until an administrator has run them',
  laterNote: 'init continues here next time.',
  stoppedFor: (user: string): string => `Stopped until an administrator has created ${user}`,
  notRunYet: (error: string): string => `${error} The statements above may not have been run yet.`,
  safeguardsFail: (name: string, finding: string): string =>
    `The safeguards of ${name} do not hold: ${finding}. ${ownCommand('doctor')} says what to do.`,
  statementsTitle: '  An administrator can create a user that can only read with:',
} as const

/** Messages about querent.yml and .env. */
export const initFilesCopy = {
  unchanged: (file: string): string => `${file} already has it`,
  written: (file: string, hasBackup: boolean): string =>
    `written to ${file}${hasBackup ? `; the old file is ${file}.bak` : ''}`,
  replace: (variable: string): string => `${variable} has another value. Replace it?`,
  needsReplace: (variable: string): string =>
    `${variable} already has another value. Add --replace to replace it, or choose another --name.`,
  overridden: (variable: string): string =>
    `${variable} is set in the environment of this shell, which overrides .env. Run unset ${variable}, and start again.`,
  savedSecret: (variable: string): string => `${variable} is in .env, which only you can read`,
  restricted: 'others could read .env; now only you can',
  changesTitle: '  Changes to querent.yml:',
  write: 'Write them?',
  nothingWritten: 'Nothing was written. Change querent.yml by hand, or run init again.',
  needsReplaceFile: 'querent.yml has other values, so it was not changed. Add --replace to change it.',
} as const

/** The step about Slack. */
export const initSlackCopy = {
  notConnected: 'not connected',
  continueHere: `${ownCommand('init')} continues here`,
  how: 'How does Slack reach the bot?',
  socket: 'Socket Mode: the bot calls Slack',
  socketNote: 'Needs no public address. The usual choice for one company.',
  http: 'HTTP: Slack calls the bot',
  httpNote: 'Needs an address that Slack can reach over HTTPS.',
  none: 'Not now',
  noneNote: 'init continues here next time.',
  url: 'Address that Slack calls, such as https://querent.example.com',
  urlMissing: '--slack http needs --url, the address that Slack calls.',
  urlPattern: 'Use an address that begins with https://.',
  botToken: 'Bot User OAuth Token (xoxb-...; Enter: not now)',
  appToken: 'App-Level Token (xapp-...; Enter: not now)',
  signingSecret: 'Signing Secret (Enter: not now)',
  wrongFormat: 'This does not have the right format.',
  keepUnchecked: 'Keep it without a check?',
  notSet: (variables: readonly string[]): string =>
    `${variables.join(' and ')} ${variables.length === 1 ? 'is' : 'are'} not set`,
  unreachable: (why: string): string => `Cannot reach Slack: ${why}`,
  checkNetwork: 'Check the network, and whether you need a proxy (NODE_USE_ENV_PROXY=1 with HTTPS_PROXY).',
  beforeManifest: [
    '  1. Open https://api.slack.com/apps?new_app=1 and choose "From a manifest", then your workspace.',
    '  2. Choose YAML and paste the text between the two lines:',
  ],
  install: '  3. "Install App": install it, and copy the Bot User OAuth Token (xoxb-...).',
  makeAppToken:
    '  4. "Basic Information", "App-Level Tokens": create one with the scope connections:write (xapp-...).',
  copySecret: '  4. "Basic Information", "App Credentials": copy the Signing Secret.',
  verifyLater: (url: string): string =>
    `     Slack calls ${url}. It verifies the address when the bot runs ("Event Subscriptions", Retry).`,
} as const
