/** Longest text that is quoted. */
const LONGEST = 240

const MOST_SENTENCES = 2

/**
 * A text of a model as words that nothing can happen with wherever they are shown: no links, addresses, mentions, markup
 * or control characters, and no more than two sentences. Null if nothing is left. A model reads values and comments that
 * anyone may have written, so its words may be somebody else's.
 */
export const toInertText = (text: string): string | null => {
  const plain = text
    .normalize('NFKC')
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    // Markdown links keep their words; what is between angle brackets is markup of Slack or HTML.
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^>]*>?/g, ' ')
    .replace(
      /\b[a-z][a-z0-9+.-]*:\/\/\S*[^\s.,;!?]|\b(?:mailto|tel|javascript|data|www\.)[:.]?\S*\.\S+|\S+@\S+\.\S+/gi,
      ' ',
    )
    // Clients make links of anything that looks like a host, and `shop.orders` does.
    .replace(/(?<=[\p{L}\p{N}]{2})\.(?=\p{L}[\p{L}\p{N}_-])/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\u2028\u2029]+/gu, ' ')
    .replace(/[*~`|\\{}[\]()<>#@&]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, ' ')
    .replace(/:[a-z0-9_+-]+:/gi, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,;:!?])/g, '$1')
    .replace(/^[\s.,;:!?>-]+/, '')
    .trim()
  const sentences = plain.match(/.+?(?:[.!?]+(?=\s|$)|$)/g) ?? []
  const told = sentences.slice(0, MOST_SENTENCES).join('').trim()
  const short = told.length > LONGEST ? `${told.slice(0, LONGEST - 1).trimEnd()}…` : told
  return /[\p{L}\p{N}]/u.test(short) ? short : null
}

/** Letters and marks of scripts that are written joined: there a joiner or non-joiner changes what is seen. */
const joined =
  '[[\\p{L}\\p{M}]&&[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}\\p{scx=Mymr}]]'

/** Characters without a shape of their own, where they change what is seen: within words of those scripts, and in emoji. */
const needed = [
  `(?<=${joined})[\\u200c\\u200d](?=${joined})`,
  '(?<=\\p{ExtPict}\\ufe0f?\\p{EMod}?)\\u200d(?=\\p{ExtPict})',
  '(?<=\\p{ExtPict})[\\ufe0e\\ufe0f]',
  '(?<=[#*0-9])\\ufe0f(?=\\u20e3)',
].join('|')

/** Signs of numbers and verses, which are called format characters but are seen. */
const seen = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}'

const invisible = new RegExp(`(?!${needed})[[\\p{Cc}\\p{Cf}\\p{DI}]--[\\t\\n\\r${seen}]]`, 'gv')

/**
 * A text without what a reader does not see but a model reads: tag characters, marks of direction, zero-width characters,
 * fillers, stray selectors, and controls other than tabs and line ends. Emoji and words that need a joiner keep it. For
 * what is shown or sent to a model, never for what is compared with a database.
 */
export const withoutInvisible = (text: string): string => text.replace(invisible, '')

/**
 * The same for every string in a value of JSON; what is under the names in `kept` stays as it is. A dash stands for a text
 * of which nothing is left, because Slack refuses empty ones.
 */
export const withoutInvisibleIn = <Value>(value: Value, kept: ReadonlySet<string> = new Set()): Value => {
  const clean = (part: unknown): unknown => {
    if (typeof part === 'string') return withoutInvisible(part) || (part && '–')
    if (Array.isArray(part)) return part.map(clean)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(
      Object.entries(part).map(([name, inner]) => [name, kept.has(name) ? inner : clean(inner)]),
    )
  }
  return clean(value) as Value
}
