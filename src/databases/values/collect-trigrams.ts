import { letterCode, letterCodeCount } from './letter-code.ts'

/** How many different trigrams there can be. */
export const trigramCodes = letterCodeCount ** 3

/**
 * In which round each trigram was last seen: scratch memory that means nothing between two calls. It is a megabyte,
 * so all indexes share it.
 */
const seenIn = new Uint32Array(trigramCodes)
let round = 0

/**
 * Writes the different trigrams of a folded text into `into`, from `at`, and returns how many there were, at most
 * `room`. Every word is padded with one separator on each side, so that the order of words makes no difference.
 */
export const collectTrigrams = (folded: string, into: Uint32Array, at: number, room: number): number => {
  round = (round + 1) >>> 0
  if (round === 0) {
    seenIn.fill(0)
    round = 1
  }
  let count = 0
  let before = 0
  let last = 0
  for (let index = 0; index <= folded.length && count < room; index++) {
    const next = index < folded.length ? letterCode(folded.charCodeAt(index)) : 0
    // Around a separator there is nothing but padding.
    if (last !== 0) {
      const trigram = (before << 12) | (last << 6) | next
      if (seenIn[trigram] !== round) {
        seenIn[trigram] = round
        into[at + count] = trigram
        count += 1
      }
    }
    before = last
    last = next
  }
  return count
}
