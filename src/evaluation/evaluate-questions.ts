import { noModelUsage, usageCost } from '../domain/operations/usage.ts'
import { difficultyOf } from './difficulty.ts'
import {
  type EvaluationDatabase,
  evaluationLimits,
  forEachConcurrently,
  makeCachedRunStatement,
  makeUncachedRunStatement,
  type OpenForEvaluation,
  type RunStatement,
  type SystemAnswer,
} from './evaluation-database.ts'
import { sameRows } from './execution-accuracy.ts'
import type { EvaluatedQuestion } from './out-file.ts'
import type { QuestionLine } from './questions-file.ts'
import { runGolds, scoreQuestion } from './score-question.ts'
import { pairStatements, type TrainingLine, trainingLines } from './training-pairs.ts'

/** How far an evaluation has come. `done` counts questions, those of an earlier run included. */
export type EvaluationProgress =
  | { readonly phase: 'index'; readonly database: string; readonly done: number; readonly total: number }
  | { readonly phase: 'ask'; readonly database: string; readonly done: number; readonly total: number }

/** What to evaluate, and on what. */
export interface EvaluationInput {
  /** Usable lines (`selectUsable`). */
  readonly lines: readonly QuestionLine[]
  readonly openForEvaluation: OpenForEvaluation
  /** Results of an earlier run that was stopped: their questions are not asked again. */
  readonly done?: readonly EvaluatedQuestion[]
  /** Questions of one database asked at a time. */
  readonly concurrency?: number
  /** How many candidates the oracle looks at. */
  readonly oracleOver?: number
  readonly timeoutMs?: number
  /** How often a right answer and its gold are run for R-VES, which is not measured when left out. */
  readonly rvesRuns?: number | null
  /** Called with the training data of each question that has right and wrong candidates, before `onEvaluated`. */
  readonly onTrainingLines?: (lines: readonly TrainingLine[]) => void | Promise<void>
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: EvaluationProgress) => void
  /** Called once for each new result, before it counts as done; keep it here to be able to resume. */
  readonly onEvaluated?: (evaluated: EvaluatedQuestion) => void | Promise<void>
}

/** Results in the order of the lines; `indexMilliseconds` is null if no database had to be opened. */
interface EvaluationRun {
  readonly evaluated: readonly EvaluatedQuestion[]
  readonly indexMilliseconds: number | null
}

/**
 * Asks every question and scores it. Databases are taken one after the other: opened, indexed (reported apart),
 * asked, closed, so that memory holds one at a time. A question that breaks counts as failed; a database that
 * cannot be opened rejects, because every further score would be meaningless.
 */
export const evaluateQuestions = async (input: EvaluationInput): Promise<EvaluationRun> => {
  const { lines, signal = new AbortController().signal, onProgress = () => {} } = input
  const results = new Map((input.done ?? []).map(evaluated => [evaluated.id, evaluated]))
  const wanted = lines.filter(line => !results.has(line.id))
  const total = lines.length
  let done = total - wanted.length
  let indexMilliseconds: number | null = null

  for (const [dbId, ofDatabase] of Map.groupBy(wanted, line => line.db_id)) {
    signal.throwIfAborted()
    onProgress({ phase: 'index', database: dbId, done, total })
    const database = await input.openForEvaluation(dbId, { signal })
    try {
      indexMilliseconds = (indexMilliseconds ?? 0) + database.indexMilliseconds
      await forEachConcurrently(ofDatabase, input.concurrency ?? 1, async line => {
        const evaluated = await evaluateQuestion(line, database, { ...input, signal })
        await input.onEvaluated?.(evaluated)
        results.set(line.id, evaluated)
        onProgress({ phase: 'ask', database: dbId, done: ++done, total })
      })
    } finally {
      await database.close()
    }
  }
  return { evaluated: lines.map(line => results.get(line.id)!), indexMilliseconds }
}

const evaluateQuestion = async (
  line: QuestionLine,
  database: EvaluationDatabase,
  options: { readonly signal: AbortSignal } & Pick<
    EvaluationInput,
    'oracleOver' | 'timeoutMs' | 'rvesRuns' | 'onTrainingLines'
  >,
): Promise<EvaluatedQuestion> => {
  const { signal, oracleOver = 10, timeoutMs = evaluationLimits.timeoutMs, rvesRuns = null } = options
  signal.throwIfAborted()
  const asked = await askSafely(line, database, signal)
  const run = makeCachedRunStatement(database, { signal, timeoutMs })
  const timing =
    rvesRuns === null
      ? null
      : { run: makeUncachedRunStatement(database, { signal, timeoutMs }), runs: rvesRuns }
  const scores = line.answerable ? await scoreQuestion(line, asked, { run, oracleOver, timing }) : null
  if (options.onTrainingLines) {
    const lines = await trainingLinesOf(line, asked.candidates, { run, database, signal })
    if (lines.length > 0) await options.onTrainingLines(lines)
  }
  return {
    id: line.id,
    sql: asked.sql,
    ex: scores?.ex ?? null,
    oracle: scores?.oracle ?? null,
    outcome: asked.outcome,
    confidence: asked.confidence,
    milliseconds: asked.milliseconds,
    db_id: line.db_id,
    answerable: line.answerable,
    exAnyOrder: scores?.exAnyOrder ?? null,
    softF1: scores?.softF1 ?? null,
    difficulty: line.difficulty ?? (line.gold === null ? null : difficultyOf(line.gold, database.dialect)),
    rves: scores?.rves ?? null,
    money: usageCost(asked.usage),
    modelCalls: asked.usage.modelCalls,
    promptTokens: asked.usage.promptTokens,
    completionTokens: asked.usage.completionTokens,
    error: asked.error ?? scores?.error ?? null,
    goldError: scores?.goldError ?? null,
  }
}

/** Labels come from the result of the known answer, whose text no judge is shown. */
const trainingLinesOf = async (
  line: QuestionLine,
  candidates: readonly string[],
  {
    run,
    database: { renderPair },
    signal,
  }: { readonly run: RunStatement; readonly database: EvaluationDatabase; readonly signal: AbortSignal },
): Promise<readonly TrainingLine[]> => {
  if (!renderPair || !line.answerable || line.match === 'contains') return []
  const { golds } = await runGolds(line, run)
  const statements = []
  for (const sql of golds.length === 0 ? [] : candidates) {
    const ran = await run(sql)
    if ('table' in ran)
      statements.push({ sql, table: ran.table, isRight: golds.some(gold => sameRows(ran.table, gold.table)) })
  }
  const of = { questionId: line.id, database: line.db_id, question: line.question, source: 'run' }
  const lines: TrainingLine[] = []
  for (const pair of pairStatements(statements))
    lines.push(...(await trainingLines(pair, of, { renderPair, signal })))
  return lines
}

const askSafely = async (
  line: QuestionLine,
  database: EvaluationDatabase,
  signal: AbortSignal,
): Promise<SystemAnswer> => {
  const before = performance.now()
  try {
    return await database.ask(line, { signal })
  } catch (error) {
    signal.throwIfAborted()
    return {
      outcome: 'failed',
      sql: null,
      confidence: null,
      candidates: [],
      usage: noModelUsage,
      milliseconds: performance.now() - before,
      error: error instanceof Error ? error.message : String(error),
    }
  }
}
