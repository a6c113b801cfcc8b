/** A number as a sentence shows it. `value` is without its sign. */
export interface ShownFigure {
  readonly at: number
  readonly value: number
  /** What its last shown digit counts: 1 for 412, 0.1 for 3.4, 1,000 for 388k. */
  readonly step: number
  /** How many digits are shown, without leading zeros. */
  readonly digits: number
  /** `%`, a currency sign, a unit of time, or nothing. */
  readonly unit: string
  readonly isNegative: boolean
}

/** A moment as far as a sentence says it: the month alone, a quarter of a year, a day and its time. */
export interface ShownDate {
  readonly at: number
  readonly year?: number
  readonly quarter?: number
  readonly month?: number
  readonly day?: number
  readonly weekday?: number
  readonly time?: string
}

/** What a sentence says in digits. */
interface ShownNumbers {
  readonly figures: readonly ShownFigure[]
  readonly dates: readonly ShownDate[]
  /** Digits are left that are neither, such as `3x`, or digits of another script. */
  readonly hasOthers: boolean
}

/** Reads the numbers and dates of a sentence as `format-figure.ts` and people write them. */
export const readNumbers = (sentence: string): ShownNumbers => {
  let left = sentence.replace(/[\u00a0\u202f]/g, ' ')
  const dates: ShownDate[] = []
  const figures: ShownFigure[] = []
  const take = (pattern: RegExp, read: (match: RegExpMatchArray) => boolean): void => {
    left = left.replace(pattern, (...parts) => {
      const groups = parts.slice(0, -2) as unknown as RegExpMatchArray
      groups.index = parts.at(-2) as number
      return read(groups) ? ' '.repeat(groups[0]?.length ?? 0) : (groups[0] ?? '')
    })
  }
  for (const [pattern, read] of datePatterns)
    take(pattern, match => {
      dates.push(...read(match).map(date => ({ ...date, at: match.index ?? 0 })))
      return true
    })
  take(numberPattern, match => {
    const figure = readFigure(match)
    figures.push(figure)
    return true
  })
  return { figures, dates, hasOthers: /[\p{Nd}\p{No}\p{Nl}]/u.test(left) }
}

const monthNames =
  'Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?'

const monthOf = (name = ''): number =>
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'].indexOf(
    name.slice(0, 3).toLowerCase(),
  ) + 1

const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

type DateParts = Omit<ShownDate, 'at'>

/** The parts that are there. */
const dateOf = (
  parts: Readonly<Record<'year' | 'quarter' | 'month' | 'day', string | number | undefined>>,
  time?: string,
): DateParts => ({
  ...Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => (part === undefined ? [] : [[name, Number(part)]])),
  ),
  ...(time === undefined ? {} : { time }),
})

const none = { year: undefined, quarter: undefined, month: undefined, day: undefined }

/** The ways to write a moment, the longest first. What one has read, the next does not see. */
const datePatterns: readonly (readonly [RegExp, (match: RegExpMatchArray) => readonly DateParts[]])[] = [
  [
    /(?<!\d)(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?!\d)/g,
    ([, year, month, day, time]) => [dateOf({ ...none, year, month, day }, time)],
  ],
  [
    new RegExp(
      `\\b(${monthNames})\\.? (\\d{1,2})(?:st|nd|rd|th)?(?:(?: to | ?[–-] ?)(\\d{1,2}))?(?:,? (\\d{4}))?(?:,? (\\d{1,2}:\\d{2}))?(?![\\d%]|[.,]\\d)\\b`,
      'g',
    ),
    ([, name, first, last, year, time]) =>
      [first, ...(last === undefined ? [] : [last])].map(day =>
        dateOf({ ...none, year, month: monthOf(name), day }, time),
      ),
  ],
  [
    new RegExp(`(?<![\\d.,])(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(${monthNames})\\b(?: (\\d{4})\\b)?`, 'g'),
    ([, day, name, year]) => [dateOf({ ...none, year, month: monthOf(name), day })],
  ],
  [
    new RegExp(`\\b(${monthNames})\\.?,? (\\d{4})\\b`, 'g'),
    ([, name, year]) => [dateOf({ ...none, year, month: monthOf(name) })],
  ],
  [/\bQ([1-4])\b(?:,? (\d{4})\b)?/gi, ([, quarter, year]) => [dateOf({ ...none, year, quarter })]],
  [new RegExp(`\\b(${monthNames})\\b`, 'g'), ([, name]) => [dateOf({ ...none, month: monthOf(name) })]],
  [
    // Written small, two of the months are also other words.
    /\b(january|february|april|june|july|august|september|october|november|december)\b/gi,
    ([, name]) => [dateOf({ ...none, month: monthOf(name) })],
  ],
  [
    new RegExp(`\\b(${weekdayNames.join('|')})\\b`, 'gi'),
    ([, name = '']) => [{ weekday: weekdayNames.indexOf(name.toLowerCase()) + 1 }],
  ],
  [/(?<![\d:])(\d{1,2}:\d{2})(?![\d:])/g, ([, time]) => [dateOf(none, time)]],
  [
    // A bare year and a bare count look the same, so what stands around it decides.
    /(?<=\b(?:in|In|since|Since|during|During|until|through|year) )((?:19|20)\d{2})(?![\d%]|[.,]\d)\b|(?<=\b(?:of|for|For|from|From|to|by|and|after|before|than) )((?:19|20)\d{2})\b(?=$|[.,;:·)]+(?:\s|$)| (?:to|and|so|·)\b| ·)/g,
    ([, year, other]) => [dateOf({ ...none, year: year ?? other })],
  ],
]

const numberPattern =
  /(?<![\p{L}\p{N}.,])([-−+]?)((?:[A-Z]{1,3})?[$€£¥₹₩₽]|[A-Z]{3} (?=\d))?([-−]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?( ?%| percent\b)?( ?(?:k|K|M|bn|B)\b| (?:thousand|million|billion)\b)?( (?:euros?|dollars?|pounds?|days?|hours?|h|minutes?|min|seconds?|s)\b)?(?![\p{L}\p{N}]|[.,]\d)/gu

const multipliers: Readonly<Record<string, number>> = {
  ...{ k: 1e3, thousand: 1e3, m: 1e6, million: 1e6, b: 1e9, bn: 1e9, billion: 1e9 },
}

const unitWords: Readonly<Record<string, string>> = {
  ...{ euro: '€', euros: '€', dollar: '$', dollars: '$', pound: '£', pounds: '£' },
  ...{ day: 'days', hour: 'h', hours: 'h', minute: 'min', minutes: 'min', second: 's', seconds: 's' },
}

const readFigure = (match: RegExpMatchArray): ShownFigure => {
  const [, sign = '', symbol = '', inner = '', whole = '', decimals = '', percent, scale = '', word = ''] =
    match
  const times = multipliers[scale.trim().toLowerCase()] ?? 1
  const unit = unitWords[word.trim()] ?? word.trim()
  return {
    at: match.index ?? 0,
    value: Number(`${whole.replaceAll(',', '')}${decimals}`) * times,
    step: 10 ** -Math.max(0, decimals.length - 1) * times,
    digits: `${whole.replaceAll(',', '')}${decimals.slice(1)}`.replace(/^0+/, '').length,
    unit: percent === undefined ? symbol.trim() || unit : '%',
    isNegative: /[-−]/.test(sign + inner),
  }
}
