import type { ValueIndexData } from './value-index-data.ts'

/** The number of letter codes; a trigram of codes fits into 18 bits. */
const letterCodeCount = 64

/** The number of possible trigrams. */
export const trigramCodes = letterCodeCount ** 3

/**
 * The round in which each trigram was last seen: scratch memory with no meaning between two calls. It takes a
 * megabyte, so all indexes share it.
 */
const seenIn = new Uint32Array(trigramCodes)

let round = 0

/**
 * Writes the distinct trigrams of a folded text into `into`, starting at `at`, and returns how many there were, at
 * most `room`. Every word is padded with a separator on each side, so that word order makes no difference.
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
    // There is only padding around a separator.
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

/** A trigram of a keyword and what sharing it is worth. */
export interface WeightedTrigram {
  readonly trigram: number
  readonly weight: number
}

/**
 * Weights the trigrams of a keyword by rarity, log(1 + texts / texts that hold it), scaled to add up to `total`.
 * Trigrams that no text holds are dropped. Rarest first.
 */
export const weightTrigrams = (
  { blocks, textEnds, gone }: Pick<ValueIndexData, 'blocks' | 'textEnds' | 'gone'>,
  trigrams: Uint32Array,
  total: number,
): readonly WeightedTrigram[] => {
  const rarities: { trigram: number; rarity: number }[] = []
  let sum = 0
  for (const trigram of trigrams) {
    let holders = 0
    for (const block of blocks) {
      const list = findTrigram(block.trigrams, trigram)
      if (list >= 0) holders += block.starts[list + 1]! - block.starts[list]!
    }
    const lost = findTrigram(gone.trigrams, trigram)
    if (lost >= 0) holders -= gone.counts[lost]!
    if (holders === 0) continue
    const rarity = Math.log1p((textEnds.length - gone.texts) / holders)
    rarities.push({ trigram, rarity })
    sum += rarity
  }
  return rarities
    .sort((a, b) => b.rarity - a.rarity || a.trigram - b.trigram)
    .map(({ trigram, rarity }) => ({ trigram, weight: Math.max(1, Math.floor((rarity / sum) * total)) }))
}

/** The position of a trigram in a block's sorted list; -1 if no text of the block holds it. */
export const findTrigram = (sorted: Uint32Array, trigram: number): number => {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const here = sorted[middle]!
    if (here === trigram) return middle
    if (here < trigram) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Latin-1 symbols, general punctuation and the punctuation of Chinese and Japanese. */
const isForeignPunctuation = (unit: number): boolean =>
  unit < 0xc0 ||
  unit === 0xd7 ||
  unit === 0xf7 ||
  (unit >= 0x2000 && unit <= 0x206f) ||
  (unit >= 0x3000 && unit <= 0x303f)

const codeOf = (unit: number): number => {
  if (unit >= 97 && unit <= 122) return unit - 96
  if (unit >= 48 && unit <= 57) return unit - 21
  if (unit < 128 || isForeignPunctuation(unit)) return 0
  return 37 + (unit % 27)
}

const asciiCodes = Uint8Array.from({ length: 128 }, (_, unit) => codeOf(unit))

/**
 * The letter code of a UTF-16 unit of folded text: 0 for separators, 1 to 26 for a to z, 27 to 36 for digits, and one
 * of 27 more for all other letters. Two of those may share a code, which costs an occasional needless comparison but
 * never a match.
 */
export const letterCode = (unit: number): number => (unit < 128 ? asciiCodes[unit]! : codeOf(unit))
