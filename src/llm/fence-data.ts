/**
 * Puts a text of somebody else's between tags, so that the prompt can say what is data (threat T4). The text cannot
 * close its own fence or open another: whatever reads as one of the prompt's tags loses its bracket. Cut to `limit`
 * characters.
 */
export const fenceData = (
  tag: string,
  value: string,
  options: { readonly tags: readonly string[]; readonly limit: number },
): string => {
  const names = options.tags.map(name => [...name].join(unseen)).join('|')
  const looksLikeTag = new RegExp(`<(?=(?:\\s|/|${isInvisible})*(?:${names}))`, 'gi')
  const safe = cut(value, options.limit).replace(controls, '').replace(looksLikeTag, '&lt;')
  return `<${tag}>\n${safe}\n</${tag}>`
}

/** Zero-width and direction characters split a tag for a comparison, but not for a model. They stay in the text. */
const isInvisible = '[\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff]'
const unseen = `${isInvisible}*`

/** Control characters but tab and line ends: nothing that people write. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

const cut = (value: string, limit: number): string =>
  value.length > limit ? `${value.slice(0, limit)}\n[cut here: too long]` : value
