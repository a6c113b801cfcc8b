/**
 * Numbers from 0 up to 1 that depend on the seed alone: Marsaglia's xorshift over 32 bits, the seed spread out first so
 * that neighbouring seeds do not resemble each other.
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
