import pc from 'picocolors'
import { sampleCompany } from '../../compose/databases/make-databases.ts'
import { readEnvironment } from '../../config/env.ts'
import { QuerentError } from '../../core/errors.ts'
import { wrapWords } from '../../lib/wrap-words.ts'
import { columnsOf } from '../columns-of.ts'
import type { CommandContext } from '../command-context.ts'
import { writeAnswer } from '../write-answer.ts'
import { writeJson } from '../write-json.ts'
import { type BuiltIndex, buildIndex } from './build-index.ts'
import { chooseDatabase } from './choose-database.ts'
import { type ConnectedSlack, connectSlack } from './connect-slack.ts'
import { type House, type InitOptions, type InitRun, wrongFlags } from './init-run.ts'
import { closeEnvFile, settingsFile } from './keep-settings.ts'
import { type FoundRole, lookAtRole } from './look-at-role.ts'
import { makePrompts } from './prompts.ts'
import { findExamples, type ShownExamples } from './show-examples.ts'
import { sayKind } from './try-address.ts'

/** Where text begins behind a mark. */
const HANG = 10
const USUAL_WIDTH = 100

const marks = {
  ok: pc.green('ok'),
  weak: pc.yellow('weak'),
  broken: pc.red('broken'),
  'to do': pc.bold('to do'),
} as const

/**
 * `init`: from nothing to a bot that answers. Five steps: the database, its user, the index, questions to begin with, and
 * Slack. Each leaves what it did in querent.yml, in `.env` and in the index, so that whoever stops goes on where they were.
 * Exit status 0 also where Slack is left for later, 1 when Slack refuses what is set, 2 when a flag is missing or wrong.
 */
export const runInit = async (options: InitOptions, context: CommandContext): Promise<number> => {
  const run = makeRun(options, context)
  try {
    return await takeSteps(run, context)
  } catch (error) {
    context.clearProgress()
    if (!(error instanceof QuerentError) || error.code !== 'cancelled') throw error
    throw new QuerentError(
      'cancelled',
      `\n${error.message}. What is done is kept; go on with: npm run -s querent -- init`,
      { cause: error },
    )
  }
}

const takeSteps = async (run: InitRun, context: CommandContext): Promise<number> => {
  const { out } = context.terminal
  const step = (number: number, title: string): void => run.say(`\n${pc.bold(`${number} of 5  ${title}`)}`)

  run.say(pc.bold('Querent answers questions about a database, in Slack.'))
  run.say('Nothing is ever written to the database. Ctrl-C stops; init goes on where it was.')
  step(1, 'Database')
  const chosen = await chooseDatabase(run)
  await closeEnvFile(run)

  step(2, 'Read-only user')
  const role = chosen.tried
    ? await lookAtRole(run, chosen.name, chosen.tried)
    : { canWrite: false, statements: [], finding: 'the sample company is asked by a user who can only read' }
  if (!chosen.tried) run.mark('ok', role.finding)

  step(3, 'Index')
  const index = await buildIndex(run, chosen.name)

  step(4, 'Questions')
  const examples = await findExamples(run, index.database)
  tellExamples(run, context, examples)

  step(5, 'Slack')
  const slack = await connectSlack(run)

  const kind = chosen.tried ? sayKind(chosen.tried.reference) : 'Postgres'
  const next = nextCommands(chosen.name, examples.questions[0], slack)
  tellNext(run, next, slack)
  if (run.options.json)
    writeJson(out, report(run, { name: chosen.name, kind, role, index, examples, slack, next }))
  return slack.status === 'broken' ? 1 : 0
}

