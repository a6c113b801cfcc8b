import { randomUUID } from 'node:crypto'
import pc from 'picocolors'
import { firstQuestions } from '../../answering/example-questions.ts'
import { makeAnswering } from '../../bootstrap/answering/answering.ts'
import { sampleCompany } from '../../bootstrap/databases/databases.ts'
import { readEnvironment } from '../../config/env.ts'
import type { Database } from '../../domain/database.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { ResultTable } from '../../domain/result.ts'
import { ownCommand } from '../../lib/project.ts'
import { type AskReport, toAskReport, writeAnswer } from '../answer-report.ts'
import type { CommandContext } from '../command-context.ts'
import { initCopy as copy } from '../copy/init.ts'
import { terminalWidth, wrapWords, writeJson } from '../terminal.ts'
import { checkRole, type RoleCheck } from './check-role.ts'
import { chooseDatabase } from './choose-database.ts'
import { type ConnectedSlack, connectSlack } from './connect-slack.ts'
import { formatDatabaseKind } from './database-address.ts'
import { flagError, type InitOptions, type InitRun, type LoadedSetup, makePrompts } from './prompts.ts'
import { restrictEnvFile, settingsFile } from './settings.ts'

/** The column where text begins after a mark. */
const INDENT = 10

const DEFAULT_WIDTH = 100

const marks = {
  ok: pc.green(copy.marks.ok),
  weak: pc.yellow(copy.marks.weak),
  broken: pc.red(copy.marks.broken),
  'to do': pc.bold(copy.marks['to do']),
} as const

/**
 * `init`: sets Querent up in five steps: the database, its user, the index, example questions, and Slack. Each step saves its
 * result in querent.yml, `.env` or the index, so that another run continues there. Exit status 0 also if Slack is left for
 * later, 1 if Slack refuses a token, 2 if a flag is missing or wrong.
 */
export const runInit = async (options: InitOptions, context: CommandContext): Promise<number> => {
  const run = makeInitRun(options, context)
  try {
    return await runSteps(run, context)
  } catch (error) {
    context.clearProgress()
    if (!(error instanceof QuerentError) || error.code !== 'cancelled') throw error
    throw new QuerentError('cancelled', copy.continueLater(error.message), { cause: error })
  }
}

const runSteps = async (run: InitRun, context: CommandContext): Promise<number> => {
  const { out } = context.terminal
  const step = (number: number): void =>
    run.print(`\n${pc.bold(copy.step(number, copy.steps[number - 1] ?? ''))}`)

  run.print(pc.bold(copy.welcome))
  run.print(copy.promise)
  step(1)
  const chosen = await chooseDatabase(run)
  await restrictEnvFile(run)

  step(2)
  const role = chosen.tried
    ? await checkRole(run, chosen.name, chosen.tried)
    : { canWrite: false, statements: [], finding: copy.sampleCompanyRole }
  if (!chosen.tried) run.mark('ok', role.finding)

  step(3)
  const index = await buildIndex(run, chosen.name)

  step(4)
  const examples = await findAnsweredExamples(run, index.database)
  printExamples(run, context, examples)

  step(5)
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
  const canAsk = terminal.interactive && !options.yes && !options.json
  if (!canAsk && !options.yes) throw flagError(copy.flagsNeeded(options.json === true))
  let setup: LoadedSetup = context
  const print = (line = ''): void => {
    if (!options.json) terminal.out.write(`${line}\n`)
  }
  return {
    options,
    prompts: canAsk ? makePrompts(terminal, signal) : null,
    print,
    mark: (status, line) => {
      if (options.json && status !== 'ok') terminal.err.write(`${status}: ${line}\n`)
      const [first = '', ...more] = wrapWords(line, outputWidth(terminal.out) - INDENT)
      print(`  ${marks[status]}${' '.repeat(INDENT - 2 - status.length)}${first}`)
      for (const rest of more) print(`${' '.repeat(INDENT)}${rest}`)
    },
    environment: () => readEnvironment(source),
    setup: () => setup,
    reload: () => {
      setup = context.reopen()
      return setup
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
    run.mark('weak', copy.noExamples)
    return
  }
  run.mark('ok', copy.examples)
  for (const question of questions) run.print(`          ${question}`)
  if (answer === null || run.options.json) return
  run.print(`\n  ${pc.dim(answer.report.question)}`)
  writeAnswer(context.terminal.out, answer.report, answer)
}

/** The next commands, each with what it does. */
const listNextCommands = (
  name: string,
  question: string | undefined,
  slack: ConnectedSlack,
): readonly { readonly command: string; readonly does: string }[] => {
  const from = name === sampleCompany ? ' --database sample-company' : ''
  return [
    ...(slack.status === 'ok'
      ? [{ command: ownCommand('serve'), does: copy.next.start }]
      : [{ command: ownCommand('init'), does: copy.next.init }]),
    {
      command: ownCommand(`ask "${question ?? copy.placeholderQuestion}"${question ? from : ''}`),
      does: copy.next.ask,
    },
    ...(slack.status === 'ok' ? [] : [{ command: ownCommand('demo'), does: copy.next.demo }]),
    { command: ownCommand('doctor'), does: copy.next.doctor },
  ]
}

const printNextCommands = (
  run: InitRun,
  next: readonly { readonly command: string; readonly does: string }[],
  slack: ConnectedSlack,
): void => {
  run.print(`\n${pc.bold(slack.status === 'ok' ? copy.done : copy.doneWithoutSlack)}`)
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

/** The result of the third step. */
interface BuiltIndex {
  readonly database: Database
  readonly tables: number
  readonly columns: number
  readonly values: number
  readonly milliseconds: number
  /** False if it was indexed before. */
  readonly isNew: boolean
}

/** The third step: indexes the database, with a progress bar, unless it is indexed already. */
const buildIndex = async (run: InitRun, name: string): Promise<BuiltIndex> => {
  const { resources } = run.setup()
  const started = performance.now()
  const database = await resources.openDatabase(name, { signal: run.signal })
  const report = await resources.reportOnDatabase(name, { signal: run.signal })
  run.clearProgress()
  const { tables, columns, values, isNew, leftOut } = report
  const milliseconds = Math.round(performance.now() - started)
  run.mark('ok', copy.indexed(tables, columns, values, isNew ? milliseconds / 1000 : null))
  if (leftOut.length > 0) run.mark('weak', copy.notIndexed(leftOut.length))
  return { database, tables, columns, values, milliseconds, isNew }
}

/** How many examples are shown, and how long the search for them may take. */
const MAX_EXAMPLES = 5

const TIME_LIMIT_MS = 30_000

/** Questions that were just answered, and one of the answers. */
interface AnsweredExamples {
  readonly questions: readonly string[]
  readonly answer: {
    readonly report: AskReport
    readonly headline: string
    readonly table: ResultTable | null
  } | null
}

/**
 * The fourth step: up to five example questions. Each is asked without a model, and shown only if the answer has rows.
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
    // A table shows more than a single number.
    if (shown === null || (shown.table?.rows.length ?? 0) < 2)
      shown = {
        report: toAskReport(text, report, table, performance.now() - began),
        headline: report.outcome.headline,
        table,
      }
  }
  return { questions, answer: shown }
}
