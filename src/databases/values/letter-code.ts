/** How many codes there are; a trigram of codes fits into 18 bits. */
export const letterCodeCount = 64

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
 * A UTF-16 unit of folded text as a number below 64: 0 for what separates words, 1 to 26 for a to z, 27 to 36 for
 * digits, and one of 27 more for every other letter. Two foreign letters may share a code: that costs a needless
 * comparison now and then, never a miss.
 */
export const letterCode = (unit: number): number => (unit < 128 ? asciiCodes[unit]! : codeOf(unit))
