import { randomUUID } from 'node:crypto'
import { basename, resolve } from 'node:path'
import { makePoolReplayPath } from '../../../graphs/answer/drafting/pool-replay.ts'
import { makeAnswering } from '../../bootstrap/answering/answering.ts'
import { makeResources } from '../../bootstrap/resources.ts'
import type { AnswerReport } from '../../domain/answer.ts'
import { failureText } from '../../domain/answer-wording/unanswered.ts'
import type { DraftPath } from '../../domain/candidate.ts'
import { QuerentError, SqlError } from '../../domain/errors.ts'
import { evaluateQuestions } from '../../evaluation/evaluate-questions.ts'
import {
  evaluationLimits,
  type OpenForEvaluation,
  type SystemAnswer,
} from '../../evaluation/evaluation-database.ts'
import { openOutFile, readOutFile } from '../../evaluation/out-file.ts'
import { parsePoolSpec, poolCandidates, readPoolsFile } from '../../evaluation/pools-file.ts'
import { readQuestionsFile, selectUsable } from '../../evaluation/questions-file.ts'
import { makeReport } from '../../evaluation/report.ts'
import { RVES_RUNS } from '../../evaluation/score-question.ts'
import { renderSummary, summarizeRun } from '../../evaluation/summary.ts'
import { dayOf } from '../../lib/time-zone.ts'
import { selectorWithout } from '../../ranking/selector/shipped-selector.ts'
import { stoppingModelWithout } from '../../ranking/stopping-folds.ts'
import { readStrategy } from '../ask.ts'
import type { CommandContext } from '../command-context.ts'
import { evaluationCopy } from '../copy/evaluation.ts'
import { notAWholeNumber } from '../copy/phrases.ts'
import { makeProgressBar, writeJson } from '../terminal.ts'
import { assertReportFile, writeReport } from './eval-report.ts'
import { evaluationDatabaseReference } from './pool-databases.ts'

interface EvalOptions {
  readonly questions?: string
  readonly databases?: string
  readonly model?: string
  readonly strategy?: string
  readonly limit?: string
  readonly out?: string
  readonly rves?: boolean
  readonly report?: string
  readonly against?: string
  readonly json?: boolean
}

/** `eval questions`: asks every usable question of a file and scores the answers. Resumable with `--out`. */
export const runEvalQuestions = async (options: EvalOptions, context: CommandContext): Promise<number> => {
  const { terminal, signal } = context
  const file = resolve(terminal.folder, options.questions ?? '')
  const lines = selectUsable(await readQuestionsFile(file), readLimit(options.limit))
  const run = `model=${options.model ?? 'configured'}${options.strategy ? ` strategy=${options.strategy}` : ''}`
  const report = options.report === undefined ? null : resolve(terminal.folder, options.report)
  if (report !== null) assertReportFile(report)
  const against = await readComparedRun(options, terminal.folder)
  const out = options.out ? await openOutFile(resolve(terminal.folder, options.out), run) : null
  const replay = await readReplayModel(options.model, terminal.folder)
  const bar = makeProgressBar(terminal)
  const { evaluated, indexMilliseconds } = await evaluateQuestions({
    lines,
    signal,
    openForEvaluation: makeOpenForEvaluation(options, context, replay),
    onProgress: ({ done, total, database }) =>
      bar.onProgress({
        doing: evaluationCopy.asking(done, total, database),
        share: total === 0 ? 1 : done / total,
      }),
    // All candidates of a pool count, since Querent did not rank them.
    ...(replay ? { oracleOver: Number.POSITIVE_INFINITY } : {}),
    rvesRuns: options.rves ? RVES_RUNS : null,
    ...(out ? { done: out.done, onEvaluated: out.append } : {}),
  })
  bar.clear()
  const unrunnable = evaluated.filter(question => question.goldError !== null)
  if (unrunnable.length > 0) {
    const named = unrunnable
      .slice(0, 5)
      .map(question => evaluationCopy.failedGold(question.id, question.goldError))
    terminal.err.write(`${evaluationCopy.failedGolds(unrunnable.length, named)}\n`)
  }
  const summary = summarizeRun(evaluated, indexMilliseconds)
  if (report !== null) {
    const name = options.out === undefined ? run : basename(options.out)
    const title = evaluationCopy.reportTitle(basename(file), summary.questions)
    const made = makeReport(title, { name, evaluated, indexMilliseconds }, { against, lines })
    await writeReport(report, made)
  }
  if (options.json) writeJson(terminal.out, summary)
  else terminal.out.write(`${renderSummary(summary)}\n`)
  return 0
}

/** The run that a report compares with; null without one. Throws `bad-arguments`. */
const readComparedRun = async (
  { report, against }: Pick<EvalOptions, 'report' | 'against'>,
  folder: string,
): Promise<Parameters<typeof makeReport>[2]['against']> => {
  if (against === undefined) return null
  if (report === undefined) throw new QuerentError('bad-arguments', evaluationCopy.againstWithoutReport)
  const evaluated = await readOutFile(resolve(folder, against))
  return { name: basename(against), evaluated, indexMilliseconds: null }
}

