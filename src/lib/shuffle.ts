import { makeRandom } from './make-random.ts'

/** A copy of the items in an order that depends on the seed alone (Fisher and Yates). */
export const shuffle = <Item>(items: readonly Item[], seed: number): Item[] => {
  const random = makeRandom(seed)
  const shuffled = [...items]
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const item = shuffled[last]!
    shuffled[last] = shuffled[other]!
    shuffled[other] = item
  }
  return shuffled
}
