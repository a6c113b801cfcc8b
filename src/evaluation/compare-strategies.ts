import { diffRuns, type RunsDiff } from './diff-runs.ts'
import type { EvaluatedQuestion } from './out-file.ts'
import { type EvaluationSummary, formatMilliseconds, formatShare, summarizeRun } from './summary.ts'

/** One strategy over all questions. `money` is null if a model has no price. */
export interface ComparedStrategy {
  readonly strategy: string
  readonly summary: EvaluationSummary
  readonly money: number | null
}

/** What `eval compare --json` prints: every strategy, and each against the first, paired by question. */
export interface StrategiesComparison {
  readonly strategies: readonly ComparedStrategy[]
  readonly against: readonly { readonly strategy: string; readonly diff: RunsDiff }[]
}

/** Compares runs of several strategies over the same questions; the first is the one that others are held against. */
export const compareStrategies = (
  runs: readonly { readonly strategy: string; readonly evaluated: readonly EvaluatedQuestion[] }[],
): StrategiesComparison => {
  const [first, ...others] = runs
  return {
    strategies: runs.map(({ strategy, evaluated }) => ({
      strategy,
      summary: summarizeRun(evaluated, null),
      money: moneyOf(evaluated),
    })),
    against: others.map(({ strategy, evaluated }) => ({
      strategy,
      diff: diffRuns(first?.evaluated ?? [], evaluated),
    })),
  }
}

const moneyOf = (evaluated: readonly EvaluatedQuestion[]): number | null => {
  const answerable = evaluated.filter(question => question.answerable)
  return answerable.some(({ money }) => money === null)
    ? null
    : answerable.reduce((sum, { money }) => sum + (money ?? 0), 0)
}

/** The comparison as one Markdown table, a strategy a row, with the paired tests against the first at the end. */
export const renderComparison = ({ strategies, against }: StrategiesComparison): string => {
  const diffs = new Map(against.map(({ strategy, diff }) => [strategy, diff]))
  const head = [
    ...['strategy', 'EX', 'soft F1', 'R-VES', 'oracle', 'calls', 'prompt tokens', 'reply tokens', 'cost'],
    ...['p50', 'p95', 'refused', 'asked back', 'failed', `against ${strategies[0]?.strategy ?? ''}`, 'p'],
  ]
  const rows = strategies.map(({ strategy, summary, money }) => {
    const each = (sum: number, digits: number): string =>
      summary.questions === 0 ? '-' : (sum / summary.questions).toFixed(digits)
    const diff = diffs.get(strategy)
    return [
      ...[strategy, formatShare(summary.ex), formatShare(summary.softF1)],
      ...[summary.rves === null ? '-' : formatShare(summary.rves), formatShare(summary.oracle)],
      ...[each(summary.modelCalls, 2), each(summary.promptTokens, 0), each(summary.completionTokens, 0)],
      money === null ? '-' : each(money, 4),
      ...[formatMilliseconds(summary.p50), formatMilliseconds(summary.p95)],
      ...[summary.refused, summary.clarified, summary.failed].map(String),
      ...(diff === undefined ? ['', ''] : [describeDiff(diff), diff.mcnemar.p.toFixed(4)]),
    ]
  })
  const questions = strategies[0]?.summary.questions ?? 0
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [
    line(head),
    line(head.map((_, i) => (i === 0 ? '---' : '---:'))),
    ...rows.map(line),
    '',
    `n = ${questions} questions. Calls, tokens and cost are means of a question. Differences of EX are in points, paired by question, with a 95 % bootstrap interval; p is McNemar's.`,
  ].join('\n')
}

const describeDiff = ({ difference, interval }: RunsDiff): string => {
  const points = (share: number): string => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}`
  if (difference === null) return '-'
  return interval === null
    ? points(difference)
    : `${points(difference)} (${points(interval.low)} to ${points(interval.high)})`
}
