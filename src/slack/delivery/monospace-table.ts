import type { SlackBlock } from '../block-schema.ts'
import { truncateText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { slackLimits } from '../limits.ts'

/** A wider cell is cut: lines that wrap are no table. */
const WIDEST_CELL = 24

/** A table as text in columns, in one section: as many rows as fit, and how many were left out, with where they are. */
export const monospaceTable = (
  table: Extract<SlackBlock, { readonly type: 'table' }>,
  { allAt }: { readonly allAt: 'csv' | null },
): SlackBlock => {
  // A fence in a cell would end the block.
  const rows = table.rows.map(row =>
    row.map(cell => truncateText(cell.text.replaceAll('`', "'").replace(/\s+/g, ' '), WIDEST_CELL)),
  )
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lines = rows.map(row =>
    escapeMrkdwn(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  )
  const fitting: string[] = []
  let left = slackLimits.sectionText - 100
  for (const line of lines) {
    left -= line.length + 1
    if (left < 0) break
    fitting.push(line)
  }
  const missing = lines.length - fitting.length
  const where = allAt === 'csv' ? `${missing} more rows are in the CSV.` : `${missing} more rows.`
  const rest = missing > 0 ? `\n${where}` : ''
  return {
    type: 'section',
    text: { type: 'mrkdwn', verbatim: true, text: `\`\`\`\n${fitting.join('\n')}\n\`\`\`${rest}` },
  }
}
