import type { LabeledGroups } from '../../../src/domain/selection/ranking.ts'
import { seededRandom } from '../../../src/evaluation/statistics.ts'
import type { SelectorTrainingData } from '../../../training/selector/fit-selector.ts'
import { makeMeasured } from '../../ranking/selector/make-measured.ts'

/** What the synthetic questions go by: how much a unit of each feature is worth. */
export const planted = { 'vote-share': 2, 'result-empty': -1.5, 'sql-nested': 0, parser: 1 } as const

const names = Object.keys(planted) as (keyof typeof planted)[]

/**
 * Questions whose right group is drawn by a known utility: P(right) is the softmax of the planted weights, as Bradley
 * and Terry's model has it between any two. Features are uniform from -1 to 1.
 */
export const makeQuestions = (
  count: number,
  {
    seed,
    databases = 8,
    weights = planted,
    size = 4,
  }: {
    readonly seed: number
    readonly databases?: number
    readonly weights?: Readonly<Partial<Record<keyof typeof planted, number>>>
    readonly size?: number
  },
): readonly LabeledGroups[] => {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, at) => {
    const groups = Array.from({ length: size }, (_, group) =>
      makeMeasured(`${group}`, Object.fromEntries(names.map(name => [name, 2 * random() - 1])), 1 + group),
    )
    const odds = groups.map(({ measures }) =>
      Math.exp(names.reduce((sum, name) => sum + (weights[name] ?? 0) * (measures[name] ?? 0), 0)),
    )
    const drawn = random() * odds.reduce((sum, one) => sum + one, 0)
    const upTo = (group: number): number => odds.slice(0, group + 1).reduce((sum, one) => sum + one, 0)
    const right = groups.find((_, group) => drawn < upTo(group)) ?? groups[0]!
    return { id: `q${at}`, database: `d${at % databases}`, groups, right: new Set([right.key]), weight: 1 }
  })
}

/** Lessons of which a test names only what it is about. */
export const makeTrainingData = (given: Partial<SelectorTrainingData> = {}): SelectorTrainingData => ({
  ...{ questions: [], beginnings: [], mixtures: [], readings: [] },
  ...given,
})
