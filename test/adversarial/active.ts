/** Where the attacks of the corpus lead to, or whom they call. */
const targets = /evil\.example|U0VICTIM1|C0VICTIM1|S0ANALYSTS|slack:\/\/|javascript:|tel:\+/i

/** Parts of a payload that Slack would make clickable or that would call somebody, and that an attacker wrote. */
export const activeParts = (payload: unknown): readonly string[] => {
  const found: string[] = []
  const visit = (value: unknown, key: string): void => {
    if (Array.isArray(value)) {
      for (const item of value) visit(item, key)
      return
    }
    if (typeof value !== 'object' || value === null) return
    const node = value as Readonly<Record<string, unknown>>
    const { type } = node
    if (type === 'mrkdwn' && typeof node.text === 'string')
      found.push(...activeMrkdwn(node.text, node.verbatim === true))
    if (type === 'markdown' && typeof node.text === 'string') found.push(...activeMarkdown(node.text))
    if (
      ['link', 'user', 'usergroup', 'channel', 'broadcast', 'date'].includes(String(type)) &&
      'elements' in node === false
    ) {
      const text = JSON.stringify(node)
      if (type === 'broadcast' || targets.test(text)) found.push(`an element: ${text}`)
    }
    for (const name of ['url', 'image_url', 'thumb_url'])
      if (typeof node[name] === 'string' && targets.test(node[name])) found.push(`${name}: ${node[name]}`)
    for (const [name, inner] of Object.entries(node)) visit(inner, name)
  }
  visit(payload, '')
  return found
}

/** Slack's own markup stands between angle brackets, which are escaped in text of others; addresses by themselves become links unless the text is verbatim. */
export const activeMrkdwn = (text: string, verbatim: boolean): readonly string[] => [
  ...[...text.matchAll(/<([^>\n]+)>?/g)]
    .filter(([, inside = '']) => inside.startsWith('!') || targets.test(inside))
    .map(([whole]) => `mrkdwn: ${whole}`),
  ...(verbatim
    ? []
    : [...text.matchAll(/(?:https?:\/\/|mailto:)\S+/gi)]
        .filter(([found]) => targets.test(found))
        .map(([found]) => `an address: ${found}`)),
]

const activeMarkdown = (text: string): readonly string[] => [
  ...activeMrkdwn(text, false),
  ...[...text.matchAll(/!?(?<!\\)\[[^\]]*\]\([^)]*\)/g)]
    .filter(([found]) => targets.test(found))
    .map(([found]) => `markdown: ${found}`),
]

/** What a program that shows Markdown would make of a text: links and images with a target of the attacker. */
export const activeInMcp = (text: string): readonly string[] =>
  [
    ...text
      .replaceAll(/```[\s\S]*?```/g, '')
      .matchAll(/(?<!\\)!?\[[^\]]*(?<!\\)\]\([^)]*\)|(?<!\\)<(?:img|a)\b[^>]*>|(?<!\\)<https?:[^>]*>/gi),
  ]
    .filter(([found]) => targets.test(found))
    .map(([found]) => `markdown: ${found}`)
