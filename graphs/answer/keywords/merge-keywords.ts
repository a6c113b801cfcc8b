import type { Keyword } from '../../../src/core/keyword.ts'

/** Each text once, as the first that brought it, unless a later one weighs more. */
export const mergeKeywords = (keywords: readonly Keyword[]): readonly Keyword[] => {
  const merged = new Map<string, Keyword>()
  for (const keyword of keywords) {
    const known = merged.get(keyword.text)
    if (!known || keyword.weight > known.weight) merged.set(keyword.text, keyword)
  }
  return [...merged.values()]
}
