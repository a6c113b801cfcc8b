import type { FixInput } from '../../../src/core/draft.ts'

const LONGEST_SQL = 600
const LONGEST_MESSAGE = 200

/** What was tried before, one line a statement and one a message (AgentNLQ's compression of a history into facts). */
export const describeHistory = (history: FixInput['history']): string =>
  history.length === 0
    ? 'Nothing yet.'
    : history
        .map(
          ({ sql, message }, at) =>
            `${at + 1}. ${short(sql, LONGEST_SQL)}\n   ${short(message, LONGEST_MESSAGE)}`,
        )
        .join('\n')

const short = (text: string, longest: number): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest)}…` : line
}
