import type { SelectionScore } from './score-selection.ts'
import { writeShare } from './write-share.ts'

/** What `eval selection` found, pool by pool. */
export interface SelectionSummary {
  readonly folds: 'by-database' | 'none'
  readonly pools: Readonly<
    Record<
      string,
      {
        readonly questions: number
        readonly oracle: number
        readonly oracleAnyOrder: number
        readonly selectors: Readonly<Record<string, SelectionScore | null>>
      }
    >
  >
}

const headings = ['selector', 'EX', 'any order', 'gap', 'ECE', 'Brier', 'early EX', 'median', 'mean']

/** One table a pool, for the terminal. */
export const renderSelection = ({ folds, pools }: SelectionSummary): string =>
  Object.entries(pools)
    .map(([pool, { questions, oracle, oracleAnyOrder, selectors }]) => {
      const rows = Object.entries(selectors).map(([name, score]) => [name, ...cellsOf(score)])
      const note = folds === 'none' ? ' (in-sample where a selector was trained on these databases)' : ''
      return [
        `${pool}: ${questions} questions, oracle ${writeShare(oracle)} (any order ${writeShare(oracleAnyOrder)})${note}`,
        ...alignColumns([headings, ...rows]),
      ].join('\n')
    })
    .join('\n\n')

const cellsOf = (score: SelectionScore | null): readonly string[] =>
  score === null
    ? headings.slice(1).map(() => '-')
    : [
        writeShare(score.ex),
        writeShare(score.exAnyOrder),
        score.gapClosed === null ? '-' : writeShare(score.gapClosed),
        score.ece === null ? '-' : score.ece.toFixed(3),
        score.brier === null ? '-' : score.brier.toFixed(3),
        score.exEarlyStop === null ? '-' : writeShare(score.exEarlyStop),
        score.consumedMedian === null ? '-' : String(score.consumedMedian),
        score.consumedMean === null ? '-' : score.consumedMean.toFixed(2),
      ]

const alignColumns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = headings.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows.map(row =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  '),
  )
}
