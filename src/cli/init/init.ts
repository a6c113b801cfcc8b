import { randomUUID } from 'node:crypto'
import pc from 'picocolors'
import { firstQuestions } from '../../answering/example-questions.ts'
import { makeAnswering } from '../../bootstrap/answering/answering.ts'
import { sampleCompany } from '../../bootstrap/databases/databases.ts'
import { readEnvironment } from '../../config/env.ts'
import type { Database } from '../../domain/database.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { ResultTable } from '../../domain/result.ts'
import { wrapWords } from '../../lib/text-lines.ts'
import { type AskReport, toAskReport, writeAnswer } from '../answer-report.ts'
import type { CommandContext } from '../command-context.ts'
import { terminalWidth, writeJson } from '../terminal.ts'
import { checkRole, type RoleCheck } from './check-role.ts'
import { chooseDatabase } from './choose-database.ts'
import { type ConnectedSlack, connectSlack } from './connect-slack.ts'
import { formatCount, formatDatabaseKind } from './database-address.ts'
import { flagError, type InitOptions, type InitRun, type LoadedSetup } from './init-run.ts'
import { makePrompts } from './prompts.ts'
import { restrictEnvFile, settingsFile } from './settings.ts'

/** Where text begins behind a mark. */
const INDENT = 10

