import type { Guard, GuardedSql } from '../../domain/sql.ts'
import { dialectNamed } from '../../sql/dialects.ts'
import type { SqlToken } from '../../sql/parse/sql-tokens.ts'
import { nodeOf, type SqlTree, type TreeNode, type TreeValue, textOf } from '../../sql/parse/sql-tree.ts'
import { treeOfGuarded } from './guarded-tree.ts'

/** The same statement, limited to a number of rows. */
export type LimitRows = (guarded: GuardedSql, rows: number) => GuardedSql

/**
 * Finds the limit of the outermost query in the tree, and changes only that place in the text. A smaller limit stays.
 * The result passes the guard again, and its tree must have the new limit; if that is impossible (`VALUES` in SQLite,
 * `LIMIT 5 + 5` in DuckDB), the statement stays as it is and the connector stops reading at its cap.
 */
export const makeLimitRows = (guard: Guard): LimitRows => {
  // A statement is limited to estimate it, and again to run it.
  const limitedBefore = new WeakMap<GuardedSql, { readonly rows: number; readonly limited: GuardedSql }>()
  return (guarded, rows) => {
    const before = limitedBefore.get(guarded)
    if (before?.rows === rows) return before.limited
    const limited = limit(guarded, rows, guard)
    limitedBefore.set(guarded, { rows, limited })
    return limited
  }
}

const limit = (guarded: GuardedSql, rows: number, guard: Guard): GuardedSql => {
  const tree = treeOfGuarded(guarded)
  if (tree === null) return guarded
  for (const limited of waysToLimit(tree, outermostLimit(tree), rows)) {
    const verdict = guard(limited, guarded.dialect)
    if (verdict.verdict === 'allow' && hasLimit(verdict.guarded, rows)) return verdict.guarded
  }
  return guarded
}

const hasLimit = (guarded: GuardedSql, rows: number): boolean => {
  const tree = treeOfGuarded(guarded)
  const limit = tree === null ? null : outermostLimit(tree)
  return limit?.kind === 'number' && limit.rows === rows
}

const waysToLimit = (tree: SqlTree, limit: OutermostLimit, rows: number): readonly string[] => {
  const tokens = withoutSemicolons(tree.tokens)
  const last = tokens.at(-1)
  if (last === undefined) return []
  const rules = dialectNamed(tree.dialect).guard
  const body = tree.sql.slice(0, last.end)
  const rest = tree.sql.slice(last.end)
  switch (limit.kind) {
    case 'none':
      return rules.limitClause === 'TOP' ? withTop(tree, rows) : [`${body}\nLIMIT ${rows}${rest}`]
    case 'number':
      return limit.rows <= rows ? [] : withLowerLimit(tree, limit, rows)
    case 'other':
      return rules.subqueryKeepsOrder ? [`SELECT * FROM (\n${body}\n) AS limited LIMIT ${rows}`] : []
    default: {
      const never: never = limit
      return never
    }
  }
}

const withoutSemicolons = (tokens: readonly SqlToken[]): readonly SqlToken[] =>
  tokens.slice(0, tokens.findLastIndex(token => token.text !== ';') + 1)

/** `SELECT DISTINCT TOP (n) ...`, unless there is an OFFSET, which excludes TOP. */
const withTop = ({ sql, tokens }: SqlTree, rows: number): readonly string[] => {
  const open = outermost(tokens)
  const select = open.findIndex(token => token.value === 'select')
  const offset = open.some(token => token.value === 'offset')
  const head = open[select + 1]?.value === 'distinct' ? open[select + 1] : open[select]
  return select < 0 || offset || head === undefined
    ? []
    : [`${sql.slice(0, head.end)} TOP (${rows})${sql.slice(head.end)}`]
}

/**
 * Replaces the number. Postgres's tree has its position; other parsers have none, so it is searched after the words
 * that may precede it, from the end, and the new tree shows whether it was the right one.
 */
const withLowerLimit = (
  { sql, tokens }: SqlTree,
  limit: Extract<OutermostLimit, { kind: 'number' }>,
  rows: number,
): readonly string[] =>
  tokens
    .flatMap((token, at) => {
      const before = tokens[at - 1]?.value ?? ''
      const isIt =
        limit.position === null
          ? /^(?:limit|,|first|next|top|\()$/.test(before)
          : token.start === limit.position
      return isIt && token.kind === 'number' && Number(token.text.replaceAll('_', '')) === limit.rows
        ? [token]
        : []
    })
    .reverse()
    .map(token => `${sql.slice(0, token.start)}${rows}${sql.slice(token.end)}`)

/** The tokens outside of brackets. */
const outermost = (tokens: readonly SqlToken[]): readonly SqlToken[] => {
  let depth = 0
  return tokens.filter(({ text }) => {
    if (text === ')') depth -= 1
    const isOpen = depth === 0
    if (text === '(') depth += 1
    return isOpen
  })
}

/**
 * The limit of the outermost query. `position` of its number in the text is in UTF-16 units; null if the parser has
 * none. `other` is anything but a plain number: an expression, a percentage, WITH TIES.
 */
type OutermostLimit =
  | { readonly kind: 'none' }
  | { readonly kind: 'number'; readonly rows: number; readonly position: number | null }
  | { readonly kind: 'other' }

/** Reads the limit from the tree of one statement. */
const outermostLimit = (tree: SqlTree): OutermostLimit => {
  const root = tree.statements[0]
  if (root === undefined) return { kind: 'other' }
  return tree.parser === 'libpg-query'
    ? postgresLimit(nodeOf(root.SelectStmt), tree.sql)
    : polyglotLimit(root)
}

const postgresLimit = (select: TreeNode | null, sql: string): OutermostLimit => {
  if (select === null) return { kind: 'other' }
  if (select.limitCount === undefined) return { kind: 'none' }
  const constant = nodeOf(nodeOf(select.limitCount)?.A_Const)
  const whole = nodeOf(constant?.ival)
  if (whole === null || select.limitOption === 'LIMIT_OPTION_WITH_TIES') return { kind: 'other' }
  const bytes = typeof constant?.location === 'number' ? constant.location : -1
  return {
    kind: 'number',
    // libpg-query leaves a zero out of its JSON.
    rows: typeof whole.ival === 'number' ? whole.ival : 0,
    position: bytes < 0 ? null : Buffer.from(sql).subarray(0, bytes).toString().length,
  }
}

const polyglotLimit = (root: TreeNode): OutermostLimit => {
  const [kind, body] = Object.entries(root)[0] ?? []
  const query = nodeOf(body)
  if (query === null) return { kind: 'other' }
  const [first, ...more] = [query.limit, query.fetch, query.top].map(nodeOf).filter(node => node !== null)
  const inner = kind === 'subquery' || kind === 'paren' ? nodeOf(query.this) : null
  if (first === undefined) return inner === null ? { kind: 'none' } : polyglotLimit(inner)
  const hasMore = ['percent', 'with_ties'].some(part => first[part] === true)
  const rows = hasMore || more.length > 0 ? null : numberIn(first.count ?? first.this ?? first)
  return rows === null ? { kind: 'other' } : { kind: 'number', rows, position: null }
}

const numberIn = (value: TreeValue | undefined): number | null => {
  const literal = nodeOf(nodeOf(value)?.literal)
  const rows = literal?.literal_type === 'number' ? Number(textOf(literal.value)) : Number.NaN
  return Number.isSafeInteger(rows) ? rows : null
}
