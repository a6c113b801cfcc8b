import type { SlackLocation } from '../../domain/message.ts'
import { toOneLine } from '../../lib/format-cell.ts'
import { slackLimits } from './schema.ts'

/**
 * Text of a person, a model or a database for a mrkdwn field: Slack's three control characters are escaped, so that
 * nothing in it becomes a link, a mention or a channel.
 */
export const escapeMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * The same for text among our own words: on one line and without styles, so that a value cannot begin a line or a bold
 * sentence that reads as if the bot said it. Marks of styles and emoji become signs that look like them.
 */
export const escapeSentence = (text: string): string =>
  escapeMrkdwn(
    toOneLine(text)
      .replaceAll('*', '∗')
      .replaceAll('~', '∼')
      .replaceAll('`', 'ˋ')
      // Within a word an underscore styles nothing.
      .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, marks => 'ˍ'.repeat(marks.length))
      .replace(/:(?=(?:[a-z0-9_+'-]*[a-z+][a-z0-9_+'-]*|100|1234):)/g, '∶'),
  )

/** The same for text of several lines of our own. */
export const escapeLines = (text: string): string => text.split('\n').map(escapeSentence).join('\n')

/** Escapes text for a field of at most `most` characters. Cut before it is escaped, so that no escape is cut in two. */
export const escapeAndTruncate = (text: string, most: number, escaping = escapeMrkdwn): string => {
  let kept = text
  let escaped = escaping(kept)
  while (escaped.length > most) {
    kept = truncateText(kept, Math.max(1, kept.length - Math.max(1, Math.ceil((escaped.length - most) / 5))))
    escaped = escaping(kept)
  }
  return escaped
}

/** At most `most` characters, the last an ellipsis where text was cut. Never splits a surrogate pair. */
export const truncateText = (text: string, most: number): string => {
  if (text.length <= most) return text
  const end = most - 1
  const splitsPair = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`
}

/** The text beside the blocks, which notifications show: it is mrkdwn too, so it is escaped like every field. */
export const fallbackText = (text: string, escaping = escapeMrkdwn): string =>
  // Only blocks can say that addresses are no links.
  escapeAndTruncate(text.replaceAll('://', ':⁄⁄'), slackLimits.sectionText, escaping)

/** A person in mrkdwn: a mention where the id is Slack's, else the name as it is. */
export const mention = (person: string): string =>
  isSlackPerson(person) ? `<@${person}>` : escapeMrkdwn(person)

/** Slack's own form of a person's id; names at a terminal look otherwise. */
export const isSlackPerson = (name: string | null): name is string =>
  name !== null && /^[UW][A-Z0-9]{5,}$/.test(name)

/** A moment as Slack shows it: in the time zone of the reader. The text is for clients that cannot show dates. */
export const slackDate = (at: Date): string =>
  formatForOldClients(
    at,
    '{date_short_pretty} {time}',
    `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  )

/** The day alone. */
export const slackDay = (at: Date): string =>
  formatForOldClients(at, '{date_short_pretty}', `${at.toISOString().slice(0, 10)} UTC`)

const formatForOldClients = (at: Date, format: string, plain: string): string =>
  `<!date^${Math.floor(at.getTime() / 1000)}^${format}|${plain}>`

/** Text that leads to a thread; plain text where the address of the workspace is not known. The text is escaped here. */
export const threadLink = (workspaceUrl: string | null, place: SlackLocation, text: string): string => {
  // A bar would end the text of a link.
  const shown = escapeMrkdwn(text.replaceAll('|', '¦').replace(/\s+/g, ' '))
  if (workspaceUrl === null || !/^https?:\/\/[^\s|>]+\/$/.test(workspaceUrl)) return shown
  const message = place.thread.replace('.', '')
  return `<${workspaceUrl}archives/${encodeURIComponent(place.channel)}/p${encodeURIComponent(message)}|${shown}>`
}
