/** Words that carry no value of a database by themselves. A span may contain them, but not consist of them. */
const FUNCTION_WORDS = new Set(
  `a an the of in on at by for from to with and or not no is are was were be been do does did has have had how what
  which who whom whose when where why many much there their its it that this these those all any each every me my
  show list give find tell get display return count number total average than more less most least`.split(
    /\s+/,
  ),
)

const LONGEST_SPAN = 5

/**
 * Keywords of a question without any model: what stands in quotes first, then every span of up to five words
 * that neither begins nor ends with a function word, longest first.
 */
export const extractKeywords = (text: string): string[] => {
  const quoted = [
    ...text.matchAll(/"([^"]+)"|“([^”]+)”|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu),
  ].flatMap(match => match[1] ?? match[2] ?? match[3] ?? [])
  const words = text
    .split(/[\s,;:!?()"“”]+/u)
    .map(trimPunctuation)
    .filter(Boolean)
  const spans: string[] = []
  for (let length = Math.min(LONGEST_SPAN, words.length); length > 0; length--) {
    for (let start = 0; start + length <= words.length; start++) {
      const span = words.slice(start, start + length)
      if (!isFunctionWord(span[0]) && !isFunctionWord(span.at(-1))) spans.push(span.join(' '))
    }
  }
  return [...new Set([...quoted, ...spans])]
}

const trimPunctuation = (word: string): string => word.replace(/^['.]+|['.]+$/g, '')

const isFunctionWord = (word: string | undefined): boolean =>
  word === undefined || FUNCTION_WORDS.has(word.toLowerCase())
