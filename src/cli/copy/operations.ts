import type { ModelCapabilities } from '../../domain/operations/model-capabilities.ts'
import { ownCommand } from '../../lib/project.ts'
import { formatCount, listWith } from './phrases.ts'
import type { LayerCounts } from './semantic.ts'

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

// What `doctor` finds of each part, and what to do about it. A finding is split into lines at `; `.

export const doctorCopy = {
  head: ['part', '', 'finding'],
  marks: { ok: 'ok', 'not-set': 'not set', weak: 'weak', broken: 'broken' },
  toDo: 'To do:',
  /** What to do if the check of a part throws. */
  ifBroken: {
    access: 'Correct the group under access.groups in querent.yml (docs/access.md).',
    store: 'Set DATABASE_URL to a running Postgres, or leave it out.',
    jobs: 'Fix the store first. The bot creates its queues when it starts.',
    redis: 'Set REDIS_URL to a running Redis, or leave it out.',
    model: 'Check OPENAI_API_KEY, OPENAI_BASE_URL and `models` in querent.yml.',
    budget: 'Fix the store first.',
    slack: 'Check SLACK_BOT_TOKEN, or SLACK_CLIENT_ID and the other variables for several workspaces.',
    database: 'Check its address in querent.yml.',
    knowledge: 'Fix the database first.',
    semanticLayer: 'Fix the database first.',
  },
  databasePart: (name: string): string => `database ${name}`,
  accessPart: (name: string): string => `access to ${name}`,
  knowledgePart: (name: string): string => `knowledge of ${name}`,
  semanticLayerPart: (name: string): string => `semantic layer of ${name}`,
} as const

export const nodeFindings = {
  ok: (version: string): string => `Node ${version}`,
  tooOld: (version: string): string => `This is Node ${version}. Querent needs Node 24.`,
  install: `Start Querent with npm (${ownCommand('...')}), which includes Node 24 on Linux. On other systems, install Node 24.`,
} as const

export const storeFindings = {
  external: 'The Postgres at DATABASE_URL',
  embedded: 'The embedded Postgres server',
  upToDate: (server: string): string => `${server} answers; the schema is up to date`,
  behind: (server: string, migrations: number): string =>
    `${server} answers; the schema needs ${formatCount(migrations, 'migration')}, which the next start runs; to run them now: ${ownCommand('migrate')}`,
  newer: (server: string, migrations: readonly string[]): string =>
    `${server} answers; a newer version of Querent has migrated it: ${migrations.join(', ')}`,
  startNewer: 'Start the newer version, or restore the dump from before the upgrade (docs/operating.md).',
  noFailedJobs: 'No job has failed permanently.',
  failedJobs: (count: number, queue: string, reason: string): string =>
    `${formatCount(count, 'job')} failed permanently; the latest in the queue ${queue}: ${reason}`,
  retryJobs: 'Fix the cause, then press Retry or Discard in App Home, under "For admins".',
  redisNotNeeded: 'REDIS_URL is not set. A single process needs no Redis.',
  redisOk: 'The Redis at REDIS_URL answers',
} as const

export const databaseFindings = {
  tables: (count: number, safeguards: string): string => `${formatCount(count, 'table')}; ${safeguards}`,
  safeguardsHold: 'all safeguards hold',
  safeguardsFail: 'a safeguard fails',
  writesRefused: (isRefused: boolean): string =>
    isRefused ? 'a write was refused' : 'a write was NOT refused',
  timeLimit: (holds: boolean): string =>
    holds
      ? 'the time limit stopped an endless statement'
      : 'the time limit did NOT stop an endless statement',
  cancelling: (works: boolean): string =>
    works
      ? 'canceling ended a statement in the database too'
      : 'a canceled statement did NOT end in the database',
  role: (canWrite: boolean): string =>
    canWrite
      ? "the database user may write, and only Querent's read-only transactions prevent it"
      : 'the database user cannot write',
  makeFileReadOnly: 'Make the file read-only for this process.',
  makeReader: (statements: readonly string[]): string =>
    `Give Querent a database user that can only read. Ask an administrator to run:\n${statements.join('\n')}`,
  fixStopping:
    'If there is a connection pooler in between, it must not drop settings or cancel requests. The database user must be able to see its own sessions. Run doctor again when the database is less busy.',
} as const

