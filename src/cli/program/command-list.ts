import { Option } from 'commander'
import type { CommandName } from '../commands.ts'
import {
  askHelp,
  digestHelp,
  evaluationHelp,
  feedbackHelp,
  operationsHelp,
  optionHelp,
  semanticHelp,
} from '../copy/help.ts'

/** A command. Its arguments and options become properties of `CommandOptions`, by their names. */
export interface CommandEntry {
  /** With the words of its groups, such as `digest list`. */
  readonly path: string
  readonly run: CommandName
  readonly help: string
  /** Each with its help. */
  readonly args?: readonly (readonly [string, string])[]
  /** `--json` comes last and need not be listed. */
  readonly options?: readonly Option[]
  readonly hasNoJson?: true
}

/** Every command in the order of the help. A function, because commander changes the options it is given. */
export const listCommands = (): readonly CommandEntry[] => [
  ...readingCommands(),
  ...evaluationCommands(),
  ...semanticCommands(),
  ...feedbackCommands(),
  ...digestCommands(),
  ...operationsCommands(),
]

/** What each group of commands is for. */
export const groupHelp: Readonly<Record<string, string>> = {
  eval: evaluationHelp.eval.description,
  train: evaluationHelp.train.description,
  bench: evaluationHelp.bench.description,
  semantic: semanticHelp.description,
  verified: feedbackHelp.verified.description,
  selector: feedbackHelp.selector.description,
  feedback: feedbackHelp.feedback.description,
  knowledge: feedbackHelp.knowledge.description,
  digest: digestHelp.description,
  access: operationsHelp.access.description,
  connector: operationsHelp.connector.description,
  audit: operationsHelp.audit.description,
  installations: operationsHelp.installations.description,
}

const option = (flags: string, help: string): Option => new Option(flags, help)

const required = (flags: string, help: string): Option => option(flags, help).makeOptionMandatory()

/** An option that can be given several times. */
const repeated = (made: Option): Option =>
  made.argParser((text: string, before: readonly string[] = []) => [...before, text])

const database = (): Option => option('--database <database>', optionHelp.database)

const model = (): Option => option('--model <model>', optionHelp.model)

const strategy = (): readonly Option[] => [
  option('--strategy <strategy>', optionHelp.strategy),
  repeated(option('--set <name=value>', optionHelp.set)),
  option('--shots <n>', optionHelp.shots),
]

const idPrefix = [['<id>', optionHelp.idPrefix]] as const

const readingCommands = (): readonly CommandEntry[] => {
  const { ask, guard, index, values } = askHelp
  return [
    {
      path: 'ask',
      run: 'ask',
      help: ask.description,
      args: [['<question>', ask.question]],
      options: [
        ...[database(), model(), ...strategy()],
        option('--as-of <time>', ask.asOf),
        option('--reply <reply>', ask.reply),
        repeated(option('--after <question>', ask.after)),
        option('--evidence <text>', ask.evidence),
        option('--explain', ask.explain),
        option('--store', ask.store),
      ],
    },
    {
      path: 'guard',
      run: 'guard',
      help: guard.description,
      options: [
        option('--dialect <dialect>', guard.dialect),
        option('--file <file>', guard.file),
        option('--database <database>', guard.database),
        option('--json', guard.json),
      ],
      hasNoJson: true,
    },
    {
      path: 'index',
      run: 'index',
      help: index.description,
      options: [database(), option('--describe', index.describe), model()],
    },
    {
      path: 'values',
      run: 'values',
      help: values.description,
      args: [['<keyword>', values.keyword]],
      options: [database()],
    },
  ]
}

