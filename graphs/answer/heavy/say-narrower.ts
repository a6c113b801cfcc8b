const ASKS =
  /^(?:how|what|which|who|whose|when|where|why|is|are|was|were|do|does|did|has|have|can|could|will)\b/i

/**
 * A question with the words of a narrower one at its end, as somebody would write it: a question ends in its sign, and what
 * somebody is told to do ends in none.
 */
export const formatNarrowerQuestion = (question: string, words: string): string => {
  const said = question.trim()
  const plain = said.replace(/[\s.?!]+$/, '')
  const isAsked = said.endsWith('?') || ASKS.test(plain)
  return `${plain}${words.startsWith(',') ? '' : ' '}${words}${isAsked ? '?' : ''}`
}
