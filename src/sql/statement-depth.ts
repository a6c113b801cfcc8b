import type { SqlToken } from './sql-tokens.ts'

/** How deep a statement may nest. Real ones stay under 40; both parsers overflow their stack past about 900. */
export const maxStatementDepth = 300

/**
 * Estimates from the tokens alone how deep the tree will be: open brackets and CASEs, plus in each the chains
 * that lean to one side (`1+1+1`, `not not a`, `a or b or c`). Parsing what is too deep is not merely an error:
 * libpg-query leaks about 12 MB each time it runs out of stack, and hangs after some dozens (measured).
 */
export const statementDepth = (tokens: readonly SqlToken[]): number => {
  const levels: Level[] = [{ wide: 0, narrow: 0 }]
  let below = 0
  let deepest = 0
  for (const token of tokens) {
    const level = levels.at(-1) as Level
    const word = token.kind === 'word' || token.kind === 'symbol' ? token.value : ''
    if (openers.has(word)) {
      below += level.wide + level.narrow + 1
      levels.push({ wide: 0, narrow: 0 })
    } else if (closers.has(word) && levels.length > 1) {
      levels.pop()
      const outer = levels.at(-1) as Level
      below -= outer.wide + outer.narrow + 1
      // `a[1][1][1]` nests to the left.
      if (word === ']') outer.narrow += 1
    } else if (word === ',' || word === ';') {
      level.wide = 0
      level.narrow = 0
    } else if (wideChains.has(word)) {
      level.wide += 1
      level.narrow = 0
    } else if (narrowChains.has(word)) {
      level.narrow += 1
    }
    const here = levels.at(-1) as Level
    deepest = Math.max(deepest, below + here.wide + here.narrow)
  }
  return deepest
}

interface Level {
  wide: number
  narrow: number
}

const openers = new Set(['(', '[', '{', 'case'])
const closers = new Set([')', ']', '}', 'end'])
const wideChains = new Set(['and', 'or', 'xor', 'union', 'intersect', 'except', 'minus', 'join', 'when'])
const narrowChains = new Set(
  '+ - * / % || | & ^ ~ ! << >> < > = <> != <= >= == <=> -> ->> :: . # @ && ? not is in like ilike between collate div mod regexp rlike glob similar over at isnull notnull'.split(
    ' ',
  ),
)
