import type { QuestionMentions } from './read-question.ts'

/** Words of the question by what they name: `C` a column, `T` a table, `V` a value; all others by their stem. */
export const maskWords = ({ words, columns, tables }: QuestionMentions): readonly string[] => {
  const marks = words.map(({ isValue }): string => (isValue ? 'V' : ''))
  // A table's own word wins over a column's: `singer` is the table although there is a `singer_id`.
  for (const [mentions, mark] of [
    [columns, 'C'],
    [tables, 'T'],
  ] as const)
    for (const mention of mentions)
      if (mention !== null && mention.share === 1)
        for (let at = mention.at; at < mention.at + mention.length; at++)
          if (marks[at] !== 'V') marks[at] = mark
  const masked: string[] = []
  for (const [at, { stem }] of words.entries()) {
    const mark = marks[at] || stem
    if (mark.length > 1 || mark === ',' || mark !== masked.at(-1)) masked.push(mark)
  }
  return masked
}

/**
 * What is telling in a question, as names of features: runs of one to three words, names and values masked, and how
 * many of these there are. Each once.
 */
export const questionCues = (reading: QuestionMentions): readonly string[] => {
  const masked = ['^', ...maskWords(reading), '$']
  const cues = new Set<string>()
  for (let at = 0; at < masked.length; at++)
    for (let length = 1; length <= MOST_WORDS && at + length <= masked.length; length++)
      cues.add(masked.slice(at, at + length).join(' '))
  for (const { stem, isValue } of reading.words) if (!isValue) cues.add(stem)
  cues.delete('^')
  cues.delete('$')
  const count = (mark: string): number => Math.min(4, masked.filter(word => word === mark).length)
  for (const mark of ['C', 'T', 'V']) cues.add(`#${mark}=${count(mark)}`)
  cues.add(`#tables=${Math.min(4, reading.tables.filter(mention => mention?.share === 1).length)}`)
  return [...cues]
}

const MOST_WORDS = 3