const evaluationCommands = (): readonly CommandEntry[] => {
  const { questions, compare, selection, diff, trainSelector, benchValues } = evaluationHelp
  return [
    {
      path: 'eval questions',
      run: 'eval-questions',
      help: questions.description,
      options: [
        required('--questions <file>', questions.questions),
        option('--databases <where>', questions.databases),
        ...[model(), ...strategy()],
        option('--limit <n>', questions.limit),
        option('--evidence <text>', questions.evidence),
        option('--out <file>', questions.out),
        option('--pairs <file>', questions.pairs),
        option('--report <file>', questions.report),
        option('--against <file>', questions.against),
        option('--rves', questions.rves),
        option('--as-of <time>', questions.asOf),
      ],
    },
    {
      path: 'eval selection',
      run: 'eval-selection',
      help: selection.description,
      options: [
        required('--pools <file>', selection.pools),
        required('--questions <file>', selection.questions),
        required('--databases <where>', selection.databases),
        repeated(required('--pool <pool>', selection.pool)),
        option('--selector <selectors>', selection.selector),
        option('--folds <folds>', selection.folds),
        option('--clarify', selection.clarify),
        option('--out <file>', selection.out),
        option('--pairs <file>', selection.pairs),
      ],
    },
    {
      path: 'eval compare',
      run: 'eval-compare',
      help: compare.description,
      options: [
        required('--strategies <names>', compare.strategies),
        required('--questions <file>', questions.questions),
        option('--databases <where>', questions.databases),
        model(),
        option('--limit <n>', questions.limit),
        option('--evidence <text>', questions.evidence),
        option('--out <prefix>', compare.out),
        option('--rves', questions.rves),
        option('--as-of <time>', questions.asOf),
      ],
    },
    {
      path: 'eval diff',
      run: 'eval-diff',
      help: diff.description,
      args: [
        ['<a>', diff.a],
        ['<b>', diff.b],
      ],
    },
    {
      path: 'train selector',
      run: 'train-selector',
      help: trainSelector.description,
      options: [
        required('--pools <files>', trainSelector.pools),
        required('--questions <files>', trainSelector.questions),
        required('--databases <folders>', trainSelector.databases),
        required('--out <file>', trainSelector.out),
        required('--pool <pool...>', trainSelector.pool),
        option('--seed <number>', trainSelector.seed).default('1'),
        option('--no-ablation', trainSelector.noAblation),
        option('--groups <file>', trainSelector.groups),
      ],
    },
    {
      path: 'bench values',
      run: 'bench-values',
      help: benchValues.description,
      options: [
        required('--values <file>', benchValues.values),
        required('--queries <file>', benchValues.queries),
      ],
    },
  ]
}

/** What the words of the business mean. */
const semanticCommands = (): readonly CommandEntry[] => [
  { path: 'semantic check', run: 'semantic-check', help: semanticHelp.check, options: [database()] },
  {
    path: 'semantic list',
    run: 'semantic-list',
    help: semanticHelp.list,
    options: [database(), option('--proposed', semanticHelp.onlyProposed)],
  },
  {
    path: 'semantic review',
    run: 'semantic-review',
    help: semanticHelp.review,
    options: [database(), option('--accept-all', semanticHelp.acceptAll)],
  },
  {
    path: 'semantic rollback',
    run: 'semantic-rollback',
    help: semanticHelp.rollback,
    args: [
      ['<kind>', semanticHelp.kind],
      ['<name>', semanticHelp.name],
    ],
    options: [database()],
  },
  {
    path: 'semantic import',
    run: 'semantic-import',
    help: semanticHelp.import,
    args: [
      ['<format>', semanticHelp.importFormat],
      ['<paths...>', semanticHelp.importPaths],
    ],
    options: [
      database(),
      option('--out <file>', semanticHelp.importOut),
      option('--force', semanticHelp.force),
    ],
  },
  {
    path: 'semantic export',
    run: 'semantic-export',
    help: semanticHelp.export,
    args: [['<format>', semanticHelp.exportFormat]],
    options: [database(), option('--out <file>', semanticHelp.exportOut)],
  },
]

