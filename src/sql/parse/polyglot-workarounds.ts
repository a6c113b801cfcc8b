import type { PolyglotToken } from './polyglot-parser.ts'
import type { SqlToken } from './sql-tokens.ts'
import { mapTree, nodeOf, type TreeNode } from './sql-tree.ts'

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

/**
 * Writes `a // b` as `a /  b`, which is as long and binds as strongly: polyglot does not know the operator. The
 * divisions of the tree become `divide` after that. Null where that would be wrong: beside a plain division nobody
 * could tell which is which.
 */
export const rewriteDoubleSlash = (text: string, tokens: readonly SqlToken[]): string | null => {
  let single = text
  let plain = 0
  for (const [at, { text: sign, start, end }] of tokens.entries()) {
    if (sign !== '/') continue
    const [before, after] = [tokens[at - 1], tokens[at + 1]]
    if (after?.text === '/' && after.start === end)
      single = `${single.slice(0, after.start)} ${single.slice(after.end)}`
    else if (before?.text !== '/' || before.end !== start) plain += 1
  }
  return single === text || plain > 0 ? null : single
}

/** The same tree with `divide(a, b)` in place of `a / b`. */
export const divideWithoutFraction = (statement: TreeNode): TreeNode =>
  mapTree(statement, asDivide) as TreeNode

const asDivide = (node: TreeNode): TreeNode | undefined => {
  const division = Object.keys(node).length === 1 ? nodeOf(node.div) : null
  if (division === null) return undefined
  const args = [division.left, division.right].map(part => mapTree(part, asDivide))
  return { function: { name: 'divide', args, distinct: false } }
}

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
export const codePointOffsets = (text: string): readonly number[] | null => {
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
