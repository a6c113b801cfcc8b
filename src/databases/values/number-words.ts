const ones = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'
const teens = 'sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'

const small = new Map<string, number>([
  ...`${ones} ${teens}`.split(' ').map((word, value) => [word, value] as const),
  ...tens.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
])
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1_000_000],
])

/**
 * Writes numbers that stand in English words as digits: `forty two` gives `42`, `three hundred and five` gives `305`.
 * Words that do not make one number together (`twenty twenty`) stay.
 */
export const numberWordsToDigits = (words: readonly string[]): readonly string[] => {
  if (!words.some(word => small.has(word))) return words
  const written: string[] = []
  for (let at = 0; at < words.length; ) {
    const number = readNumberWords(words, at)
    if (number === null) written.push(words[at++]!)
    else {
      written.push(String(number.value))
      at = number.end
    }
  }
  return written
}

const readNumberWords = (words: readonly string[], start: number): { value: number; end: number } | null => {
  if (!small.has(words[start]!)) return null
  let whole = 0
  let part = 0
  let room = 100
  let at = start
  for (; at < words.length; at++) {
    const word = words[at]!
    const value = small.get(word)
    const scale = scales.get(word)
    if (value !== undefined) {
      // Only a smaller number goes on with the one before it: `forty two`, but not `two forty`.
      if (value >= room) break
      part += value
      room = value >= 20 ? 10 : 0
    } else if (scale === 100 && part > 0 && part < 10) {
      part *= 100
      room = 100
    } else if (scale !== undefined && scale > 100 && part > 0) {
      whole += part * scale
      part = 0
      room = 100
    } else if (!(word === 'and' && room === 100 && at > start && isSmall(words[at + 1]))) break
  }
  return { value: whole + part, end: at }
}

const isSmall = (word: string | undefined): boolean => word !== undefined && small.has(word)
