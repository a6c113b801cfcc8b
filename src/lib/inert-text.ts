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
