import type { SchemaDescription } from '../../core/home.ts'
import type { SlackMessage } from '../check-message.ts'
import { truncateText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { fallbackText } from '../fallback-text.ts'
import { plainReply } from './plain-reply.ts'
import { contextBlock, sectionBlock } from './say-block.ts'

const MOST_TABLES = 40
const MOST_COLUMNS = 60
const LONGEST_COMMENT = 80
const MOST_NEAREST = 10
/** Lines of a list in one block: more would not fit. */
const MOST_LINES = 15

/** The tables that a place can ask about, or one of them with its columns. No values of any. */
export const schemaView = (schema: SchemaDescription): SlackMessage => {
  switch (schema.status) {
    case 'not-allowed':
      return plainReply(schema.reason, schema.nextStep)
    case 'no-such-table':
      return plainReply(
        `There is no table ${truncateText(schema.table, 200)} in ${schema.database}.`,
        schema.tables.length === 0
          ? 'It has no tables that may be asked about.'
          : `There are, for instance: ${nearest(schema.table, schema.tables).join(', ')}`,
      )
    case 'tables':
      return listView(
        `Tables of ${schema.database}`,
        schema.tables.map(({ name, rows, comment }) =>
          tableLine(name, rows === null ? '' : formatRowCount(rows), comment),
        ),
        MOST_TABLES,
        '`/querent schema TABLE` shows the columns of one.',
      )
    case 'table': {
      const { name, rows, comment, columns, database } = schema
      const about = [rows === null ? null : formatRowCount(rows), comment]
        .filter(part => part !== null)
        .join('  ·  ')
      return listView(
        `${name} of ${database}`,
        columns.map(column =>
          tableLine(
            column.name,
            `${column.type}${column.masked ? ', values are hidden' : ''}`,
            column.comment,
          ),
        ),
        MOST_COLUMNS,
        about === '' ? null : escapeMrkdwn(truncateText(about, 500)),
      )
    }
    default: {
      const never: never = schema
      return never
    }
  }
}

const listView = (
  title: string,
  lines: readonly string[],
  most: number,
  note: string | null,
): SlackMessage => {
  const shown = lines.slice(0, most)
  const more = lines.length - shown.length
  const parts = Array.from({ length: Math.ceil(shown.length / MOST_LINES) }, (_, i) =>
    shown.slice(i * MOST_LINES, (i + 1) * MOST_LINES),
  )
  return {
    text: fallbackText(title),
    blocks: [
      sectionBlock(
        `*${escapeMrkdwn(truncateText(title, 200))}*${lines.length === 0 ? '\nNothing that may be asked about.' : ''}`,
      ),
      ...parts.map(part => sectionBlock(part.join('\n'))),
      ...(more > 0 ? [contextBlock(`and ${more} more`)] : []),
      ...(note === null ? [] : [contextBlock(note)]),
    ],
  }
}

const tableLine = (name: string, detail: string, comment: string | null): string => {
  const said =
    comment === null ? '' : `  ${escapeMrkdwn(truncateText(comment.replace(/\s+/g, ' '), LONGEST_COMMENT))}`
  return `• \`${escapeMrkdwn(truncateText(name, 60))}\`${detail === '' ? '' : `  ${escapeMrkdwn(truncateText(detail, 40))}`}${said}`
}

const formatRowCount = (rows: number): string =>
  `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`

/** Those that share a beginning with what was typed, then the rest. */
const nearest = (typed: string, tables: readonly string[]): readonly string[] => {
  const shared = (name: string): number => {
    let length = 0
    while (length < typed.length && name[length]?.toLowerCase() === typed[length]?.toLowerCase()) length += 1
    return length
  }
  return [...tables].sort((a, b) => shared(b) - shared(a)).slice(0, MOST_NEAREST)
}
