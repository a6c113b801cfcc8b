import { renderDiff } from './diff-runs.ts'
import type { Report, ReportedRun } from './report.ts'
import { formatShare } from './summary.ts'

/** Charts of a report, by name; which of them there are depends on what was measured. */
export type ReportChart = 'by-difficulty' | 'coverage' | 'calls'

/** A piece of a report: each format writes all of them in its own way. Cells and texts are plain. */
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

/** The report in order: figures, how they compare, by difficulty, how far confidence can be trusted, cost, misses. */
export const reportSections = (report: Report): readonly ReportSection[] => [
  figures(report),
  ...comparison(report),
  ...difficulty(report),
  ...coverage(report),
  ...cost(report),
  ...misses(report),
]

/** Rows by name: a run may have one that the other has not. */
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
    { kind: 'heading', text: 'How far its confidence can be trusted' },
    {
      kind: 'text',
      text: 'If only answers above some confidence were given: how many questions would get one, and how many of those would be right. A line that falls to the right means that what it is less sure of is more often wrong, as it should be.',
    },
    { kind: 'chart', chart: 'coverage', alt: 'Precision against coverage' },
    {
      kind: 'table',
      head: ['confidence at least', ...runs.flatMap(({ name }) => [`${name}: answered`, 'of those right'])],
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
        { kind: 'heading', text: 'Model calls a question' },
        { kind: 'chart', chart: 'calls', alt: 'Questions by the number of model calls they took' },
      ]

const misses = ({ misses, moreMisses }: Report): readonly ReportSection[] => {
  if (misses.length === 0) return []
  const rest =
    moreMisses > 0 ? ` The first ${misses.length}; ${moreMisses} more are in the file of --out.` : ''
  return [
    { kind: 'heading', text: 'What went wrong' },
    { kind: 'text', text: `Questions that were not answered rightly.${rest}` },
    ...misses.flatMap(({ id, question, outcome, confidence, sql, gold, error }): ReportSection[] => {
      const sure = confidence === null ? '' : `, ${Math.round(confidence * 100)} % sure`
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
