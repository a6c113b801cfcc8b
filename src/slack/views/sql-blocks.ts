import type { SlackBlock } from '../block-schema.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { splitText } from './split-text.ts'

/** A section takes 3,000 characters, of which the fence needs a few. */
const SQL_PER_BLOCK = 2_900

/** SQL spread over as many blocks as it takes, never cut: what ran must be readable whole. */
export const sqlBlocks = (sql: string): SlackBlock[] => {
  const shown = sql.replaceAll('```', "'''")
  return splitText(shown, SQL_PER_BLOCK, escapeMrkdwn).map(
    (piece): SlackBlock => ({
      type: 'section',
      text: { type: 'mrkdwn', verbatim: true, text: `\`\`\`${escapeMrkdwn(piece)}\`\`\`` },
    }),
  )
}