const makeRun = (options: InitOptions, context: CommandContext): InitRun => {
  const { terminal, source, signal } = context
  const asks = terminal.interactive && !options.yes && !options.json
  if (!asks && !options.yes)
    throw wrongFlags(
      [
        options.json ? '--json asks nothing, so it needs --yes.' : 'There is no terminal to ask on.',
        'Say it by flags: --yes, and --database ADDRESS or --database-from-env VARIABLE; --name, --description,',
        '--slack socket, or --slack http with --url. Tokens are read from the environment or from .env:',
        'SLACK_BOT_TOKEN, and SLACK_APP_TOKEN or SLACK_SIGNING_SECRET.',
      ].join('\n'),
    )
  let house: House = context
  const say = (line = ''): void => {
    if (!options.json) terminal.out.write(`${line}\n`)
  }
  return {
    options,
    prompts: asks ? makePrompts(terminal, signal) : null,
    say,
    mark: (status, line) => {
      if (options.json && status !== 'ok') terminal.err.write(`${status}: ${line}\n`)
      const [first = '', ...more] = wrapWords(line, widthOf(terminal.out) - HANG)
      say(`  ${marks[status]}${' '.repeat(HANG - 2 - status.length)}${first}`)
      for (const rest of more) say(`${' '.repeat(HANG)}${rest}`)
    },
    environment: () => readEnvironment(source),
    house: () => house,
    reload: () => {
      house = context.reopen()
      return house
    },
    now: context.now,
    signal,
    clearProgress: context.clearProgress,
  }
}

const widthOf = (out: object): number => {
  const columns = columnsOf(out)
  return columns !== undefined && columns > 40 ? Math.min(columns, 110) : USUAL_WIDTH
}

const tellExamples = (run: InitRun, context: CommandContext, { questions, answer }: ShownExamples): void => {
  if (questions.length === 0) {
    run.mark(
      'weak',
      'no simple question found an answer; ask your own, or describe the tables: docs/knowledge.md',
    )
    return
  }
  run.mark('ok', 'these were answered a moment ago, without a model:')
  for (const question of questions) run.say(`          ${question}`)
  if (answer === null || run.options.json) return
  run.say(`\n  ${pc.dim(answer.report.question)}`)
  writeAnswer(context.terminal.out, answer.report, answer)
}

/** What to type next, each with what it does. */
const nextCommands = (
  name: string,
  question: string | undefined,
  slack: ConnectedSlack,
): readonly { readonly command: string; readonly does: string }[] => {
  const from = name === sampleCompany ? ' --database sample-company' : ''
  return [
    ...(slack.status === 'ok'
      ? [{ command: 'npm start', does: 'starts the bot; then /invite @querent in a channel, and mention it' }]
      : [{ command: 'npm run -s querent -- init', does: 'goes on with Slack' }]),
    {
      command: `npm run -s querent -- ask "${question ?? 'how many ... are there?'}"${question ? from : ''}`,
      does: 'asks from here',
    },
    ...(slack.status === 'ok' ? [] : [{ command: 'npm run demo', does: 'the bot in a Slack simulator' }]),
    { command: 'npm run -s querent -- doctor', does: 'checks each part' },
  ]
}

const tellNext = (
  run: InitRun,
  next: readonly { readonly command: string; readonly does: string }[],
  slack: ConnectedSlack,
): void => {
  run.say(`\n${pc.bold(slack.status === 'ok' ? 'Done. Next:' : 'Done, but for Slack. Next:')}`)
  for (const { command, does } of next) run.say(`  ${pc.cyan(command)}\n      ${pc.dim(does)}`)
}

const report = (
  run: InitRun,
  made: {
    readonly name: string
    readonly kind: string
    readonly role: FoundRole
    readonly index: BuiltIndex
    readonly examples: ShownExamples
    readonly slack: ConnectedSlack
    readonly next: readonly { readonly command: string }[]
  },
) => {
  const { tables, columns, values, milliseconds, isNew } = made.index
  return {
    settings: made.name === sampleCompany ? null : settingsFile(run),
    database: { name: made.name, kind: made.kind },
    role: made.role,
    index: { tables, columns, values, milliseconds, isNew },
    questions: made.examples.questions,
    answer: made.examples.answer?.report ?? null,
    slack: made.slack,
    next: made.next.map(({ command }) => command),
  }
}