const readLimit = (text: string | undefined): number => {
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (!/^[1-9]\d*$/.test(text)) throw new QuerentError('bad-arguments', notAWholeNumber('--limit', text, 1))
  return Number(text)
}

/** Opens each database with resources of its own, so that closing it releases all of them. */
const makeOpenForEvaluation =
  (
    options: EvalOptions,
    { config, log, terminal, now, shell }: CommandContext,
    replay: MakeReplayDrafter | null,
  ): OpenForEvaluation =>
  async (dbId, { signal }) => {
    const resources = makeResources(
      { ...config, limits: evaluationLimits },
      { log, shell, asOf: dayOf(now, config.timeZone) },
    )
    try {
      const name =
        options.databases === undefined
          ? dbId
          : evaluationDatabaseReference(options.databases, dbId, terminal.folder)
      const database = await resources.openDatabase(name, { signal })
      const lineIds = new Map<string, string>()
      const drafting = readStrategy(options.strategy)
      const answering = await makeAnswering(
        drafting === null ? resources : { ...resources, config: { ...resources.config, drafting } },
        {
          model: options.model ?? null,
          kept: 'in-memory',
          // A database that the shipped model was trained on is measured with a model that was not.
          standing: stoppingModelWithout(dbId),
          selector: selectorWithout(dbId),
          ...(replay ? { drafter: replay(id => lineIds.get(id)) } : {}),
        },
      )
      return {
        dialect: database.dialect,
        indexMilliseconds: database.indexMilliseconds,
        close: resources.release,
        execute: async (sql, run) => {
          const verdict = database.guard(sql)
          if (verdict.verdict === 'refuse') throw new SqlError('refused', verdict.reason)
          return database.run(verdict.guarded, run)
        },
        ask: async (line, run) => {
          const started = performance.now()
          const id = randomUUID()
          const question = {
            id,
            key: `eval:${id}`,
            text: line.question,
            database: name,
            askedAt: now,
            timeZone: config.timeZone,
            askedBy: null,
          }
          lineIds.set(id, line.id)
          await answering.keepQuestion(question)
          const report = await answering.answer(question, run)
          await answering.forget(id)
          lineIds.delete(id)
          return toSystemAnswer(report, performance.now() - started)
        },
      }
    } catch (error) {
      await resources.release()
      throw error
    }
  }

const outcomeNames = {
  answered: 'answered',
  'needs-clarification': 'clarified',
  refused: 'refused',
  failed: 'failed',
} as const

const toSystemAnswer = (report: AnswerReport, milliseconds: number): SystemAnswer => {
  const { outcome, usage } = report
  return {
    outcome: outcomeNames[outcome.status],
    sql: outcome.status === 'answered' ? outcome.sql : null,
    confidence: outcome.status === 'answered' ? outcome.confidence : null,
    candidates: rankCandidates(report),
    usage,
    milliseconds,
    ...(outcome.status === 'failed' ? { error: failureText(outcome.why).reason } : {}),
  }
}

/** The representative of each group of equal results, the best group first; then all other candidates. */
const rankCandidates = ({ candidates, trace }: AnswerReport): readonly string[] => {
  const ranks = new Map(trace?.groups.map(({ representativeId }, rank) => [representativeId, rank]))
  const rankOf = (id: string): number => ranks.get(id) ?? ranks.size
  return candidates.toSorted((a, b) => rankOf(a.id) - rankOf(b.id)).map(({ sql }) => sql)
}

/** The model of `--model pool:FILE#A+B`: its drafts come from a file of candidates, found by the question's id. */
type MakeReplayDrafter = (lineIdOf: (questionId: string) => string | undefined) => DraftPath

/** Reads the candidates of `--model pool:...`; null for any other model. Throws `bad-arguments`. */
const readReplayModel = async (
  model: string | undefined,
  folder: string,
): Promise<MakeReplayDrafter | null> => {
  if (!model?.startsWith('pool:')) return null
  const [, file, pool] = /^pool:(.+)#([^#]+)$/.exec(model) ?? []
  if (file === undefined || pool === undefined)
    throw new QuerentError('bad-arguments', evaluationCopy.notAPool(model))
  const spec = parsePoolSpec(pool)
  const pools = await readPoolsFile(resolve(folder, file))
  const candidates = new Map([...pools].map(([id, line]) => [id, poolCandidates(line, spec)]))
  const samples = Math.max(0, ...[...candidates.values()].map(list => list.length))
  return lineIdOf => makePoolReplayPath({ samples, draftsOf: id => candidates.get(lineIdOf(id) ?? '') ?? [] })
}
