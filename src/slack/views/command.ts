import type { AdminFacts, SchemaDescription, VerifiedDescription } from '../../domain/home.ts'
import { contextBlock, plainReply, type SlackMessage, sectionBlock } from '../block-kit/blocks.ts'
import { escapeMrkdwn, escapeSentence, fallbackText, truncateText } from '../block-kit/text.ts'
import {
  adminTexts,
  commandHelpSummary,
  commandHelpText,
  schemaTexts,
  unknownCommand,
  verifiedTexts,
} from '../copy/help.ts'
import { andMore, formatCount } from '../copy/phrases.ts'
import { adminSummary } from './home-admin.ts'

/** What the command can do; after words that it does not know, with what may have been meant. */
export const commandHelpView = (typed: string | null): SlackMessage => {
  const shown = typed === null ? '' : escapeMrkdwn(truncateText(typed, 300))
  return {
    text: fallbackText(commandHelpSummary),
    blocks: [
      ...(typed === null ? [] : [sectionBlock(unknownCommand(shown, shown.replaceAll('`', "'")))]),
      sectionBlock(commandHelpText),
    ],
  }
}

const MOST_TABLES = 40

const MOST_COLUMNS = 60

const LONGEST_COMMENT = 80

const MOST_NEAREST = 10

/** More lines of a list would not fit into one block. */
const MOST_LINES = 15

/** The tables that can be asked about in a channel, or one of them with its columns. Never any values. */
export const schemaView = (schema: SchemaDescription): SlackMessage => {
  switch (schema.status) {
    case 'not-allowed':
      return plainReply(schema)
    case 'no-such-table':
      return plainReply({
        reason: schemaTexts.noSuchTable(truncateText(schema.table, 200), schema.database),
        nextStep:
          schema.tables.length === 0
            ? schemaTexts.noTables
            : schemaTexts.similarTables(nearestNames(schema.table, schema.tables)),
      })
    case 'tables':
      return listView(
        schemaTexts.tablesTitle(schema.database),
        schema.tables.map(({ name, rows, comment }) =>
          tableLine(name, rows === null ? '' : formatCount(rows, 'row'), comment),
        ),
        MOST_TABLES,
        schemaTexts.tablesNote,
      )
    case 'table': {
      const { name, rows, comment, columns, database } = schema
      const about = [rows === null ? null : formatCount(rows, 'row'), comment]
        .filter(part => part !== null)
        .join('  ·  ')
      return listView(
        schemaTexts.tableTitle(name, database),
        columns.map(({ name, type, masked, comment }) =>
          tableLine(name, masked ? schemaTexts.maskedColumn(type) : type, comment),
        ),
        MOST_COLUMNS,
        about === '' ? null : escapeSentence(truncateText(about, 500)),
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
        `*${escapeSentence(truncateText(title, 200))}*${lines.length === 0 ? `\n${schemaTexts.nothing}` : ''}`,
      ),
      ...parts.map(part => sectionBlock(part.join('\n'))),
      ...(more > 0 ? [contextBlock(andMore(more))] : []),
      ...(note === null ? [] : [contextBlock(note)]),
    ],
  }
}

const tableLine = (name: string, detail: string, comment: string | null): string => {
  const about =
    comment === null ? '' : `  ${escapeSentence(truncateText(comment.replace(/\s+/g, ' '), LONGEST_COMMENT))}`
  return `• \`${escapeSentence(truncateText(name, 60))}\`${detail === '' ? '' : `  ${escapeSentence(truncateText(detail, 40))}`}${about}`
}

/** Those that share the longest beginning with what was typed come first. */
const nearestNames = (typed: string, tables: readonly string[]): readonly string[] => {
  const shared = (name: string): number => {
    let length = 0
    while (length < typed.length && name[length]?.toLowerCase() === typed[length]?.toLowerCase()) length += 1
    return length
  }
  return [...tables].sort((a, b) => shared(b) - shared(a)).slice(0, MOST_NEAREST)
}

const MOST_QUERIES = 20

const LONGEST_QUERY_QUESTION = 130

/** The questions that are answered from verified queries in a channel. */
export const verifiedView = (verified: VerifiedDescription): SlackMessage => {
  switch (verified.status) {
    case 'not-allowed':
      return plainReply(verified)
    case 'verified': {
      const { database, questions } = verified
      if (questions.length === 0) return plainReply(verifiedTexts.none(database))
      const lines = questions
        .slice(0, MOST_QUERIES)
        .map(question => `• ${escapeSentence(truncateText(question, LONGEST_QUERY_QUESTION))}`)
      const more = questions.length - lines.length
      return {
        text: fallbackText(verifiedTexts.summary(database, questions.length)),
        blocks: [
          sectionBlock(`*${verifiedTexts.title(escapeSentence(database))}*\n${lines.join('\n')}`),
          ...(more > 0 ? [contextBlock(andMore(more))] : []),
          contextBlock(verifiedTexts.note),
        ],
      }
    }
    default: {
      const never: never = verified
      return never
    }
  }
}

/** How the bot is doing, for an admin. What needs a decision is in App Home. */
export const adminView = (facts: AdminFacts): SlackMessage => ({
  text: fallbackText(adminTexts.summary),
  blocks: [sectionBlock(adminSummary(facts)), contextBlock(adminTexts.note)],
})

/** For everyone else. */
export const notAdminView: SlackMessage = plainReply(adminTexts.notAdmin)
