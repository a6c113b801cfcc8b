import type { EvaluationSummary } from './summarise.ts'
import { formatMilliseconds } from './write-milliseconds.ts'
import { formatShare } from './write-share.ts'

/** The summary as a Markdown table, for the terminal. */
export const renderSummary = (summary: EvaluationSummary): string => renderTable(summaryRows(summary))

/** The figures of a summary with their names, as a person reads them. */
export const summaryRows = (summary: EvaluationSummary): readonly (readonly [string, string])[] => {
  const { questions, unanswerable } = summary
  const ofQuestions = (count: number) =>
    `${count} (${formatShare(questions === 0 ? null : count / questions)})`
  const perQuestion = (sum: number) =>
    `${sum} (${questions === 0 ? '-' : (sum / questions).toFixed(1)} a question)`
  const rows: [string, string][] = [
    ['questions', String(questions)],
    ['EX', formatShare(summary.ex)],
    ['EX, columns in any order', formatShare(summary.exAnyOrder)],
    ['soft F1', formatShare(summary.softF1)],
    ...(summary.rves === null ? [] : [['R-VES', formatShare(summary.rves)] as [string, string]]),
    ['oracle over the candidates', formatShare(summary.oracle)],
    ...summary.byDifficulty.map(({ difficulty, questions, ex }): [string, string] => [
      `EX, ${difficulty} (${questions})`,
      formatShare(ex),
    ]),
    ['answered', ofQuestions(summary.answered)],
    ['asked back', ofQuestions(summary.clarified)],
    ['refused', ofQuestions(summary.refused)],
    ['failed', ofQuestions(summary.failed)],
    ['precision at confidence >= .8', formatShare(summary.precisionConfident)],
    ['coverage at confidence >= .8', formatShare(summary.coverageConfident)],
    ['model calls', perQuestion(summary.modelCalls)],
    ['prompt tokens', perQuestion(summary.promptTokens)],
    ['time, median', formatMilliseconds(summary.p50)],
    ['time, 95th percentile', formatMilliseconds(summary.p95)],
    ['indexing, in all', formatMilliseconds(summary.indexMilliseconds)],
  ]
  if (unanswerable.questions > 0) {
    rows.push(['unanswerable, refused', `${unanswerable.refused} of ${unanswerable.questions}`])
  }
  return rows
}

const renderTable = (rows: readonly (readonly [string, string])[]): string => {
  const left = Math.max(...rows.map(([name]) => name.length))
  const right = Math.max(...rows.map(([, value]) => value.length))
  const line = (name: string, value: string) => `| ${name.padEnd(left)} | ${value.padStart(right)} |`
  return [
    line('measure', 'value'),
    `|${'-'.repeat(left + 2)}|${'-'.repeat(right + 1)}:|`,
    ...rows.map(([name, value]) => line(name, value)),
  ].join('\n')
}
