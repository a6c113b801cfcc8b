import type { ExampleQuery } from '../../../src/core/example-query.ts'

/** A question is a sentence or two, and a statement that is longer than this shows too little for its length. */
const LONGEST_QUESTION = 400
const LONGEST_SQL = 1_500
const MOST_CHARACTERS = 6_000

/**
 * Questions with their SQL, for a prompt: whole ones only, within a bound. Given the most telling first; they stand the
 * other way round, so that the most telling is nearest to the question.
 */
export const describeExamples = (examples: readonly ExampleQuery[]): string => {
  const lines: string[] = []
  let characters = 0
  for (const { question, sql } of examples) {
    if (question.length > LONGEST_QUESTION || sql.length > LONGEST_SQL) continue
    const text = `Question: ${question.replace(/\s+/g, ' ').trim()}\nSQL: ${sql.trim()}`
    characters += text.length
    if (characters > MOST_CHARACTERS) break
    lines.push(text)
  }
  return lines.length === 0 ? 'There are none.' : lines.reverse().join('\n\n')
}
