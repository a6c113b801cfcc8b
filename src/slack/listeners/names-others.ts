/** Whether a text names people, and not us: then it is said to them. Slack writes a mention as `<@U012AB3CD>`. */
export const mentionsOthers = (text: string, botUserId: string): boolean => {
  const named = [...text.matchAll(/<@([A-Z0-9]+)(?:\|[^>]*)?>/g)].map(([, id]) => id)
  return named.length > 0 && !named.includes(botUserId)
}
