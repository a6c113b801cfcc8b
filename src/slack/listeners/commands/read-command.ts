/** What stands behind `/querent`. `unknown` keeps what was typed: it may be a question. */
export type ParsedCommand =
  | { readonly word: 'help' | 'verified' | 'admin' }
  | { readonly word: 'ask'; readonly question: string }
  | { readonly word: 'schema'; readonly table: string | null }
  | { readonly word: 'digest'; readonly rest: string }
  | { readonly word: 'unknown'; readonly typed: string }

/** Reads it. Nothing at all asks for help; the case of the first word does not matter. */
export const parseCommand = (text: string): ParsedCommand => {
  const [, first = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(text.trim()) ?? []
  switch (first.toLowerCase()) {
    case '':
    case 'help':
      return { word: 'help' }
    case 'ask':
      return { word: 'ask', question: rest.replace(/\s+/g, ' ').trim() }
    case 'schema':
      return { word: 'schema', table: rest.trim() || null }
    case 'digest':
    case 'digests':
      return { word: 'digest', rest }
    case 'verified':
      return { word: 'verified' }
    case 'admin':
      return { word: 'admin' }
    default:
      return { word: 'unknown', typed: text.trim() }
  }
}
