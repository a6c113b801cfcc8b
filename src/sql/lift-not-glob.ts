import type { SqlToken } from './sql-tokens.ts'

/**
 * Writes `a NOT GLOB b` as `NOT a GLOB b`, which is the same and as long: polyglot knows GLOB, but not its negation.
 * Only where it is plain what the left side is: a name, a call or something in brackets, at the beginning of a
 * condition. `text` is the statement with its comments blanked, `tokens` are its tokens.
 */
export const rewriteNotGlob = (text: string, tokens: readonly SqlToken[]): string => {
  let lifted = text
  for (const [at, not] of tokens.entries()) {
    if (not.value !== 'not' || tokens[at + 1]?.value !== 'glob' || not.kind !== 'word') continue
    const begin = operandStart(tokens, at)
    const first = tokens[begin]
    if (begin === at || first === undefined || !beforeCondition.has(tokens[begin - 1]?.value ?? '')) continue
    lifted = `${lifted.slice(0, first.start)}NOT ${lifted.slice(first.start, not.start)}${lifted.slice(not.end + 1)}`
  }
  return lifted
}

/** What a condition may begin after; after an operator the left side would be more than its last name. */
const beforeCondition = new Set('where and or not on having when then else case select filter ( ,'.split(' '))

/** Index of the first token of the operand that ends before `end`; `end` itself where there is none. */
const operandStart = (tokens: readonly SqlToken[], end: number): number => {
  let start = end
  if (tokens[start - 1]?.text === ')') {
    start -= 1
    for (let depth = 1; depth > 0 && start > 0; ) {
      start -= 1
      if (tokens[start]?.text === ')') depth += 1
      if (tokens[start]?.text === '(') depth -= 1
    }
    if (!isNameToken(tokens[start - 1]) || beforeCondition.has(tokens[start - 1]?.value ?? '')) return start
  }
  while (isNameToken(tokens[start - 1])) {
    start -= 1
    if (tokens[start - 1]?.text !== '.') break
    start -= 1
  }
  return start
}

const isNameToken = (token: SqlToken | undefined): boolean =>
  token?.kind === 'word' || token?.kind === 'quoted'
