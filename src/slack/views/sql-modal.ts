import { callbackIds } from '../action-ids.ts'
import { plainContextBlock, sectionBlock } from '../block-kit/blocks.ts'
import { type Modal, readingModal } from '../block-kit/modal.ts'
import type { SlackBlock } from '../block-kit/schema.ts'
import { escapeMrkdwn } from '../block-kit/text.ts'
import { sqlModalTitle } from '../copy/answer-actions.ts'

/** The SQL behind an answer. */
export const sqlModal = (answer: { readonly sql: string; readonly assumptions: readonly string[] }): Modal =>
  readingModal(callbackIds.showSql, sqlModalTitle, [
    ...sqlBlocks(answer.sql),
    ...answer.assumptions
      .slice(0, 10)
      .map(assumption => plainContextBlock(assumption.slice(0, 2_000) || '–')),
  ])

/** A section takes 3,000 characters, of which the fence needs a few. */
const SQL_PER_BLOCK = 2_900

/** SQL spread over as many blocks as it takes, never cut: what ran must be readable whole. */
export const sqlBlocks = (sql: string): SlackBlock[] => {
  const shown = sql.replaceAll('```', "'''")
  return splitText(shown, SQL_PER_BLOCK, escapeMrkdwn).map(piece =>
    sectionBlock(`\`\`\`${escapeMrkdwn(piece)}\`\`\``),
  )
}

/**
 * Cuts text into pieces of at most `most` characters as they are `shown`, after the last line break of a piece if it has
 * one. Joined, the pieces are the text again. Never splits a surrogate pair.
 */
export const splitText = (
  text: string,
  most: number,
  shown: (piece: string) => string = piece => piece,
): string[] => {
  const pieces: string[] = []
  let rest = text
  while (shown(rest).length > most) {
    const fits = fitting(rest, most, shown)
    const lineEnd = rest.lastIndexOf('\n', fits - 1) + 1
    const splitsPair = /[\uD800-\uDBFF]/.test(rest[fits - 1] ?? '')
    const end = lineEnd > 0 ? lineEnd : splitsPair && fits > 1 ? fits - 1 : fits
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end)
  }
  return [...pieces, rest]
}

/** How many characters from the beginning fit, one at least. */
const fitting = (text: string, most: number, shown: (piece: string) => string): number => {
  let [fits, tooMany] = [1, Math.min(text.length, most) + 1]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1
    if (shown(text.slice(0, middle)).length <= most) fits = middle
    else tooMany = middle
  }
  return fits
}
