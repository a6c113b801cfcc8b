import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline/promises'
import type { AnswerQuestion, ResumeQuestion } from '../answering/run-question.ts'
import { makeAnswering } from '../bootstrap/answering/answering.ts'
import { sampleCompany } from '../bootstrap/databases/databases.ts'
import { makeListReachableVerified } from '../bootstrap/own-store.ts'
import type { AnswerReport, AnswerRunOptions, OnAnswerEvent } from '../domain/answer.ts'
import { readableOptions } from '../domain/answer-wording/clarifications.ts'
import type { Clarification, ClarificationReply } from '../domain/clarification.ts'
import { QuerentError } from '../domain/errors.ts'
import type { ListRules } from '../domain/knowledge.ts'
import type { Question } from '../domain/question.ts'
import type { LoadResult } from '../domain/result.ts'
import type { ReadIfReachable } from '../store/reachable-store.ts'
import { toAskReport, writeAnswer } from './answer-report.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandOptions } from './commands.ts'
import { askCopy } from './copy/ask.ts'
import { writeRunTree } from './run-tree.ts'
import { withStrategy } from './strategy.ts'
import { replaceControls, screenOf, type Terminal, writeJson } from './terminal.ts'

/** The arguments of `ask`. */
interface AskOptions {
  readonly text: string
  readonly database: string
  readonly askedAt: Date
  readonly timeZone: string
  readonly reply: string | null
  readonly json: boolean
  readonly explain: boolean
  /** Earlier questions of its thread, oldest first. */
  readonly after: readonly string[]
  /** What models are told with the question beside its words; empty if nothing. */
  readonly evidence: string
}

/** The functions that `ask` calls. `keepQuestion` stores the question before work begins. */
interface AskModules {
  readonly answer: AnswerQuestion
  readonly resume: ResumeQuestion
  readonly keepQuestion: (question: Question) => Promise<void>
  readonly loadResult: LoadResult
}

/** `ask`: opens what the answer needs, then answers one question. */
export const runAsk = async (options: CommandOptions, context: CommandContext): Promise<number> => {
  const config = withStrategy(context.config, options)
  const resources = { ...context.resources, config }
  const answering = await makeAnswering(resources, {
    model: options.model ?? null,
    kept: options.store ? 'in-store' : 'in-memory',
    ...(options.store ? {} : acceptedInStore(context.resources.readIfReachable)),
  })
  if (!options.store) context.resources.includeStoredDecisions()
  const database = options.database ?? config.defaultDatabase ?? sampleCompany
  await assertKnownDatabase(database, context)
  return answerOnce(
    {
      text: options.question ?? '',
      database,
      askedAt: context.now,
      timeZone: config.timeZone,
      reply: options.reply ?? null,
      json: options.json ?? false,
      explain: options.explain ?? false,
      after: options.after ?? [],
      evidence: options.evidence?.trim() ?? '',
    },
    answering,
    context.terminal,
    context.signal,
  )
}

/** What people have accepted, for a question that is kept in memory. */
const acceptedInStore = (reach: ReadIfReachable) => ({
  listVerified: makeListReachableVerified(reach),
  listRules: ((only, { signal } = {}) =>
    reach(store => store.repositories.proposedRules.list(only), {
      otherwise: [],
      ...(signal ? { signal } : {}),
    })) satisfies ListRules,
})

/** An unknown database name is a wrong argument; a database that cannot be reached is an answer that failed. */
const assertKnownDatabase = async (
  database: string,
  { resources, signal }: CommandContext,
): Promise<void> => {
  await resources.openDatabase(database, { signal }).catch((error: unknown) => {
    if (error instanceof QuerentError && error.code === 'unknown-database') throw error
  })
}

