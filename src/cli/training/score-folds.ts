import type { PoolQuestion } from '../../evaluation/execute-pools.ts'
import { pairedBootstrap } from '../../evaluation/paired-bootstrap.ts'
import { type ConfidenceScore, scoreConfidence } from '../../evaluation/score-confidence.ts'
import {
  type LabeledSelection,
  labelSelections,
  type SelectAnswer,
} from '../../evaluation/score-selection.ts'
import { type SelectorName, selectorNames } from '../selectors.ts'

/** What one selector reached on a pool; shares of all questions. */
export interface SelectorAccuracy {
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
      questions.map(({ ballots }, at) => ({
        confidence: shareOfWinner(ballots, majority[at]?.selected.candidateId ?? null),
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

const shareOfWinner = (ballots: PoolQuestion['ballots'], winner: string | null): number => {
  const key = ballots.find(({ candidateId }) => candidateId === winner)?.run?.groupKey
  return key === undefined ? 0 : shareOf(ballots, ({ run }) => run?.groupKey === key)
}
