import type { AdminFacts, SchemaDescription, VerifiedDescription } from '../../domain/home.ts'
import { contextBlock, plainReply, sectionBlock } from '../block-kit/blocks.ts'
import type { SlackMessage } from '../block-kit/message.ts'
import { escapeMrkdwn, fallbackText, truncateText } from '../block-kit/text.ts'
import { adminSummary } from './home-admin.ts'

const commandHelp = [
  ['ask QUESTION', 'asks it here, in your name; the answer comes in the thread'],
  ['schema', 'the tables that can be asked about here'],
  ['schema TABLE', 'the columns of one of them'],
  ['verified', 'questions that are answered from queries somebody stands for'],
  ['digest WHEN: QUESTION', 'asks it here, and again and again from then on: `every monday at 9: …`'],
  ['digest list', 'what is asked for you again and again; `digest help` has more'],
  ['admin', 'how I do, for admins'],
  ['help', 'this'],
] as const

/** What the command can do; for words that it does not know, with what may have been meant. */
export const commandHelpView = (typed: string | null): SlackMessage => {
  const list = commandHelp.map(([word, what]) => `\`/querent ${word}\`  ${what}`).join('\n')
  const shown = typed === null ? '' : escapeMrkdwn(truncateText(typed, 300))
  const unknown =
    typed === null
      ? []
      : [
          sectionBlock(
            `I do not know “${shown}”. If it is a question: \`/querent ask ${shown.replaceAll('`', "'")}\``,
          ),
        ]
  return {
    text: fallbackText('What /querent can do: ask, schema, verified, digest, admin, help.'),
    blocks: [...unknown, sectionBlock(`*What I can do*\n${list}`)],
  }
}

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

const MOST_QUERIES = 20

const LONGEST_QUERY_QUESTION = 130

/** The questions that a place answers from queries that somebody stands for. */
export const verifiedView = (verified: VerifiedDescription): SlackMessage => {
  switch (verified.status) {
    case 'not-allowed':
      return plainReply(verified.reason, verified.nextStep)
    case 'verified': {
      const { database, questions } = verified
      if (questions.length === 0) {
        return plainReply(
          `No question about ${database} has a verified query yet.`,
          'Whoever finds an answer right can propose it: “Save as verified” in the menu of the answer.',
        )
      }
      const lines = questions
        .slice(0, MOST_QUERIES)
        .map(question => `• ${escapeMrkdwn(truncateText(question, LONGEST_QUERY_QUESTION))}`)
      const more = questions.length - lines.length
      return {
        text: fallbackText(`Verified queries of ${database}: ${questions.length}`),
        blocks: [
          sectionBlock(`*Verified queries of ${escapeMrkdwn(database)}*\n${lines.join('\n')}`),
          ...(more > 0 ? [contextBlock(`and ${more} more`)] : []),
          contextBlock('Questions like these are answered from them.'),
        ],
      }
    }
    default: {
      const never: never = verified
      return never
    }
  }
}

/** How the bot does, for an admin. What there is to decide is in App Home. */
export const adminView = (facts: AdminFacts): SlackMessage => ({
  text: fallbackText('How Querent does'),
  blocks: [
    sectionBlock(adminSummary(facts)),
    contextBlock('My Home tab has what there is to decide: rules, stale queries, failures, indexes.'),
  ],
})

/** For everybody else. */
export const notAdminView: SlackMessage = plainReply(
  'This is for admins.',
  'Who is one stands in querent.yml, under `slack.admins`.',
)
