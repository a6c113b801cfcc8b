import { type SelectorName, selectorNames } from '../../src/cli/evaluation/selectors.ts'
import type { PoolQuestion } from '../../src/evaluation/execute-pools.ts'
import {
  type ConfidenceScore,
  type LabeledSelection,
  labelSelections,
  type SelectAnswer,
  scoreConfidence,
} from '../../src/evaluation/score-selection.ts'
import { type Interval, pairedBootstrap } from '../../src/evaluation/statistics.ts'
import { formatShare } from '../../src/evaluation/summary.ts'
import { type FeatureFamily, familyOf, reasonOf } from '../../src/ranking/features/feature-reasons.ts'
import type { SelectorModel } from '../../src/ranking/selector/selector-model.ts'

/** What one selector reached on a pool; shares of all questions. */
interface SelectorAccuracy {
  readonly ex: number
  readonly exAnyOrder: number
}

/** One pool in a report of training, every database scored by a selector that has not seen it. */
export interface PoolReport {
  readonly questions: number
  readonly oracle: SelectorAccuracy
  readonly selectors: Readonly<Record<string, SelectorAccuracy>>
  /** Share of the way from the majority vote to the oracle (EX), with its bootstrap interval by database. */
  readonly gapClosed: { readonly share: number; readonly low: number; readonly high: number } | null
  /** Of the learned selector; right in any order of columns, which is what people mean. */
  readonly confidence: ConfidenceScore | null
  /** The share of the votes taken as a probability, beside it. */
  readonly voteShare: ConfidenceScore | null
}

/** Scores the learned selector of each fold beside the others. */
export const scoreFolds = (
  questions: readonly PoolQuestion[],
  selectFor: (name: SelectorName) => (database: string) => SelectAnswer,
): PoolReport => {
  const judged = new Map(selectorNames.map(name => [name, labelSelections(questions, selectFor(name))]))
  const learned = judged.get('learned') ?? []
  const majority = judged.get('majority') ?? []
  const oracle = {
    ex: shareOf(questions, ({ labels }) => labels.some(({ ex }) => ex)),
    exAnyOrder: shareOf(questions, ({ labels }) => labels.some(({ anyOrder }) => anyOrder)),
  }
  const gap = oracle.ex - shareOf(majority, ({ label }) => label.ex)
  const gain = pairedBootstrap(
    questions.map(({ database }, at) => ({
      a: Number(majority[at]?.label.ex),
      b: Number(learned[at]?.label.ex),
      database,
    })),
    { by: 'database' },
  )
  return {
    questions: questions.length,
    oracle,
    selectors: Object.fromEntries([...judged].map(([name, own]) => [name, measureAccuracy(own)])),
    gapClosed:
      gap <= 0 || gain === null
        ? null
        : {
            share: (measureAccuracy(learned).ex - measureAccuracy(majority).ex) / gap,
            low: gain.low / gap,
            high: gain.high / gap,
          },
    confidence: scoreConfidence(
      learned.flatMap(({ selected, label }) =>
        selected.confidence === null ? [] : [{ confidence: selected.confidence, right: label.anyOrder }],
      ),
    ),
    voteShare: scoreConfidence(
      questions.map(({ candidateVotes }, at) => ({
        confidence: shareOfWinner(candidateVotes, majority[at]?.selected.candidateId ?? null),
        right: majority[at]?.label.anyOrder ?? false,
      })),
    ),
  }
}

const measureAccuracy = (judged: readonly LabeledSelection[]): SelectorAccuracy => ({
  ex: shareOf(judged, ({ label }) => label.ex),
  exAnyOrder: shareOf(judged, ({ label }) => label.anyOrder),
})

