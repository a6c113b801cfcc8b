import { writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { drawBarChart, drawLineChart } from '../../charts/report-charts.ts'
import type { OnAnswerEvent } from '../../domain/answer.ts'
import { QuerentError } from '../../domain/errors.ts'
import { diffRuns, renderDiff } from '../../evaluation/diff-runs.ts'
import { evaluateQuestions } from '../../evaluation/evaluate-questions.ts'
import { openOutFile, readOutFile } from '../../evaluation/out-file.ts'
import { readQuestionsFile, selectUsable } from '../../evaluation/questions-file.ts'
import { type ReportChart, renderHtml, renderMarkdown } from '../../evaluation/render-report.ts'
import { makeReport, type Report } from '../../evaluation/report.ts'
import { RVES_RUNS } from '../../evaluation/score-question.ts'
import { renderSummary, summarizeRun } from '../../evaluation/summary.ts'
import type { CommandContext } from '../command-context.ts'
import { askCopy } from '../copy/ask.ts'
import { chartCopy, evaluationCopy } from '../copy/evaluation.ts'
import { notAWholeNumber } from '../copy/phrases.ts'
import type { StrategyOptions } from '../strategy.ts'
import { makeProgressBar, writeJson } from '../terminal.ts'
import { makeOpenForEvaluation, readReplayModel } from './open-for-evaluation.ts'
import { openPairsFile } from './pairs-file.ts'

interface EvalOptions extends StrategyOptions {
  readonly questions?: string
  readonly databases?: string
  readonly model?: string
  readonly evidence?: string
  readonly limit?: string
  readonly out?: string
  readonly rves?: boolean
  readonly pairs?: string
  readonly report?: string
  readonly against?: string
  readonly json?: boolean
}

/** `eval questions`: asks every usable question of a file and scores the answers. Resumable with `--out`. */
export const runEvalQuestions = async (options: EvalOptions, context: CommandContext): Promise<number> => {
  const { terminal, signal } = context
  const file = resolve(terminal.folder, options.questions ?? '')
  const lines = selectUsable(await readQuestionsFile(file), readLimit(options.limit))
  const told = options.evidence ? ` evidence=${options.evidence}` : ''
  const run = `model=${options.model ?? 'configured'}${strategyText(options)}${told}`
  const report = options.report === undefined ? null : resolve(terminal.folder, options.report)
  if (report !== null) assertReportFile(report)
  const against = await readComparedRun(options, terminal.folder)
  const out = options.out ? await openOutFile(resolve(terminal.folder, options.out), run) : null
  const done = new Set((out?.done ?? []).map(({ id }) => id))
  const pairs = options.pairs ? await openPairsFile(resolve(terminal.folder, options.pairs), done) : null
  const replay = await readReplayModel(options.model, terminal.folder)
  const bar = makeProgressBar(terminal)
  let isWarned = false
  const onEvent: OnAnswerEvent = ({ callShortfall }) => {
    if (callShortfall === undefined || isWarned) return
    isWarned = true
    bar.clear()
    terminal.err.write(`${askCopy.callShortfall(callShortfall)}\n`)
  }
  const { evaluated, indexMilliseconds } = await evaluateQuestions({
    lines,
    signal,
    openForEvaluation: makeOpenForEvaluation({ ...options, replay, onEvent }, context),
    onProgress: ({ done, total, database }) =>
      bar.onProgress({
        doing: evaluationCopy.asking(done, total, database),
        share: total === 0 ? 1 : done / total,
      }),
    // All candidates of a pool count, since Querent did not rank them.
    ...(replay ? { oracleOver: Number.POSITIVE_INFINITY } : {}),
    rvesRuns: options.rves ? RVES_RUNS : null,
    ...(pairs ? { onTrainingLines: pairs.append } : {}),
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
  if (pairs !== null) terminal.err.write(`${evaluationCopy.pairsWritten(pairs.summary())}\n`)
  if (options.json) writeJson(terminal.out, summary)
  else terminal.out.write(`${renderSummary(summary)}\n`)
  return 0
}

/** Part of a run's name: a file of another strategy or of other settings is not continued. */
const strategyText = ({ strategy, set = [], shots }: StrategyOptions): string =>
  [
    ...(strategy === undefined ? [] : [` strategy=${strategy}`]),
    ...set.map(one => ` ${one}`),
    ...(shots === undefined ? [] : [` shots=${shots}`]),
  ].join('')

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

/** How many questions are asked: `--limit`, or all. Throws `bad-arguments` unless it is a whole number from 1. */
export const readLimit = (text: string | undefined): number => {
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (!/^[1-9]\d*$/.test(text)) throw new QuerentError('bad-arguments', notAWholeNumber('--limit', text, 1))
  return Number(text)
}

const formats = ['.html', '.md']

/** Throws `bad-arguments` for a file with another ending, before the evaluation begins. */
export const assertReportFile = (file: string): void => {
  if (formats.includes(extname(file))) return
  throw new QuerentError('bad-arguments', evaluationCopy.reportEnding(file))
}

/**
 * Writes a report: one HTML page with charts, or Markdown with charts as SVG files next to it, since Markdown viewers do not
 * show inline SVG.
 */
export const writeReport = async (file: string, report: Report): Promise<void> => {
  assertReportFile(file)
  const charts = await drawCharts(report)
  const svgOf = (chart: ReportChart): string => charts.get(chart) ?? ''
  if (extname(file) === '.html') return writeFile(file, renderHtml(report, svgOf))
  const imageOf = (chart: ReportChart): string => `${basename(file, '.md')}-${chart}.svg`
  for (const [chart, svg] of charts) await writeFile(join(dirname(file), imageOf(chart)), svg)
  await writeFile(file, renderMarkdown(report, imageOf))
}

const drawCharts = async ({ runs }: Report): Promise<ReadonlyMap<ReportChart, string>> => {
  const charts = new Map<ReportChart, string>()
  if (runs[0].summary.byDifficulty.length > 0) {
    const series = runs.map(({ name, summary }) => ({
      name,
      bars: summary.byDifficulty.map(({ difficulty, ex }) => ({ category: difficulty, value: ex })),
    }))
    charts.set('by-difficulty', await drawBarChart({ ...chartCopy.byDifficulty, most: 1, series }))
  }
  if (runs[0].coverage.length > 0) {
    const series = runs.map(({ name, coverage }) => ({
      name,
      points: coverage.map(({ coverage: x, precision: y }) => ({ x, y })),
    }))
    charts.set(
      'coverage',
      await drawLineChart({
        ...chartCopy.coverage,
        series,
      }),
    )
  }
  if (runs.some(({ summary }) => summary.modelCalls > 0)) {
    const series = runs.map(({ name, calls }) => ({
      name,
      bars: calls.map(({ from, to, questions }) => ({
        category: from === to ? String(from) : `${from}–${to}`,
        value: questions,
      })),
    }))
    charts.set(
      'calls',
      await drawBarChart({
        ...chartCopy.calls,
        series,
      }),
    )
  }
  return charts
}

/** `eval diff`: compares two runs question by question. */
export const runEvalDiff = async (
  options: { readonly a?: string; readonly b?: string; readonly json?: boolean },
  { terminal }: CommandContext,
): Promise<number> => {
  const read = (file = '') => readOutFile(resolve(terminal.folder, file))
  const diff = diffRuns(await read(options.a), await read(options.b))
  if (options.json) writeJson(terminal.out, diff)
  else terminal.out.write(`${renderDiff(diff)}\n`)
  return 0
}
