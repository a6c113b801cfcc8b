/** The number of letter codes; a trigram of codes fits into 18 bits. */
const letterCodeCount = 64

/** The number of possible trigrams. */
const trigramCodes = letterCodeCount ** 3

/** Common trigrams with a fourth letter are hashed to this many codes. */
const longerBits = 20

/** The number of codes of trigrams, and of common ones with a fourth letter, which come behind. */
export const gramCodes = trigramCodes + 2 ** longerBits

/**
 * The round in which each trigram was last seen: scratch memory with no meaning between two calls. It takes five
 * megabytes, so all indexes share it.
 */
const seenIn = new Uint32Array(gramCodes)

let round = 0

/** By trigram: 1 if so many texts hold it that it is told apart by a fourth letter. */
export type CommonTrigrams = Uint8Array

/** Small indexes have none. */
const noCommonTrigrams: CommonTrigrams = new Uint8Array(trigramCodes)

/** Makes the table of common trigrams from their list. */
export const makeCommonTrigrams = (trigrams: Uint32Array): CommonTrigrams => {
  if (trigrams.length === 0) return noCommonTrigrams
  const common = new Uint8Array(trigramCodes)
  for (const trigram of trigrams) common[trigram] = 1
  return common
}

/**
 * Writes the distinct trigrams of a folded text into `into`, starting at `at`, and returns how many there were, at
 * most `room`. Every word is padded with a separator on each side, so that word order makes no difference. A common
 * trigram is told apart by the letter behind it; at the end of a word, by the letter before it.
 */
export const collectTrigrams = (
  folded: string,
  into: Uint32Array,
  at: number,
  room: number,
  common: CommonTrigrams,
): number => {
  round = (round + 1) >>> 0
  if (round === 0) {
    seenIn.fill(0)
    round = 1
  }
  let count = 0
  let third = 0
  let before = 0
  let last = 0
  let next = folded.length > 0 ? letterCode(folded.charCodeAt(0)) : 0
  for (let index = 0; index <= folded.length && count < room; index++) {
    const behind = index + 1 < folded.length ? letterCode(folded.charCodeAt(index + 1)) : 0
    // There is only padding around a separator.
    if (last !== 0) {
      const trigram = (before << 12) | (last << 6) | next
      const isCommon = common[trigram] === 1
      const gram = isCommon ? longerGram(trigram, next === 0 ? third : behind) : trigram
      // The end of a word with the letter before it is what the gram before said already.
      const isSaid = isCommon && next === 0 && common[(third << 12) | (before << 6) | last] === 1
      if (!isSaid && seenIn[gram] !== round) {
        seenIn[gram] = round
        into[at + count] = gram
        count += 1
      }
    }
    third = before
    before = last
    last = next
    next = behind
  }
  return count
}

/** More trigrams than this say nothing more about a text, and long texts would fill the lists. */
export const maxTrigramsPerText = 128

/** With more texts than this, a lookup cannot read the lists of common trigrams in a few milliseconds. */
const manyTexts = 2_000_000

/** So many texts say how common a trigram is. */
const sampledTexts = 65_536

/** A trigram that a larger share of the texts holds is common. */
const commonShare = 0.004

/**
 * The trigrams, sorted, that too many of a large index's texts hold; none in others. Grams are as long as it takes to
 * tell texts apart: Cho and Rajagopalan, "A Fast Regular Expression Indexing Engine" (2002), section 3.
 */
export const findCommonTrigrams = (
  count: number,
  foldedAt: (text: number) => string,
  most = manyTexts,
): Uint32Array => {
  if (count <= most) return new Uint32Array(0)
  const holders = new Uint32Array(trigramCodes)
  const found = new Uint32Array(maxTrigramsPerText)
  for (let sample = 0; sample < sampledTexts; sample++) {
    const text = Math.floor((sample / sampledTexts) * count)
    const held = collectTrigrams(foldedAt(text), found, 0, maxTrigramsPerText, noCommonTrigrams)
    for (let at = 0; at < held; at++) holders[found[at]!]! += 1
  }
  const few = sampledTexts * commonShare
  return Uint32Array.from([...holders.keys()].filter(trigram => holders[trigram]! > few))
}

/** Two of them may share a code, which costs an occasional needless comparison but never a match. */
const longerGram = (trigram: number, letter: number): number =>
  trigramCodes + (Math.imul(trigram * letterCodeCount + letter, 0x9e3779b1) >>> (32 - longerBits))

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
  trigrams: Uint32Array,
  options: {
    readonly texts: number
    readonly holdersOf: (trigram: number) => number
    readonly total: number
  },
): readonly WeightedTrigram[] => {
  const rarities: { trigram: number; rarity: number }[] = []
  let sum = 0
  for (const trigram of trigrams) {
    const holders = options.holdersOf(trigram)
    if (holders <= 0) continue
    const rarity = Math.log1p(options.texts / holders)
    rarities.push({ trigram, rarity })
    sum += rarity
  }
  return rarities
    .sort((a, b) => b.rarity - a.rarity || a.trigram - b.trigram)
    .map(({ trigram, rarity }) => ({
      trigram,
      weight: Math.max(1, Math.floor((rarity / sum) * options.total)),
    }))
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
