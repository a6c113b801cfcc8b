import type { Dialect } from '../../../src/domain/sql.ts'
import type { QueryScope } from '../../../src/sql/analyze/query-scope.ts'
import { sqlScopes } from '../../../src/sql/analyze/sql-scopes.ts'
import { parseSql } from '../../../src/sql/parse/parse-sql.ts'
import type { SqlToken } from '../../../src/sql/parse/sql-tokens.ts'

/** Where a clause stands: [from, to) among the statement's tokens, its own key word included. */
export interface ClauseRange {
  readonly from: number
  readonly to: number
}

export type ClauseName = 'select' | 'from' | 'where' | 'group' | 'having' | 'window' | 'order' | 'limit'

/**
 * One SELECT as it stands in the text. Trees do not tell which token a name of theirs is, tokens do not tell what a
 * name stands for; a block has both for one SELECT, so that a change stays within it.
 */
export interface SelectBlock {
  readonly parent: SelectBlock | null
  /** [from, to) among the statement's tokens, SELECTs inside it included. */
  readonly from: number
  readonly to: number
  /** Places of the tokens that are this SELECT's own, not of one inside it. */
  readonly own: readonly number[]
  readonly clauses: Readonly<Partial<Record<ClauseName, ClauseRange>>>
  /** One side of a UNION or its like: an ORDER BY or LIMIT at its end is not its own. */
  readonly isPartOfSet: boolean
  /** What it names, read by itself: a CTE passes for a table here. Null without a FROM. */
  readonly scope: QueryScope | null
}

interface Open {
  readonly from: number
  readonly depth: number
  readonly clauses: Partial<Record<ClauseName, ClauseRange>>
  clause: ClauseName
  clauseFrom: number
  isPartOfSet: boolean
}

const clauseWords: ReadonlyMap<string, ClauseName> = new Map([
  ['from', 'from'],
  ['where', 'where'],
  ['group', 'group'],
  ['having', 'having'],
  ['window', 'window'],
  ['order', 'order'],
  ['limit', 'limit'],
  ['offset', 'limit'],
  ['fetch', 'limit'],
])

const setWords = new Set(['union', 'intersect', 'except', 'minus'])

/** Every SELECT of a text in the order in which they begin. Works on tokens alone, so also on what does not parse. */
export const selectBlocks = (
  sql: string,
  tokens: readonly SqlToken[],
  dialect: Dialect,
): readonly SelectBlock[] => {
  const found: Omit<SelectBlock, 'parent' | 'own' | 'scope'>[] = []
  const open: Open[] = []
  let depth = 0
  let followsSet = false

  const close = (to: number, isPartOfSet: boolean): void => {
    const block = open.pop()
    if (!block) return
    block.clauses[block.clause] = { from: block.clauseFrom, to }
    found.push({
      from: block.from,
      to,
      clauses: block.clauses,
      isPartOfSet: block.isPartOfSet || isPartOfSet,
    })
  }

  tokens.forEach((token, at) => {
    const block = open.at(-1)
    const isOwn = block !== undefined && block.depth === depth
    if (token.text === '(') depth += 1
    else if (token.text === ')') {
      if (isOwn) close(at, false)
      depth -= 1
    } else if (token.text === ';') {
      if (isOwn) close(at, false)
    } else if (token.kind === 'word' && isOwn && setWords.has(token.value)) {
      close(at, true)
      followsSet = true
    } else if (token.kind === 'word' && token.value === 'select' && tokens[at - 1]?.text !== '.') {
      if (isOwn) close(at, false)
      open.push({ from: at, depth, clauses: {}, clause: 'select', clauseFrom: at, isPartOfSet: followsSet })
      followsSet = false
    } else if (token.kind === 'word' && isOwn) {
      const clause = clauseAt(tokens, at)
      if (clause === null || clause === block.clause || block.clauses[clause]) return
      block.clauses[block.clause] = { from: block.clauseFrom, to: at }
      block.clause = clause
      block.clauseFrom = at
    }
  })
  while (open.length > 0) close(tokens.length, false)
  return nest(found, sql, tokens, dialect)
}

const clauseAt = (tokens: readonly SqlToken[], at: number): ClauseName | null => {
  const { value } = tokens[at] as SqlToken
  const before = tokens[at - 1]
  const next = tokens[at + 1]
  const clause = clauseWords.get(value)
  if (clause === undefined || before?.text === '.' || next?.text === '.') return null
  // `a IS DISTINCT FROM b` has no FROM clause.
  if (value === 'from' && before?.value === 'distinct') return null
  if ((value === 'group' || value === 'order') && next?.value !== 'by') return null
  return clause
}

const nest = (
  found: readonly Omit<SelectBlock, 'parent' | 'own' | 'scope'>[],
  sql: string,
  tokens: readonly SqlToken[],
  dialect: Dialect,
): readonly SelectBlock[] => {
  const sorted = [...found].sort((a, b) => a.from - b.from)
  const blocks: SelectBlock[] = []
  for (const block of sorted) {
    const inner = sorted.filter(other => other.from > block.from && other.to <= block.to)
    const own: number[] = []
    for (let at = block.from; at < block.to; at++) {
      if (!inner.some(({ from, to }) => from <= at && at < to)) own.push(at)
    }
    blocks.push({
      ...block,
      parent: blocks.findLast(outer => outer.from < block.from && block.to <= outer.to) ?? null,
      own,
      scope: block.clauses.from ? scopeOf(textOf(block, sql, tokens), dialect) : null,
    })
  }
  return blocks
}

const textOf = ({ from, to }: ClauseRange, sql: string, tokens: readonly SqlToken[]): string =>
  sql.slice(tokens[from]?.start ?? 0, tokens[to - 1]?.end ?? 0)

const scopeOf = (text: string, dialect: Dialect): QueryScope | null => {
  const parsed = parseSql(text, dialect)
  // The first with a source is the outermost: a statement's own scope has none, and inner ones follow.
  return parsed.ok ? (sqlScopes(parsed.tree).find(scope => scope.sources.length > 0) ?? null) : null
}