/** `connector check`. */
export const connectorCopy = {
  needsAddress:
    'Name a database of querent.yml, or its address: connector check trino://HOST:PORT/CATALOG/SCHEMA',
  tried: (trial: string): string => `tried: ${trial}`,
  title: (engine: string): string => `Querent connector check: ${engine}`,
  head: '| trial | result | details |',
  trials: {
    schema: 'reads tables and columns',
    values: 'reads values as they are',
    'row-limit': 'stops at the row limit',
    'byte-limit': 'stops at the byte limit',
    'unknown-column': 'names a column that is missing',
    guard: 'the guard refuses writes',
    estimate: 'estimates before it runs',
    write: 'the database refuses a write',
    'time-limit': 'the time limit ends an endless statement',
    cancel: 'canceling ends a statement in the database',
    role: 'the user cannot write',
  },
  outcomes: {
    holds: 'yes',
    fails: 'NO',
    weak: 'no: a user that can only read is safer',
    unknown: 'not known',
  },
  summary: (holds: number, fails: number): string =>
    fails === 0
      ? `${holds} trials hold. Paste this table into an issue to have the engine listed.`
      : `${formatCount(fails, 'trial')} failed. Paste this table into an issue, with the version of the server.`,
} as const

export const knowledgeFindings = {
  problem: (file: string, line: number, message: string): string => `${file}:${line}: ${message}`,
  more: (count: number): string => `and ${count} more`,
  correct: 'Correct these lines (docs/knowledge.md). They are ignored until then. `index` lists all of them.',
  none: 'There are no knowledge files for this database yet (docs/knowledge.md).',
  counts: (terms: number, rules: number, descriptions: number): string =>
    `${formatCount(terms, 'term')}, ${formatCount(rules, 'rule')}, ${formatCount(descriptions, 'description')}`,
} as const

export const semanticFindings = {
  deadColumn: (item: string, column: string): string => `${item}: no row has a value in ${column}`,
  more: (count: number): string => `and ${count} more`,
  correct: 'Correct these lines (docs/semantic-layer.md). What they are about is left out until then.',
  fillOrReplace: 'Use another column where there are no values, or reject the metric or segment.',
  onlyProposed: ({ metrics, segments }: LayerCounts): string =>
    `Nobody has accepted anything yet. Proposed: ${formatCount(metrics.proposed, 'metric')} and ${formatCount(segments.proposed, 'segment')}, which \`semantic review\` goes through`,
  counts: ({ metrics, segments }: LayerCounts): string =>
    `${formatCount(metrics.accepted, 'metric')} and ${formatCount(segments.accepted, 'segment')} accepted, ${metrics.proposed} and ${segments.proposed} proposed`,
} as const

export const budgetFindings = {
  noModel: 'No model is configured, so nothing is spent.',
  today: (requests: number, tokens: number): string =>
    `today ${formatCount(requests, 'request')} and ${formatCount(tokens, 'token')}`,
  money: (amount: number): string => `price ${amount.toFixed(2)}`,
  share: (percent: number, key: string): string => `${percent}% of ${key}`,
  /** `models` and `databases`: the settings whose limit is reached, by what they limit. */
  reached: (models: readonly string[], databases: readonly string[]): string =>
    [
      ...(models.length > 0 ? [`Questions are answered without models, because ${isUsedUp(models)}.`] : []),
      ...(databases.length > 0 ? [`Databases are not read, because ${isUsedUp(databases)}.`] : []),
      'Raise the limit in querent.yml, or wait until tomorrow.',
    ].join(' '),
} as const

const isUsedUp = (settings: readonly string[]): string =>
  `${listWith('and', settings)} ${settings.length === 1 ? 'is' : 'are'} used up`

export const modelFindings = {
  notSet: 'No model is configured. Questions are answered without one.',
  replay: 'No model is called. QUERENT_LLM=replay answers from recorded exchanges.',
  notCalled: (name: string, provider: string): string =>
    `${name} is served by ${provider}, which was not called because it would cost money`,
  installPackage: 'Install the package, or name another model.',
  noAnswer: (address: string): string => `${address} does not answer`,
  checkAddress: 'Check OPENAI_BASE_URL, or baseUrl of the endpoint, and that the server is running.',
  badStatus: (address: string, status: number): string => `${address}/models answered ${status}`,
  checkKey: 'Check OPENAI_API_KEY.',
  checkPath: 'Check OPENAI_BASE_URL. It usually ends in /v1.',
  ok: (address: string, models: readonly string[]): string =>
    `${address} answers; configured: ${models.join(', ')}`,
  noList: (models: readonly string[]): string =>
    `a deployment of Azure has no list of models and was not called; configured: ${models.join(', ')}`,
  credentials: {
    finding: 'the address has a user name or password in it, with which no model can be called',
    todo: 'Take them out of OPENAI_BASE_URL, or baseUrl of the endpoint, and write the key as apiKey.',
  },
  askedWith: (name: string, able: ModelCapabilities): string => {
    const fields = [
      able.temperature ? 'temperature' : '',
      able.api === 'chat' && able.tokenLimit !== 'none' ? able.tokenLimit : '',
      able.format === 'none' ? '' : able.format,
      able.cacheControl ? 'cache_control' : '',
    ].filter(field => field !== '')
    const api = able.api === 'chat' ? 'chat completions' : 'responses'
    const kind = able.reasoning ? ', a reasoning model,' : ''
    return `${name}${kind} is asked with ${[api, ...fields].join(', ')}; at most ${able.parallel} at one time`
  },
  unlisted: (address: string, models: readonly string[]): string =>
    `${address} does not list ${models.join(', ')}`,
  checkNames: 'Compare the names under `models` in querent.yml with the list of the endpoint.',
} as const