const shareOf = <T>(items: readonly T[], test: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(test).length / items.length

const shareOfWinner = (candidateVotes: PoolQuestion['candidateVotes'], winner: string | null): number => {
  const key = candidateVotes.find(({ candidateId }) => candidateId === winner)?.run?.groupKey
  return key === undefined ? 0 : shareOf(candidateVotes, ({ run }) => run?.groupKey === key)
}

/** What a training came to. Every database was scored by a selector that has not seen it. */
export interface TrainingReport {
  readonly provenance: SelectorModel['provenance']
  readonly pools: Readonly<Record<string, PoolReport>>
  /** The same, trained without one family of features. */
  readonly ablation: readonly {
    readonly family: FeatureFamily
    readonly pools: Readonly<Record<string, PoolReport>>
  }[]
  readonly features: SelectorModel['features']
}

/** The report as Markdown. */
export const renderTrainingReport = ({ provenance, pools, ablation, features }: TrainingReport): string =>
  `${[
    '# The shipped selector',
    '',
    `Trained ${provenance.date} on ${provenance.trainedOn.join('; ')}. ${provenance.method}.`,
    `Folds by database (${provenance.databases.length}); EX, and EX in any order of columns, in %.`,
    ...Object.entries(pools).flatMap(([name, pool]) => renderPool(name, pool)),
    ...(ablation.length === 0 ? [] : renderAblation(pools, ablation)),
    '',
    '## What weighs most',
    '',
    '| feature | family | weight | says |',
    '|---|---|---|---|',
    ...features
      .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
      .slice(0, MAX_SHOWN)
      .map(
        ({ name, weight }) =>
          `| ${name} | ${familyOf(name) ?? ''} | ${weight.toFixed(2)} | ${reasonOf(name) ?? ''} |`,
      ),
  ].join('\n')}\n`

const MAX_SHOWN = 30

const renderPool = (name: string, pool: PoolReport): readonly string[] => [
  '',
  `## ${name} (n = ${pool.questions})`,
  '',
  '| selector | EX | any order |',
  '|---|---|---|',
  ...Object.entries(pool.selectors).map(
    ([selector, { ex, exAnyOrder }]) => `| ${selector} | ${formatShare(ex)} | ${formatShare(exAnyOrder)} |`,
  ),
  `| oracle | ${formatShare(pool.oracle.ex)} | ${formatShare(pool.oracle.exAnyOrder)} |`,
  '',
  pool.gapClosed === null
    ? 'The vote leaves nothing to close.'
    : `Gap from majority to oracle closed: ${formatShare(pool.gapClosed.share)} (95 % by database: ${formatInterval(pool.gapClosed)}).`,
  ...renderConfidence('learned', pool.confidence),
  ...renderConfidence('vote share', pool.voteShare),
]

const formatInterval = ({ low, high }: Interval): string => `${formatShare(low)} to ${formatShare(high)}`

const renderConfidence = (name: string, score: ConfidenceScore | null): readonly string[] =>
  score === null
    ? []
    : [
        '',
        `Confidence, ${name}: ECE ${score.ece.toFixed(3)}${
          score.eceInterval === null
            ? ''
            : ` (${score.eceInterval.low.toFixed(3)} to ${score.eceInterval.high.toFixed(3)})`
        }, Brier skill ${score.brierSkill === null ? '-' : score.brierSkill.toFixed(3)}; risk ${formatShare(score.riskAt80)} at 80 % coverage against ${formatShare(score.riskAt100)} at 100 %${
          score.overHalf === null
            ? ''
            : `; above half of it by ${(100 * score.overHalf.low).toFixed(1)} to ${(100 * score.overHalf.high).toFixed(1)} points`
        }.`,
        `Risk by coverage: ${score.curve.map(({ coverage, risk }) => `${Math.round(coverage * 100)} %: ${formatShare(risk)}`).join(', ')}.`,
      ]

const renderAblation = (
  pools: TrainingReport['pools'],
  ablation: TrainingReport['ablation'],
): readonly string[] => {
  const names = Object.keys(pools)
  const learned = (of: TrainingReport['pools'], name: string): string => {
    const own = of[name]?.selectors.learned
    return own === undefined ? '-' : `${formatShare(own.ex)} / ${formatShare(own.exAnyOrder)}`
  }
  return [
    '',
    '## Without a family of features',
    '',
    `| without | ${names.join(' | ')} |`,
    `|---${'|---'.repeat(names.length)}|`,
    `| nothing | ${names.map(name => learned(pools, name)).join(' | ')} |`,
    ...ablation.map(
      ({ family, pools: own }) => `| ${family} | ${names.map(name => learned(own, name)).join(' | ')} |`,
    ),
  ]
}
