import type { PolyglotToken } from './polyglot-parser.ts'
import type { SqlToken } from './sql-tokens.ts'

/**
 * Where polyglot's tokens and ours part, in UTF-16 units, or null when they agree: every string and quoted name
 * at the same place, and nothing but white space between polyglot's tokens. polyglot reads some text as one
 * string or as a comment that a server executes (`1--1` in MySQL, three quotes in a row), so a tree is only
 * trusted when both cuts are the same. `blanked` is the text that polyglot was given.
 */
export const findLexerMismatch = (
  blanked: string,
  ours: readonly SqlToken[],
  theirs: readonly PolyglotToken[],
): number | null => {
  const offsets = codePointOffsets(blanked)
  const at = (codePoint: number): number =>
    offsets === null ? codePoint : (offsets[codePoint] ?? blanked.length)
  const spans = new Set<string>()
  let done = 0
  for (const token of theirs) {
    const start = at(token.start)
    const gap = blanked.slice(done, start)
    if (/\S/.test(gap)) return done + gap.search(/\S/)
    done = at(token.end)
    spans.add(`${start}-${done}`)
  }
  const rest = blanked.slice(done).search(/[^\s;]/)
  if (rest >= 0) return done + rest
  const odd = ours.find(
    token =>
      (token.kind === 'string' || token.kind === 'quoted') && !spans.has(`${token.start}-${token.end}`),
  )
  return odd?.start ?? null
}

/** UTF-16 offset of every code point; null when the two are the same throughout. */
const codePointOffsets = (text: string): readonly number[] | null => {
  if (!/[\u{10000}-\u{10ffff}]/u.test(text)) return null
  const offsets: number[] = []
  let at = 0
  for (const char of text) {
    offsets.push(at)
    at += char.length
  }
  offsets.push(at)
  return offsets
}