export const slackFindings = {
  notSet: 'SLACK_BOT_TOKEN is not set.',
  refused: (error: string | undefined): string => `Slack refuses the token: ${error}`,
  reinstall: 'Install the app again and copy its token.',
  missingScopes: (scopes: readonly string[]): string => `The token lacks scopes: ${scopes.join(', ')}`,
  updateApp: 'Update the app with manifest.yml and install it again.',
  ok: (team: string | undefined): string =>
    `The token works in ${team ?? 'its workspace'} and has every scope.`,
  socketOk: 'The app-level token opens a socket.',
  noSocket: (error: string | undefined): string =>
    `Slack does not open a socket for the app-level token: ${error}`,
  makeAppToken:
    'Create a token under Basic Information, App-Level Tokens, with the scope connections:write, and turn on Socket Mode.',
  secretSet: 'The signing secret is set. It cannot be checked before the first request from Slack.',
  noReceiver: 'The token works, but Slack cannot reach the bot.',
  setReceiver: 'Set SLACK_APP_TOKEN for Socket Mode, or SLACK_SIGNING_SECRET for HTTP.',
  notSlack: (address: string, status: number): string =>
    `${address} answered ${status}, but not with a reply of Slack.`,
  checkProxy: 'Check SLACK_API_URL, and whether there is a proxy in between.',
  undecryptable: (workspaces: string): string =>
    `QUERENT_ENCRYPTION_KEYS cannot decrypt the tokens of ${workspaces}.`,
  restoreKey:
    'Add the key that encrypted them again, after the other keys. If it is lost, install the app there again.',
  notRefreshed: (workspaces: string): string =>
    `The tokens of ${workspaces} could not be refreshed. \`installations list\` says why.`,
  waitForRefresh:
    'Querent tries again every ten minutes. If the tokens have expired, install the app there again.',
  noneAllowed: 'No workspace may install the app.',
  allowOne: 'Add the ids of workspaces to slack.workspaces in querent.yml.',
  notAllowed: (workspaces: string): string =>
    `${workspaces} installed the app, but is not in slack.workspaces. Querent does not answer there.`,
  allowOrRemove: `Add it there, or remove it: ${ownCommand('installations remove ID')}.`,
  installed: (count: number, allowed: number): string =>
    `Installed in ${formatCount(count, 'workspace')}; ${allowed} may have it.`,
  workspace: (name: string, id: string): string => `${name} (${id})`,
} as const

/** What `mcp` writes to standard error. */
export const mcpCopy = {
  listening: (url: string): string => `MCP clients can connect to ${url}`,
  notAPort: (typed: string): string => `“${typed}” is not a port. Give a number from 0 to 65535.`,
  portWithoutHttp: '--port needs --http.',
} as const

/** What `doctor` finds about groups. */
export const rightsFindings = {
  sameForAll: 'everyone who can ask sees the same rows',
  broken: (group: string, message: string): string => `group ${group}: ${message}`,
  checked: (groups: readonly string[], personal: readonly string[]): string =>
    [
      ...(groups.length === 0 ? [] : [`rules of ${groups.join(', ')} can be applied`]),
      ...(personal.length === 0 ? [] : [`those of ${personal.join(', ')} depend on the person`]),
    ].join('; '),
} as const

/** What `access explain` says. */
export const accessCopy = {
  heading: (person: string): string => `What ${person} sees:`,
  unknownDatabase: (name: string, known: readonly string[]): string =>
    `There is no database called ${name}.${known.length === 0 ? '' : ` Known: ${known.join(', ')}.`}`,
  withoutSlack:
    'Slack is not set up here, so user groups and e-mail addresses are not known. Only ids and claims in querent.yml were looked at.',
  noTable: (name: string): string => `They cannot see a table called ${name}.`,
  columns: (table: string, columns: readonly string[]): string =>
    `Columns of ${table}: ${columns.join(', ')}.`,
  maskedColumns: (columns: readonly string[]): string => `Values hidden: ${columns.join(', ')}.`,
  rows: (count: number): string => `Rows they see: ${count.toLocaleString('en-US')}.`,
} as const
