/** Small pieces of Markdown that the pages of the reference share. */

/** The first lines of every page that is made from the code. */
export const pageStart = (title: string, about: string): readonly string[] => [
  `# ${title}`,
  '',
  '<!-- Made from the code by `npm run docs:reference`. Change the code, then run it again. -->',
  '',
  about,
]

/** A table; a `|` in a cell stays a character. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => [
  row(head),
  `|${'---|'.repeat(head.length)}`,
  ...rows.map(cells => row(cells.map(cell => cell.replaceAll('|', '\\|')))),
]

const row = (cells: readonly string[]): string =>
  `|${cells.map(cell => (cell ? ` ${cell} |` : ' |')).join('')}`

/** The text with a period at the end. */
export const asSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

/** Text of the command line in Markdown: `<name>` must not become an element. */
export const asText = (text: string): string => text.replaceAll('<', '&lt;')

/** Pages of `docs/` that a text of the code names become links from a page of the reference. */
export const linkPages = (text: string): string =>
  text.replace(/\bdocs\/([a-z-]+\.md)\b/g, (_, page) => `[${page}](../${page})`)
