import { truncateText } from './cut-text.ts'
import { escapeMrkdwn } from './escape-mrkdwn.ts'

/** Escapes text for a field of at most `most` characters. Cut before it is escaped, so that no escape is cut in two. */
export const escapeAndTruncate = (text: string, most: number): string => {
  let kept = text
  let escaped = escapeMrkdwn(kept)
  while (escaped.length > most) {
    kept = truncateText(kept, Math.max(1, kept.length - Math.max(1, Math.ceil((escaped.length - most) / 5))))
    escaped = escapeMrkdwn(kept)
  }
  return escaped
}
