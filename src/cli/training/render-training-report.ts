import type { Interval } from '../../evaluation/paired-bootstrap.ts'
import type { ConfidenceScore } from '../../evaluation/score-confidence.ts'
import { formatShare } from '../../evaluation/write-share.ts'
import { type FeatureFamily, familyOf, reasonOf } from '../../selection/features/feature-reasons.ts'
import type { SelectorModel } from '../../selection/pairwise/selector-model.ts'
import type { PoolReport } from './score-folds.ts'

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
