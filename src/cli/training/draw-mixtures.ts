import type { PoolQuestion } from '../../evaluation/execute-pools.ts'
import { mixPools } from '../../evaluation/mix-pools.ts'
import { seededRandom } from '../../evaluation/seeded-random.ts'

/** Sources with their questions, the same questions in each. */
export type PoolSources = ReadonlyMap<string, readonly PoolQuestion[]>

/** How many sources of each kind a mixture has; one of these at random. */
const mixtureSizes = [
  { samples: [1, 2, 3], systems: [0] },
  { samples: [0], systems: [4, 6, 8, 11, 15, 20, 25] },
  { samples: [1, 2], systems: [2, 4, 8] },
]

/** Times that each question is drawn for each kind. */
const DRAWS = 3

/**
 * Every question again in mixtures of sources that nobody named: a hundred systems give far more pools than there are
 * names for, and a selector that has seen many kinds of pools trusts the vote as far as it deserves in each.
 */
export const sampleMixtures = (
  samples: PoolSources,
  systems: PoolSources,
  { seed }: { readonly seed: number },
): readonly PoolQuestion[] => {
  const random = seededRandom(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const draw = (sources: PoolSources, count: number): readonly string[] => {
    const left = [...sources.keys()]
    return Array.from({ length: Math.min(count, left.length) }, () =>
      left.splice(Math.floor(random() * left.length), 1),
    ).flat()
  }
  const all = new Map([...samples, ...systems])
  const byId = new Map(
    [...all].map(([name, questions]) => [name, new Map(questions.map(question => [question.id, question]))]),
  )
  const ids = new Set([...all.values()].flatMap(questions => questions.map(({ id }) => id)))
  return mixtureSizes.flatMap(kind =>
    Array.from({ length: DRAWS }, () =>
      [...ids].flatMap(id => {
        const names = [...draw(samples, pick(kind.samples)), ...draw(systems, pick(kind.systems))]
        const [first, ...others] = names.flatMap(name => byId.get(name)?.get(id) ?? [])
        return first === undefined ? [] : [mixPools([first, ...others])]
      }),
    ).flat(),
  )
}
