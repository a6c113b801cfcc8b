import type { AskingReport, AskingScore } from './score-asking.ts'
import type { SelectionScore } from './score-selection.ts'
import { formatShare } from './summary.ts'

/** What `eval selection` found, pool by pool. */
interface SelectionSummary {
  readonly folds: 'by-database' | 'none'
  readonly pools: Readonly<
    Record<
      string,
      {
        readonly questions: number
        readonly oracle: number
        readonly oracleAnyOrder: number
        readonly selectors: Readonly<Record<string, SelectionScore | null>>
        readonly regret: VoterRegret | null
      }
    >
  >
}

/** Mistakes of the voters over experts, against the best expert; counts of questions. */
interface VoterRegret {
  readonly experts: number
  readonly best: { readonly expert: string; readonly mistakes: number } | null
  readonly wma: VoterMistakes
  readonly rwma: VoterMistakes
}

interface VoterMistakes {
  readonly mistakes: number
  readonly regret: number
  readonly bound: number | null
}

const askingHeadings = [
  'asking back',
  'asked',
  'false',
  'EX',
  'any order',
  'recovered',
  'by EX',
  'a question',
  'random',
]

/** The figures of asking back with one selector: if it is worth its cost, by the share asked, and always. */
const renderAsking = (name: string, { atCost, curve, always }: AskingReport): readonly string[] => {
  const line = (label: string, score: AskingScore, atRandom: number | null): readonly string[] => [
    label,
    formatShare(score.asked),
    formatShare(score.falseAsks),
    formatShare(score.exAfterAsking),
    formatShare(score.exAnyOrderAfterAsking),
    score.recovered === null ? '-' : formatShare(score.recovered),
    score.recoveredEx === null ? '-' : formatShare(score.recoveredEx),
    score.gainPerQuestion === null ? '-' : formatShare(score.gainPerQuestion),
    atRandom === null ? '-' : formatShare(atRandom),
  ]
  return [
    '',
    ...alignColumns([
      askingHeadings,
      line(`${name}, worth its cost`, atCost, null),
      ...curve.map(point => line(`${name}, most valuable`, point, point.exAnyOrderAtRandom)),
      line(`${name}, always`, always, null),
    ]),
  ]
}

const headings = [
  'selector',
  'EX',
  'any order',
  'gap',
  'ECE',
  'Brier',
  'skill',
  'risk 80',
  'risk 100',
  'early EX',
  'median',
  'mean',
]

/** One table per pool, for the terminal. */
export const renderSelection = ({ folds, pools }: SelectionSummary): string =>
  Object.entries(pools)
    .map(([pool, { questions, oracle, oracleAnyOrder, selectors, regret }]) => {
      const rows = Object.entries(selectors).map(([name, score]) => [name, ...cellsOf(score)])
      const note = folds === 'none' ? ' (in-sample if a selector was trained on these databases)' : ''
      return [
        `${pool}: ${questions} questions, oracle ${formatShare(oracle)} (any order ${formatShare(oracleAnyOrder)})${note}`,
        ...alignColumns([headings, ...rows]),
        ...(regret === null ? [] : formatRegret(regret)),
        ...Object.entries(selectors).flatMap(([name, score]) =>
          score?.asking ? renderAsking(name, score.asking) : [],
        ),
      ].join('\n')
    })
    .join('\n\n')

const cellsOf = (score: SelectionScore | null): readonly string[] =>
  score === null
    ? headings.slice(1).map(() => '-')
    : [
        formatShare(score.ex),
        formatShare(score.exAnyOrder),
        score.gapClosed === null ? '-' : formatShare(score.gapClosed),
        score.ece === null ? '-' : score.ece.toFixed(3),
        score.brier === null ? '-' : score.brier.toFixed(3),
        score.brierSkill === null ? '-' : score.brierSkill.toFixed(3),
        score.riskAt80 === null ? '-' : formatShare(score.riskAt80),
        score.riskAt100 === null ? '-' : formatShare(score.riskAt100),
        score.exEarlyStop === null ? '-' : formatShare(score.exEarlyStop),
        score.consumedMedian === null ? '-' : String(score.consumedMedian),
        score.consumedMean === null ? '-' : score.consumedMean.toFixed(2),
      ]

/** One line per voter. */
const formatRegret = ({ experts, best, wma, rwma }: VoterRegret): readonly string[] =>
  best === null
    ? []
    : [
        `Mistakes if the weights are learned question by question. The best of ${experts} experts (${best.expert}) makes ${best.mistakes}:`,
        `  wma   ${formatMistakes(wma)}`,
        `  rwma  ${formatMistakes(rwma)} (expected)`,
      ]

const formatMistakes = ({ mistakes, regret, bound }: VoterMistakes): string => {
  const against = regret > 0 ? `+${rounded(regret)}` : rounded(regret)
  return `${rounded(mistakes)}, regret ${against}${bound === null ? '' : `, at most ${rounded(bound)} mistakes`}`
}

const rounded = (count: number): string => String(Math.round(count * 10) / 10)

const alignColumns = (rows: readonly (readonly string[])[]): readonly string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows.map(row =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  '),
  )
}
