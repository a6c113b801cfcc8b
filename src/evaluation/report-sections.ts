import { renderDiff } from './diff-runs.ts'
import type { Report, ReportedRun } from './report.ts'
import { formatShare } from './summary.ts'

/** The charts of a report. A chart without data is left out. */
export type ReportChart = 'by-difficulty' | 'coverage' | 'calls'

/** A section of a report, which each format renders. Cells and texts are plain text. */
export type ReportSection =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'block'; readonly text: string }
  | { readonly kind: 'chart'; readonly chart: ReportChart; readonly alt: string }
  | {
      readonly kind: 'table'
      readonly head: readonly string[]
      readonly rows: readonly (readonly string[])[]
    }

/** The sections in order: figures, comparison, difficulty, confidence, cost, misses. */
export const reportSections = (report: Report): readonly ReportSection[] => [
  figures(report),
  ...comparison(report),
  ...difficulty(report),
  ...coverage(report),
  ...cost(report),
  ...misses(report),
]

/** Rows by name, since a run may lack some of the other's. */
const figures = ({ runs }: Report): ReportSection => {
  const names = [...new Set(runs.flatMap(({ rows }) => rows.map(([name]) => name)))]
  const values = runs.map(({ rows }) => new Map(rows))
  return {
    kind: 'table',
    head: ['measure', ...runs.map(({ name }) => name)],
    rows: names.map(name => [name, ...values.map(ofRun => ofRun.get(name) ?? '-')]),
  }
}

const comparison = ({ diff, runs }: Report): readonly ReportSection[] =>
  diff === null
    ? []
    : [
        { kind: 'heading', text: 'Is it better?' },
        {
          kind: 'text',
          text: `Question by question: A is ${runs[1]?.name ?? 'the other'}, B is ${runs[0].name}.`,
        },
        { kind: 'block', text: renderDiff(diff) },
      ]

const difficulty = ({ runs }: Report): readonly ReportSection[] =>
  runs[0].summary.byDifficulty.length === 0
    ? []
    : [
        { kind: 'heading', text: 'By difficulty' },
        { kind: 'chart', chart: 'by-difficulty', alt: 'EX by the difficulty of the question' },
      ]

const coverage = ({ runs }: Report): readonly ReportSection[] => {
  if (runs[0].coverage.length === 0) return []
  return [
    { kind: 'heading', text: 'How reliable its confidence is' },
    {
      kind: 'text',
      text: 'The share of questions that get an answer if only answers above some confidence are given, and the share of these that are right. A line that falls to the right is good: less confident answers are wrong more often.',
    },
    { kind: 'chart', chart: 'coverage', alt: 'Precision and coverage' },
    {
      kind: 'table',
      head: ['confidence at least', ...runs.flatMap(({ name }) => [`${name}: answered`, 'of these right'])],
      rows: [0.9, 0.8, 0.7, 0.5, 0.3].map(confidence => [
        confidence.toFixed(1),
        ...runs.flatMap(run => atConfidence(run, confidence)),
      ]),
    },
  ]
}

const atConfidence = (run: ReportedRun, confidence: number): readonly string[] => {
  const point = run.coverage.findLast(point => point.confidence >= confidence)
  return [formatShare(point?.coverage ?? 0), formatShare(point?.precision ?? null)]
}

const cost = ({ runs }: Report): readonly ReportSection[] =>
  runs.every(({ summary }) => summary.modelCalls === 0)
    ? []
    : [
        { kind: 'heading', text: 'Model calls per question' },
        { kind: 'chart', chart: 'calls', alt: 'Questions by the number of model calls they took' },
      ]

const misses = ({ misses, moreMisses }: Report): readonly ReportSection[] => {
  if (misses.length === 0) return []
  const rest =
    moreMisses > 0 ? ` These are the first ${misses.length}; ${moreMisses} more are in the --out file.` : ''
  return [
    { kind: 'heading', text: 'What went wrong' },
    { kind: 'text', text: `Questions without a right answer.${rest}` },
    ...misses.flatMap(({ id, question, outcome, confidence, sql, gold, error }): ReportSection[] => {
      const sure = confidence === null ? '' : `, ${Math.round(confidence * 100)}% sure`
      const statements = [
        ...(sql === null ? [] : [`-- answer\n${sql}`]),
        ...(gold === null ? [] : [`-- known answer\n${gold}`]),
      ]
      return [
        { kind: 'text', text: `${id} (${outcome}${sure}): ${question}${error === null ? '' : ` ${error}`}` },
        ...(statements.length > 0 ? [{ kind: 'block' as const, text: statements.join('\n') }] : []),
      ]
    }),
  ]
}
