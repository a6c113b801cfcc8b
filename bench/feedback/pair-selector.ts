import type {
  ComparePair,
  LabeledGroups,
  MeasuredGroup,
  RankGroups,
} from '../../src/domain/selection/ranking.ts'
import type { SelectorModel } from '../../src/ranking/selector/selector-model.ts'

const sigmoid = (logit: number): number => 1 / (1 + Math.exp(-logit))

const utilityOf =
  ({ features }: SelectorModel) =>
  ({ measures }: MeasuredGroup): number =>
    features.reduce((sum, { name, scale, weight }) => sum + ((measures[name] ?? 0) / scale) * weight, 0)

/** How probable it is that one group beats another. */
export const comparePairs = (model: SelectorModel): ComparePair => {
  const utility = utilityOf(model)
  return (first, second) => sigmoid(utility(first) - utility(second))
}

/** Ranks by utility alone; probabilities are a softmax, uncalibrated. */
export const rankByUtility = (model: SelectorModel): RankGroups => {
  const utility = utilityOf(model)
  return groups => {
    const rated = groups.map(group => ({ group, utility: utility(group) }))
    const most = Math.max(...rated.map(({ utility }) => utility))
    const total = rated.reduce((sum, { utility }) => sum + Math.exp(utility - most), 0)
    return rated
      .toSorted((a, b) => b.utility - a.utility)
      .map(({ group, utility }) => ({
        key: group.key,
        representativeId: group.representativeId,
        probability: Math.exp(utility - most) / total,
        reasons: [],
      }))
  }
}

/** A selector without weights over every feature that the questions have, in units of its own spread. */
export const blankSelector = (questions: readonly LabeledGroups[]): SelectorModel => {
  const groups = questions.flatMap(({ groups }) => groups)
  const names = [...new Set(groups.flatMap(({ measures }) => Object.keys(measures)))].sort()
  return {
    version: 'blank',
    provenance: { databases: [], trainedOn: [], method: 'none', date: '1970-01-01' },
    features: names.map(name => ({
      name,
      scale: spreadOf(groups.map(({ measures }) => measures[name] ?? 0)),
      weight: 0,
    })),
    calibration: [0],
  }
}

const spreadOf = (numbers: readonly number[]): number => {
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length
  const variance = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length
  return Math.sqrt(variance) || 1
}
