import type { DescribedSchema } from '../../core/home.ts'
import type { SlackMessage } from '../check-message.ts'
import { cutText } from '../cut-text.ts'
import { escapeMrkdwn } from '../escape-mrkdwn.ts'
import { fallbackText } from '../fallback-text.ts'
import { plainReply } from './plain-reply.ts'
import { sayBlock, smallPrint } from './say-block.ts'

const TABLES = 40
const COLUMNS = 60
const LONGEST_COMMENT = 80
const NEAREST = 10
/** Lines of a list in one block: more would not fit. */
const LINES = 15

/** The tables that a place can ask about, or one of them with its columns. No values of any. */
export const schemaView = (schema: DescribedSchema): SlackMessage => {
  switch (schema.status) {
    case 'not-allowed':
      return plainReply(schema.reason, schema.nextStep)
    case 'no-such-table':
      return plainReply(
        `There is no table ${cutText(schema.table, 200)} in ${schema.database}.`,
        schema.tables.length === 0
          ? 'It has no tables that may be asked about.'
          : `There are, for instance: ${nearest(schema.table, schema.tables).join(', ')}`,
      )
    case 'tables':
      return listView(
        `Tables of ${schema.database}`,
        schema.tables.map(({ name, rows, comment }) =>
          line(name, rows === null ? '' : rowsOf(rows), comment),
        ),
        TABLES,
        '`/querent schema TABLE` shows the columns of one.',
      )
    case 'table': {
      const { name, rows, comment, columns, database } = schema
      const about = [rows === null ? null : rowsOf(rows), comment].filter(part => part !== null).join('  ·  ')
      return listView(
        `${name} of ${database}`,
        columns.map(column =>
          line(column.name, `${column.type}${column.masked ? ', values are hidden' : ''}`, column.comment),
        ),
        COLUMNS,
        about === '' ? null : escapeMrkdwn(cutText(about, 500)),
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
  const parts = Array.from({ length: Math.ceil(shown.length / LINES) }, (_, i) =>
    shown.slice(i * LINES, (i + 1) * LINES),
  )
  return {
    text: fallbackText(title),
    blocks: [
      sayBlock(
        `*${escapeMrkdwn(cutText(title, 200))}*${lines.length === 0 ? '\nNothing that may be asked about.' : ''}`,
      ),
      ...parts.map(part => sayBlock(part.join('\n'))),
      ...(more > 0 ? [smallPrint(`and ${more} more`)] : []),
      ...(note === null ? [] : [smallPrint(note)]),
    ],
  }
}

const line = (name: string, detail: string, comment: string | null): string => {
  const said =
    comment === null ? '' : `  ${escapeMrkdwn(cutText(comment.replace(/\s+/g, ' '), LONGEST_COMMENT))}`
  return `• \`${escapeMrkdwn(cutText(name, 60))}\`${detail === '' ? '' : `  ${escapeMrkdwn(cutText(detail, 40))}`}${said}`
}

const rowsOf = (rows: number): string => `${rows.toLocaleString('en-US')} ${rows === 1 ? 'row' : 'rows'}`

/** Those that share a beginning with what was typed, then the rest. */
const nearest = (typed: string, tables: readonly string[]): readonly string[] => {
  const shared = (name: string): number => {
    let length = 0
    while (length < typed.length && name[length]?.toLowerCase() === typed[length]?.toLowerCase()) length += 1
    return length
  }
  return [...tables].sort((a, b) => shared(b) - shared(a)).slice(0, NEAREST)
}
