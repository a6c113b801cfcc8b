import type { SqlToken } from './sql-tokens.ts'

/**
 * Writes `NOT a LIKE b` as `a NOT LIKE b`, which is the same and as long. polyglot's grammar gives up on the first form
 * and keeps it as raw text, in which no table or column could be seen. `text` is the statement with its
 * comments blanked, `tokens` are its tokens.
 */
export const rewriteNotLike = (text: string, tokens: readonly SqlToken[]): string => {
  let lifted = text
  // From the end, so that whatever stands inside an operand has moved before the operand itself does.
  for (const [at, not] of [...tokens.entries()].reverse()) {
    if (not.kind !== 'word' || not.value !== 'not') continue
    const after = operandEnd(tokens, at + 1)
    const [last, like] = [tokens[after - 1], tokens[after]]
    if (after === at + 1 || last === undefined || like?.kind !== 'word' || like.value !== 'like') continue
    const operand = lifted.slice(not.end, last.end).trim()
    const room = like.start - not.start
    // Without a space on both sides the text would grow, and every later position be wrong.
    if (`${operand} NOT `.length > room) continue
    lifted = lifted.slice(0, not.start) + `${operand} NOT `.padEnd(room) + lifted.slice(like.start)
  }
  return lifted
}

/** Index after the operand that begins at `at`: a name with its qualifiers, a call, or something in brackets. */
const operandEnd = (tokens: readonly SqlToken[], at: number): number => {
  let end = at
  while (isName(tokens[end])) {
    end += 1
    if (tokens[end]?.text !== '.') break
    end += 1
  }
  if (tokens[end]?.text !== '(') return end
  for (let depth = 0; end < tokens.length; end += 1) {
    if (tokens[end]?.text === '(') depth += 1
    if (tokens[end]?.text === ')') depth -= 1
    if (depth === 0) return end + 1
  }
  return end
}

const isName = (token: SqlToken | undefined): boolean => token?.kind === 'word' || token?.kind === 'quoted'
