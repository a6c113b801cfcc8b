import { ownCommand } from '../../lib/project.ts'

/** Every sentence of `--help`. It is loaded before anything else runs, so it imports next to nothing. */

export const programHelp = {
  description:
    'Ask a database questions in plain words. Querent writes several SQL statements, checks and compares them, and shows one answer as a table.',
  usage: '<command> [options]',
  helpOption: 'Show this help',
  helpCommand: 'Show the help of a command',
  versionOption: 'Show the version',
  afterError: '(querent --help lists the commands)',
  notes: `
Databases:
  Use a name from querent.yml, or an address: sqlite:PATH, duckdb:PATH (a database, or a folder of CSV and Parquet
  files), postgres://..., mysql://..., trino://..., spark://..., databricks://..., clickhouse://..., redshift://...,
  or snowflake://..., bigquery://PROJECT/DATASET
  Without --database, Querent asks the defaultDatabase of querent.yml, or else the sample company.
  Relative paths start in the folder where you typed the command.

Exit status:
  0 if there is an outcome (answered, asked back, refused), 1 if the work failed, 2 if an argument is wrong.

Examples:
  ${ownCommand('demo')}
  ${ownCommand('ask "how many orders were placed last month by region?"')}
  ${ownCommand('ask "how many singers are there?" --database sqlite:music.sqlite --explain')}`,
} as const

/** Options that several commands take. */
export const optionHelp = {
  json: 'Write one JSON value to standard output, and everything else to standard error',
  database: 'The database to ask (default: the one in querent.yml, or else the sample company)',
  model: 'The model to use; "none" calls no model (the default if none is configured)',
  strategy:
    "How to answer: adaptive (Querent's own drafting, the default), chase, mac-sql, or another of docs/strategies.md",
  set: 'A setting of the strategy, such as refinements=1; can be given several times',
  shots: 'How many worked examples the strategy shows, where it shows any; short for --set shots=<n>',
  idPrefix: 'The id, or the start of it',
  onlyDatabase: 'Show only those of this database (default: all)',
} as const

export const askHelp = {
  ask: {
    description: 'Answer one question. If Querent asks back, reply on the terminal or with --reply',
    question: 'The question, in quotes',
    asOf: 'What "now" means for the question and the sample company: a day or a time (ISO 8601)',
    reply: 'The reply if Querent asks back: the number of an option, or words',
    after: 'An earlier question of the same thread; repeat it for several, oldest first',
    evidence: 'What a model is told beside the question, such as what a word in it means',
    explain: 'Show every step of the run as a tree',
    store: "Keep the question, the run and the answer in Querent's own database",
  },
  guard: {
    description: 'Check whether SQL statements may run. Reads and writes JSON lines',
    dialect: 'The SQL dialect of lines that do not name one (default: postgres)',
    file: 'A file of lines {"id", "sql", "dialect"?} (default: standard input)',
    database: 'Also check the dialect, functions, tables and columns of this database',
    json: 'Changes nothing: the output is always JSON lines',
  },
  index: {
    description: 'Read the schema of a database and index its values again',
    describe: 'Let a model describe tables and columns without a description, in knowledge/generated/',
  },
  values: {
    description: 'Show which values of a database match a keyword',
    keyword: 'The keyword, in quotes',
  },
} as const

