import type { LabeledGroups } from '../../src/domain/selection/ranking.ts'
import { seededRandom } from '../../src/evaluation/statistics.ts'

const DATABASES = 12

const QUESTIONS = 60

const MOST_RESULTS = 6

/**
 * Questions made up for a machine without real candidates: what makes a result right differs a little from one database
 * to the next, as it does between teams. They show that the loop works, not what it is worth.
 */
export const makeSyntheticGroups = (seed: number): readonly LabeledGroups[] => {
  const random = seededRandom(seed)
  const normal = (): number => Array.from({ length: 6 }, random).reduce((sum, one) => sum + one - 0.5, 0)
  return Array.from({ length: DATABASES }, (_, number) => {
    const worth = {
      share: 2 + normal(),
      evidence: 1 + normal(),
      empty: -1 + normal(),
      literals: 1 + normal(),
    }
    return Array.from({ length: QUESTIONS }, (_, at): LabeledGroups => {
      const groups = Array.from({ length: 2 + Math.floor(random() * (MOST_RESULTS - 1)) }, (_, i) => ({
        key: `g${i}`,
        candidateIds: [`g${i}/1`],
        representativeId: `g${i}/1`,
        measures: {
          share: normal(),
          evidence: normal(),
          empty: Number(random() < 0.15),
          literals: normal(),
        },
      }))
      const utilities = groups.map(
        ({ measures }) =>
          Object.entries(worth).reduce(
            (sum, [name, weight]) => sum + weight * measures[name as keyof typeof measures],
            0,
          ) + normal(),
      )
      const best = groups[utilities.indexOf(Math.max(...utilities))]!
      const right = new Set(random() < 0.9 ? [best.key] : [])
      return { id: `d${number}/${at}`, database: `d${number}`, groups, right, weight: 1 }
    })
  }).flat()
}