const DEFAULT_WIDTH = 100

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
  const run = makeInitRun(options, context)
  try {
    return await runSteps(run, context)
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

const runSteps = async (run: InitRun, context: CommandContext): Promise<number> => {
  const { out } = context.terminal
  const step = (number: number, title: string): void => run.print(`\n${pc.bold(`${number} of 5  ${title}`)}`)

  run.print(pc.bold('Querent answers questions about a database, in Slack.'))
  run.print('Nothing is ever written to the database. Ctrl-C stops; init goes on where it was.')
  step(1, 'Database')
  const chosen = await chooseDatabase(run)
  await restrictEnvFile(run)

  step(2, 'Read-only user')
  const role = chosen.tried
    ? await checkRole(run, chosen.name, chosen.tried)
    : { canWrite: false, statements: [], finding: 'the sample company is asked by a user who can only read' }
  if (!chosen.tried) run.mark('ok', role.finding)

  step(3, 'Index')
  const index = await buildIndex(run, chosen.name)

  step(4, 'Questions')
  const examples = await findAnsweredExamples(run, index.database)
  printExamples(run, context, examples)

  step(5, 'Slack')
  const slack = await connectSlack(run)

  const kind = chosen.tried ? formatDatabaseKind(chosen.tried.reference) : 'Postgres'
  const next = listNextCommands(chosen.name, examples.questions[0], slack)
  printNextCommands(run, next, slack)
  if (run.options.json)
    writeJson(out, toJsonReport(run, { name: chosen.name, kind, role, index, examples, slack, next }))
  return slack.status === 'broken' ? 1 : 0
}

const makeInitRun = (options: InitOptions, context: CommandContext): InitRun => {
  const { terminal, source, signal } = context
  const asks = terminal.interactive && !options.yes && !options.json
  if (!asks && !options.yes)
    throw flagError(
      [
        options.json ? '--json asks nothing, so it needs --yes.' : 'There is no terminal to ask on.',
        'Say it by flags: --yes, and --database ADDRESS or --database-from-env VARIABLE; --name, --description,',
        '--slack socket, or --slack http with --url. Tokens are read from the environment or from .env:',
        'SLACK_BOT_TOKEN, and SLACK_APP_TOKEN or SLACK_SIGNING_SECRET.',
      ].join('\n'),
    )
  let house: LoadedSetup = context
  const say = (line = ''): void => {
    if (!options.json) terminal.out.write(`${line}\n`)
  }
  return {
    options,
    prompts: asks ? makePrompts(terminal, signal) : null,
    print: say,
    mark: (status, line) => {
      if (options.json && status !== 'ok') terminal.err.write(`${status}: ${line}\n`)
      const [first = '', ...more] = wrapWords(line, outputWidth(terminal.out) - INDENT)
      say(`  ${marks[status]}${' '.repeat(INDENT - 2 - status.length)}${first}`)
      for (const rest of more) say(`${' '.repeat(INDENT)}${rest}`)
    },
    environment: () => readEnvironment(source),
    setup: () => house,
    reload: () => {
      house = context.reopen()
      return house
    },
    now: context.now,
    signal,
    clearProgress: context.clearProgress,
  }
}

const outputWidth = (out: object): number => {
  const columns = terminalWidth(out)
  return columns !== undefined && columns > 40 ? Math.min(columns, 110) : DEFAULT_WIDTH
}

const printExamples = (
  run: InitRun,
  context: CommandContext,
  { questions, answer }: AnsweredExamples,
): void => {
  if (questions.length === 0) {
    run.mark(
      'weak',
      'no simple question found an answer; ask your own, or describe the tables: docs/knowledge.md',
    )
    return
  }
  run.mark('ok', 'these were answered a moment ago, without a model:')
  for (const question of questions) run.print(`          ${question}`)
  if (answer === null || run.options.json) return
  run.print(`\n  ${pc.dim(answer.report.question)}`)
  writeAnswer(context.terminal.out, answer.report, answer)
}

/** What to type next, each with what it does. */
const listNextCommands = (
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

const printNextCommands = (
  run: InitRun,
  next: readonly { readonly command: string; readonly does: string }[],
  slack: ConnectedSlack,
): void => {
  run.print(`\n${pc.bold(slack.status === 'ok' ? 'Done. Next:' : 'Done, but for Slack. Next:')}`)
  for (const { command, does } of next) run.print(`  ${pc.cyan(command)}\n      ${pc.dim(does)}`)
}

const toJsonReport = (
  run: InitRun,
  made: {
    readonly name: string
    readonly kind: string
    readonly role: RoleCheck
    readonly index: BuiltIndex
    readonly examples: AnsweredExamples
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

/** What the third step came to. */
interface BuiltIndex {
  readonly database: Database
  readonly tables: number
  readonly columns: number
  readonly values: number
  readonly milliseconds: number
  /** False where it was there already. */
  readonly isNew: boolean
}

/** The third step: the database is measured and its values are indexed, with a bar on a terminal. What is there is used. */
const buildIndex = async (run: InitRun, name: string): Promise<BuiltIndex> => {
  const { resources } = run.setup()
  const started = performance.now()
  const database = await resources.openDatabase(name, { signal: run.signal })
  const report = await resources.reportOnDatabase(name, { signal: run.signal })
  run.clearProgress()
  const { tables, columns, values, isNew, leftOut } = report
  const milliseconds = Math.round(performance.now() - started)
  const what = `${formatCount(tables, 'table')}, ${formatCount(columns, 'column')}, ${formatCount(values, 'value')}`
  run.mark('ok', `${what}: ${isNew ? `${(milliseconds / 1000).toFixed(1)} s` : 'indexed already'}`)
  if (leftOut.length > 0)
    run.mark(
      'weak',
      `${formatCount(leftOut.length, 'thing')} could not be measured: npm run -s querent -- index lists them`,
    )
  return { database, tables, columns, values, milliseconds, isNew }
}

/** How many are shown, and for how long new ones are looked for. */
const MAX_EXAMPLES = 5

const TIME_LIMIT_MS = 30_000

/** Questions that were answered a moment ago, and one of the answers. */
interface AnsweredExamples {
  readonly questions: readonly string[]
  readonly answer: {
    readonly report: AskReport
    readonly headline: string
    readonly table: ResultTable | null
  } | null
}

/**
 * The fourth step: five questions that this database can be asked. Each goes the whole way of a question, without a model,
 * and is only proposed when it was answered with rows: not refused, and not asked back.
 */
const findAnsweredExamples = async (run: InitRun, database: Database): Promise<AnsweredExamples> => {
  const { resources, config } = run.setup()
  const { answer, keepQuestion, loadResult } = await makeAnswering(resources, {
    model: 'none',
    kept: 'in-memory',
  })
  const started = performance.now()
  const questions: string[] = []
  let shown: AnsweredExamples['answer'] = null
  for (const text of firstQuestions(database.catalog)) {
    if (questions.length >= MAX_EXAMPLES || performance.now() - started > TIME_LIMIT_MS) break
    const id = randomUUID()
    const asked = { askedAt: run.now, timeZone: config.timeZone, askedBy: null }
    const question = { id, key: `init:${id}`, text, database: database.name, ...asked }
    await keepQuestion(question)
    const began = performance.now()
    const report = await answer(question, { signal: run.signal })
    run.signal.throwIfAborted()
    if (report.outcome.status !== 'answered') continue
    const table = await loadResult(report.outcome.resultId)
    if (!table || table.rows.length === 0) continue
    questions.push(text)
    // A table shows more than a number does.
    if (shown === null || (shown.table?.rows.length ?? 0) < 2)
      shown = {
        report: toAskReport(text, report, table, performance.now() - began),
        headline: report.outcome.headline,
        table,
      }
  }
  return { questions, answer: shown }
}
