const ones =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`.split(/\s+/)

const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']

const units = [
  ...[...ones.entries()].map(([value, word]) => [word, value] as const),
  ...[...tens.entries()]
    .filter(([, word]) => word !== '')
    .map(([value, word]) => [word, value * 10] as const),
]

const small: ReadonlyMap<string, number> = new Map(units)

const ordinals: ReadonlyMap<string, number> = new Map([
  ...units.map(([word, value]) => [`${word.replace(/y$/, 'ie')}th`, value] as const),
  ['first', 1],
  ['second', 2],
  ['third', 3],
  ['fifth', 5],
  ['eighth', 8],
  ['ninth', 9],
  ['twelfth', 12],
])

const scales: ReadonlyMap<string, number> = new Map([
  ['thousand', 1e3],
  ['k', 1e3],
  ['million', 1e6],
  ['m', 1e6],
  ['billion', 1e9],
  ['bn', 1e9],
])

/**
 * The number a text writes in digits (`1,000`, `2.5k`, `3rd`), in English words (`twenty-five`, `two hundred and ten`,
 * `third`) or both (`3 million`). Null for anything else, including a number among words.
 */
export const parseNumber = (text: string): number | null => {
  const words =
    text.toLowerCase().match(/\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\p{L}+|[^\s\p{L}\d-]/gu) ?? []
  let total = 0
  let part: number | null = null
  let last = 0
  for (const [index, word] of words.entries()) {
    const isLast = index === words.length - 1
    const digits = /^\d/.test(word) ? Number(word.replaceAll(',', '')) : undefined
    const unit = digits ?? small.get(word) ?? (isLast ? ordinals.get(word) : undefined)
    if (unit !== undefined) {
      // After `twenty` comes at most `nine`; two numbers side by side are two numbers.
      if (last !== 0 && !(last >= 20 && last <= 90 && unit < 10) && last !== 100) return null
      part = (part ?? 0) + unit
      last = unit === 0 ? Number.NaN : unit
    } else if (word === 'hundred' && part !== null && part < 100) {
      part *= 100
      last = 100
    } else if (scales.has(word) && part !== null) {
      total += part * (scales.get(word) ?? 1)
      part = null
      last = 0
      if (isLast) return total
    } else if (word === 'and' && last === 100 && !isLast) {
    } else if (isLast && digits === undefined && /^(?:st|nd|rd|th)$/.test(word) && words.length === 2) {
      return part
    } else {
      return null
    }
  }
  return part === null ? null : total + part
}
