/**
 * Numbers from 0 up to 1 that depend only on the seed: Marsaglia's 32-bit xorshift, with the seed mixed first so that
 * neighboring seeds give unrelated sequences.
 */
export const makeRandom = (seed: number): (() => number) => {
  let state = Math.imul((seed ^ 0x9e3779b9) >>> 0, 0x85ebca6b) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

/** Shuffles a copy of the items by seed (Fisher and Yates). */
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
