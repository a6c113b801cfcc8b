/**
 * Text of a person, a model or a database for a mrkdwn field: Slack's three control characters are escaped, so that
 * nothing in it becomes a link, a mention or a channel (threat T5).
 */
export const escapeMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