export const evaluationHelp = {
  eval: { description: 'Measure Querent on questions with known answers' },
  questions: {
    description: 'Ask every question of a file and compare the results with the known answers',
    questions: 'JSON lines {"id", "db_id", "question", "gold", "dialect", ...}',
    databases:
      'A folder of <db_id>.sqlite files, or postgres://HOST/{db_id} (default: db_id is a name in querent.yml, or sample-company)',
    limit: 'Ask only the first n questions',
    evidence: 'Tell models this with every question, beside the evidence of its line',
    out: 'Write one line per question. Run it again with the same file to continue',
    pairs:
      'Write training data of a judge: a right and a wrong candidate of a question, as a judge would see them, in both orders',
    report: 'Write a report with charts: .html (one page) or .md (charts in files next to it)',
    against: 'Compare with an earlier run in the report; takes its --out file',
    rves: "Also measure BIRD's R-VES, which runs each right answer and its gold a hundred times",
    asOf: 'What "now" means for every question (default: now)',
  },
  selection: {
    description: 'Compare selectors on candidates that real systems wrote',
    pools: 'JSON lines {"id", "pools"} or {"id", "systems"}, gzipped or not',
    questions: 'The questions of these candidates, as for eval questions',
    databases: 'A folder of <db_id>.sqlite files, or postgres://HOST/{db_id}',
    pool: 'A pool, several joined by +, or systems:A,B; repeat it for several',
    selector: 'Some of first, majority, wma, rwma, evidence, learned (default: all)',
    folds: 'by-database (train without the database that is scored; the default) or none',
    clarify: 'Also measure asking back if the candidates disagree',
    out: 'Write one line per pool, selector and question, with the chosen candidate',
    pairs:
      'Write training data of a judge: a right and a wrong candidate of a question, as a judge would see them, in both orders',
  },
  compare: {
    description: 'Ask the same questions by several strategies, and compare them in one table',
    strategies: 'Strategies, comma-separated, or "all"; the first is the one that others are compared with',
    out: 'Write one JSON line per question to <prefix>-<strategy>.jsonl; a run that was stopped goes on from there',
  },
  diff: {
    description: 'Compare two runs of the same questions, question by question',
    a: 'The --out file of a run of eval questions',
    b: 'The --out file of another run',
  },
  train: { description: 'Train a part of Querent on candidates that are known to be right or wrong' },
  trainSelector: {
    description: 'Train the selector, cross-validate it by database, and write model, folds and report',
    pools: 'Files of candidates, gzipped or not, separated by commas',
    questions:
      'Files of questions, separated by commas; the parser writes the candidates of questions without any',
    databases: 'A folder, or a URL with {db_id}, for each file of questions; or one for all of them',
    out: 'The file of the model; folds and report go next to it',
    pool: 'A pool to train for and to report on: A, A+B or systems:A,B; repeat it for several',
    seed: 'The seed for random mixtures of candidates',
    noAblation: 'Skip the figures without each family of features, which take the most time',
    groups: 'Also write the labeled groups, as JSON lines for bench:feedback',
  },
  bench: { description: 'Measure one part of Querent' },
  benchValues: {
    description:
      'Measure how fast the value index is, and how often it finds the right value for a noisy keyword',
    values: 'A file of distinct values, one per line',
    queries: 'JSON lines {"kind", "target", "keyword", "decidable"?}',
  },
} as const

export const feedbackHelp = {
  verified: {
    description: 'Manage verified queries: questions with SQL that someone has approved',
    list: 'Show verified queries, when they last ran, and why they are stale',
    listStatus: 'Show only proposed, accepted, stale or removed ones',
    add: 'Save a question with its SQL. The SQL has to pass the guard and run first',
    question: 'The question, in quotes',
    sql: 'The SQL that answers it',
    file: 'A file with the SQL',
    accept: 'Accept it now; without this it is a proposal, and is not used until someone accepts it',
    asOf: 'What "now" means for periods in the question',
    acceptCommand: 'Answer questions from a verified query. A stale one has to run first',
    remove: 'Stop using a verified query',
  },
  selector: {
    description: 'Manage the selector, which chooses one answer among several results and learns from votes',
    list: 'Show the selectors that were trained on votes, and why each one is in use or not',
    promote: 'Use a trained selector, whatever its report says',
    rollback: 'Go back to a selector that was in use before',
    version: 'The version that selector list shows',
    versionOrShipped: 'The version that selector list shows, or "shipped" for the one that came with Querent',
  },
  feedback: {
    description: 'Review and export the feedback of people on answers',
    export: 'Write feedback as pairs of statements, the better one marked, without names of people',
    format:
      "pairs (with the selector's features; the default), judge (what a judge model is told, and the winner; with rows, unless models.judge.seesRows is false) or openai (its format for preference fine-tuning of a judge model)",
    out: 'The file to write (default: standard output)',
    held: 'Show votes that train nothing until an admin decides: many within minutes, or one against all others',
    accept: 'Let the held votes of a person train',
    drop: 'Never train on the held votes of a person',
    person: 'The person, as feedback held shows them',
    question: 'Only the vote on this question, by its id',
    voters: "Show what each person's votes weigh in training",
  },
  knowledge: {
    description: 'Review what people said their words mean when Querent asked back',
    proposed: 'Show the proposals',
    status: 'Show proposed (the default), accepted or rejected ones',
    accept: 'Use a proposal for answers',
    reject: 'Stop using a proposal, and do not propose it again',
  },
} as const