/** What people taught. */
const feedbackCommands = (): readonly CommandEntry[] => {
  const { verified, selector, feedback, knowledge } = feedbackHelp
  return [
    {
      path: 'verified list',
      run: 'verified-list',
      help: verified.list,
      options: [
        option('--database <database>', optionHelp.onlyDatabase),
        option('--status <status>', verified.listStatus),
      ],
    },
    {
      path: 'verified add',
      run: 'verified-add',
      help: verified.add,
      args: [['<question>', verified.question]],
      options: [
        option('--sql <sql>', verified.sql),
        option('--file <file>', verified.file),
        option('--accept', verified.accept),
        option('--as-of <time>', verified.asOf),
        database(),
      ],
    },
    { path: 'verified accept', run: 'verified-accept', help: verified.acceptCommand, args: idPrefix },
    { path: 'verified remove', run: 'verified-remove', help: verified.remove, args: idPrefix },
    { path: 'selector list', run: 'selector-list', help: selector.list },
    {
      path: 'selector promote',
      run: 'selector-promote',
      help: selector.promote,
      args: [['<version>', selector.version]],
    },
    {
      path: 'selector rollback',
      run: 'selector-rollback',
      help: selector.rollback,
      args: [['<version>', selector.versionOrShipped]],
    },
    {
      path: 'feedback export',
      run: 'feedback-export',
      help: feedback.export,
      options: [option('--format <format>', feedback.format), option('--out <file>', feedback.out)],
    },
    { path: 'feedback held', run: 'feedback-held', help: feedback.held },
    {
      path: 'feedback accept',
      run: 'feedback-accept',
      help: feedback.accept,
      args: [['<person>', feedback.person]],
      options: [option('--question <id>', feedback.question)],
    },
    {
      path: 'feedback drop',
      run: 'feedback-drop',
      help: feedback.drop,
      args: [['<person>', feedback.person]],
      options: [option('--question <id>', feedback.question)],
    },
    { path: 'feedback voters', run: 'feedback-voters', help: feedback.voters },
    {
      path: 'knowledge proposed',
      run: 'knowledge-proposed',
      help: knowledge.proposed,
      options: [
        option('--database <database>', optionHelp.onlyDatabase),
        option('--status <status>', knowledge.status),
      ],
    },
    { path: 'knowledge accept', run: 'knowledge-accept', help: knowledge.accept, args: idPrefix },
    { path: 'knowledge reject', run: 'knowledge-reject', help: knowledge.reject, args: idPrefix },
  ]
}

const digestCommands = (): readonly CommandEntry[] => [
  { path: 'digest list', run: 'digest-list', help: digestHelp.list },
  { path: 'digest run', run: 'digest-run', help: digestHelp.run, args: idPrefix },
  {
    path: 'digest edit',
    run: 'digest-edit',
    help: digestHelp.edit,
    args: [...idPrefix, ['<words...>', digestHelp.words]],
  },
  { path: 'digest pause', run: 'digest-pause', help: digestHelp.pause, args: idPrefix },
  { path: 'digest resume', run: 'digest-resume', help: digestHelp.resume, args: idPrefix },
]

const operationsCommands = (): readonly CommandEntry[] => {
  const { init, serve, mcp, access, migrate, doctor, connector, audit, forget, installations } =
    operationsHelp
  return [
    {
      path: 'init',
      run: 'init',
      help: init.description,
      options: [
        option('--database <database>', init.database),
        option('--database-from-env <variable>', init.databaseFromEnv),
        option('--name <name>', init.name),
        option('--description <text>', init.describe),
        option('--replace', init.replace),
        option('--slack <way>', init.slack),
        option('--url <url>', init.url),
        option('--yes', init.yes),
      ],
    },
    { path: 'serve', run: 'serve', help: serve.description, hasNoJson: true },
    {
      path: 'mcp',
      run: 'mcp',
      help: mcp.description,
      options: [
        option('--http', mcp.http),
        option('--port <port>', mcp.port),
        option('--database <database>', mcp.database),
      ],
      hasNoJson: true,
    },
    {
      path: 'access explain',
      run: 'access-explain',
      help: access.explain,
      options: [
        required('--person <id>', access.person),
        option('--team <id>', access.team),
        option('--table <table>', access.table),
        option('--database <database>', access.database),
      ],
    },
    { path: 'migrate', run: 'migrate', help: migrate.description },
    { path: 'doctor', run: 'doctor', help: doctor.description, options: [database()] },
    {
      path: 'connector check',
      run: 'connector-check',
      help: connector.check,
      args: [['<address>', connector.address]],
    },
    {
      path: 'audit export',
      run: 'audit-export',
      help: audit.export,
      options: [
        option('--since <time>', audit.since),
        option('--until <time>', audit.until),
        option('--person <id>', audit.person),
        option('--database <name>', audit.database),
        option('--origin <origins>', audit.origin),
        option('--format <format>', audit.format),
      ],
    },
    {
      path: 'forget',
      run: 'forget',
      help: forget.description,
      options: [required('--person <id>', forget.person), option('--yes', forget.yes)],
    },
    { path: 'installations list', run: 'installations-list', help: installations.list },
    {
      path: 'installations remove',
      run: 'installations-remove',
      help: installations.remove,
      args: [['<id>', installations.team]],
    },
    { path: 'installations rotate-keys', run: 'installations-rotate-keys', help: installations.rotateKeys },
  ]
}
