import { writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { drawBarChart, drawLineChart } from '../../charts/report-charts.ts'
import { QuerentError } from '../../domain/errors.ts'
import { diffRuns, renderDiff } from '../../evaluation/diff-runs.ts'
import { readOutFile } from '../../evaluation/out-file.ts'
import { renderHtml, renderMarkdown } from '../../evaluation/render-report.ts'
import type { Report } from '../../evaluation/report.ts'
import type { ReportChart } from '../../evaluation/report-sections.ts'
import type { CommandContext } from '../command-context.ts'
import { chartCopy, evaluationCopy } from '../copy/evaluation.ts'
import { writeJson } from '../terminal.ts'

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