export const semanticHelp = {
  description: 'Manage the semantic layer: what the words of the business mean (docs/semantic-layer.md)',
  check:
    'Check the files in semantic/ against the database: every problem, with its line. Exit status 1 if there is one',
  list: 'Show models, metrics and segments, who says so, and what each of them means',
  onlyProposed: 'Show only what Querent proposes and nobody has accepted',
  review: 'Accept, change or reject the proposals one by one, and write them to semantic/DATABASE.yml',
  acceptAll: 'Accept every proposal without asking',
  rollback:
    'Take back the last decision in App Home about a metric or segment: the one before it counts again',
  kind: 'metric or segment',
  name: 'Its name, as semantic list shows it',
  import:
    'Translate the semantic layer of another tool to a file in semantic/, and list what has no counterpart',
  importFormat: 'dbt, ossie, cube, lookml, or snowflake-view',
  importPaths: 'Files of that format, or folders with such files. All of them are one project',
  importOut: 'The file to write, instead of semantic/DATABASE-FORMAT.yml',
  force: 'Overwrite the file of an earlier import',
  export: 'Write the semantic layer for other tools, and list what they will not see',
  exportFormat: 'ossie: Apache Ossie, as YAML',
  exportOut: 'The file to write, instead of standard output',
} as const

export const digestHelp = {
  description:
    'Manage digests: questions that Querent asks on a schedule and posts. People create them in Slack',
  list: 'Show all digests, the next one due first',
  run: "Run a digest now. The bot runs it with its owner's permissions",
  edit: 'Change the schedule, condition or place of a digest: `digest edit 1d44 every monday at 9 if above 100`',
  words:
    'The schedule in words or cron, then optionally `if it changed`, `if above N`, `if below N` or `if it changes by N %`, and `in C…` or `to its owner`',
  pause: 'Pause a digest until someone resumes it',
  resume: 'Resume a digest from its next due time',
} as const

export const operationsHelp = {
  init: {
    description:
      'Set Querent up: database, read-only user, index, example questions, Slack. Run it again to continue',
    database: 'The address or path of the database, its name in querent.yml, or sample-company',
    databaseFromEnv: 'Read the address from an environment variable, and store it nowhere',
    name: 'The name of the database in querent.yml',
    describe: 'What the database contains, in one sentence',
    replace: 'Replace other values in querent.yml and .env; without --yes you are asked first',
    slack: 'How Slack reaches the bot: socket, http or none',
    url: 'For http: the address that Slack calls, https://...',
    yes: 'Ask nothing; Slack tokens come from the environment or .env',
  },
  serve: { description: 'Run the bot in Slack until it is stopped' },
  mcp: {
    description: 'Let other programs ask over MCP, on standard input and output or over HTTP (docs/mcp.md)',
    http: 'Serve streamable HTTP at /mcp, with the tokens of querent.yml',
    port: 'The port for --http, or 0 for any free one (default: mcp.port in querent.yml)',
    database: 'Only this database (default: every one in querent.yml). Does not change what tokens may ask',
  },
  migrate: { description: "Update the schema of Querent's own database" },
  access: {
    description: 'Explain who sees what (docs/access.md)',
    explain: 'Say what a person sees of a database, and which group decides it',
    person: 'The Slack id of the person, or the name of a token',
    team: 'The id of the Slack workspace, if there are several',
    table: 'Also the columns and rows of this table as the person sees it',
    database: 'A database of querent.yml (default: the default one)',
  },
  doctor: { description: 'Check every part of the installation, and say what to fix' },
  connector: {
    description: 'Prove that Querent can ask a database',
    check:
      'Try reading, limits, canceling and every safeguard on a live database, and write a report to paste',
    address: 'A database of querent.yml, or an address',
  },
  audit: {
    description: 'Export the audit log: every statement that was sent to a database, or refused',
    export: 'Write the statements with who, where, when, how much was read, and how each one ended',
    since: 'Only from this day or time (ISO 8601)',
    until: 'Only up to the end of this day, or before this time',
    person: 'Only statements for one person, by Slack id',
    database: 'Only statements on one database, by its name in querent.yml',
    origin: 'Only statements of these origins, such as question,command; index is reading a schema',
    format: 'jsonl (one JSON object per line; the default) or csv',
  },
  forget: {
    description: 'Delete what Querent keeps about a person, or remove their name from what stays',
    person: 'The Slack id of the person',
    yes: 'Delete without asking',
  },
  installations: {
    description: 'Manage the Slack workspaces that installed the app, if there are several',
    list: 'Show the workspaces, and when their tokens expire',
    remove: 'Delete the tokens of a workspace and pause its digests',
    team: 'The id of the workspace',
    rotateKeys: 'Encrypt all tokens again with the first key of QUERENT_ENCRYPTION_KEYS',
  },
} as const