/** Answers one question. Returns the exit status: 1 if the work failed, 0 for every other outcome. */
const answerOnce = async (
  options: AskOptions,
  modules: AskModules,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> => {
  const started = performance.now()
  const run = { signal, onEvent: drawProgress(terminal) }
  const before = await askBefore(options, modules, run)
  const question = makeQuestion(options.text, options, before)
  const { id } = question
  await modules.keepQuestion(question)
  let report = await modules.answer(question, run)
  while (report.outcome.status === 'needs-clarification') {
    const reply = await replyTo(report.outcome.clarification, options, terminal)
    if (!reply) break
    report = await modules.resume(id, reply, run)
    if (options.reply !== null) break
  }
  clearProgress(terminal)
  await write(report, options, modules, terminal, performance.now() - started)
  return report.outcome.status === 'failed' ? 1 : 0
}

const makeQuestion = (text: string, options: AskOptions, follows: string | null): Question => {
  const id = randomUUID()
  const { database, askedAt, timeZone } = options
  return {
    id,
    key: `cli:${id}`,
    text,
    database,
    askedAt,
    timeZone,
    askedBy: null,
    ...(follows === null ? {} : { follows }),
    ...(options.evidence === '' ? {} : { evidence: options.evidence }),
  }
}

/** Answers the questions of `--after`, each as a follow-up of the one before. Returns the id of the last, or null. */
const askBefore = async (
  options: AskOptions,
  modules: AskModules,
  run: AnswerRunOptions,
): Promise<string | null> => {
  let last: string | null = null
  for (const text of options.after) {
    const question = makeQuestion(text, options, last)
    await modules.keepQuestion(question)
    const { outcome } = await modules.answer(question, run)
    if (outcome.status !== 'answered') {
      throw new QuerentError('bad-arguments', askCopy.noAnswerBefore(text, outcome.status))
    }
    last = question.id
  }
  return last
}

const write = async (
  report: AnswerReport,
  options: AskOptions,
  modules: AskModules,
  terminal: Terminal,
  milliseconds: number,
): Promise<void> => {
  // A script gets what was asked for, a person also what is shown beside it.
  const drafted = options.json && report.outcome.status === 'answered' ? report.outcome.drafted : undefined
  const outcome = drafted ? { ...report.outcome, ...drafted } : report.outcome
  const table = outcome.status === 'answered' ? await modules.loadResult(outcome.resultId) : null
  const shown = toAskReport(options.text, { ...report, outcome }, table, milliseconds)
  if (options.json) {
    return writeJson(terminal.out, options.explain ? { ...shown, trace: report.trace ?? null } : shown)
  }
  if (options.explain) writeRunTree(terminal.out, report)
  writeAnswer(terminal.out, shown, { headline: outcome.status === 'answered' ? outcome.headline : '', table })
}

/** The reply of `--reply`, or of the person at the terminal; null if there is neither. */
const replyTo = async (
  clarification: Clarification,
  options: AskOptions,
  terminal: Terminal,
): Promise<ClarificationReply | null> => {
  const typed = options.reply ?? (await askPerson(clarification, options, terminal))
  if (typed === null) return null
  if (!/^\d+$/.test(typed.trim())) return { kind: 'text', text: typed }
  const number = Number(typed)
  if (!clarification.options[number - 1]) {
    throw new QuerentError('bad-arguments', askCopy.noSuchOption(number, clarification.options.length))
  }
  return { kind: 'option', number }
}

const askPerson = async (
  clarification: Clarification,
  options: AskOptions,
  terminal: Terminal,
): Promise<string | null> => {
  if (!terminal.interactive || options.json) return null
  clearProgress(terminal)
  terminal.err.write(`${replaceControls(clarification.question)}\n`)
  readableOptions(clarification.options).forEach(({ label, hint }, i) => {
    terminal.err.write(`  ${i + 1}. ${replaceControls(`${label}${hint ? ` (${hint})` : ''}`)}\n`)
  })
  const lines = createInterface({ input: terminal.input, output: screenOf(terminal) })
  const typed = await lines.question(askCopy.replyPrompt(clarification.defaultOption + 1))
  lines.close()
  return typed.trim() === '' ? String(clarification.defaultOption + 1) : typed
}

const drawProgress =
  (terminal: Terminal): OnAnswerEvent =>
  event => {
    if (event.callShortfall) {
      clearProgress(terminal)
      terminal.err.write(`${askCopy.callShortfall(event.callShortfall)}\n`)
      return
    }
    if (terminal.err.isTTY) screenOf(terminal).write(`\r\u001b[2K${replaceControls(event.detail)} …`)
  }

const clearProgress = (terminal: Terminal): void => {
  if (terminal.err.isTTY) screenOf(terminal).write('\r\u001b[2K')
}
