/** The text of a message without the mention of us at its start, or anywhere else in it. */
export const stripMention = (text: string, botUserId: string): string =>
  text
    .replaceAll(`<@${botUserId}>`, ' ')
    .replace(new RegExp(`<@${botUserId}\\|[^>]*>`, 'g'), ' ')
    // Slack escapes what people type; a question is about the characters, not about the escapes.
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
