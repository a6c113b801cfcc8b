import type { Catalog } from '../../domain/catalog.ts'
import { describeParts } from '../../sql/describe/describe-sql.ts'
import { outermostScope } from '../../sql/describe/name-scope.ts'
import { type SqlToken, sqlTokens } from '../../sql/parse/sql-tokens.ts'
import { canonicalCell } from '../result-key.ts'
import { asksForOne } from './compare-results.ts'
import type { Probe, ProbedPair } from './probe-pair.ts'

/**
 * `ORDER BY x LIMIT 1` against a statement that gives several rows: whether several rows tie for the top. If they do,
 * one of them alone answers a question in the singular, and is too few for a question in the plural.
 */
export const planTieProbe = ({ first, second, question, catalog }: ProbedPair): Probe | null => {
  const [one, other] = [isTopOne(first), isTopOne(second)]
  if (one === other) return null
  const several = one ? second : first
  if (several.result.rows.length < 2 || !takesExtreme(several, catalog)) return null
  const sql = topTwo((one ? first : second).sql, catalog)
  const single = asksForOne(question)
  if (sql === null || single === null) return null
  return {
    kind: 'tie-at-top',
    sql,
    reason: 'whether several rows tie for the top',
    judge: ({ rows, columns }) => {
      const [top, next] = rows.map(row => canonicalCell(row[0] ?? null, columns[0]?.kind ?? 'unknown'))
      if (top === undefined || columns.length !== 1) return 0
      // Without a tie the other rows have no place at the top.
      const toOne = top !== next ? 0.5 : single ? 0.3 : -0.7
      return one ? toOne : -toOne
    },
  }
}

const isTopOne = ({ tree, result }: ProbedPair['first']): boolean =>
  tree.kind === 'select' &&
  tree.orderBy.length === 1 &&
  tree.limit?.kind === 'number' &&
  tree.limit.value === '1' &&
  result.rows.length === 1

/** `x = (SELECT MAX(x) ...)`: the spelling that gives all that stand at the top. */
const takesExtreme = ({ tree }: ProbedPair['first'], catalog: Catalog): boolean =>
  describeParts(tree, outermostScope(catalog)).some(
    ({ depth, signs }) => depth > 0 && (signs.includes('highest') || signs.includes('lowest')),
  )

/**
 * The order key of the first two rows, from the text between the statement's own FROM and LIMIT. Null where the key is
 * a name or a place of the SELECT list, or the text is no plain SELECT.
 */
const topTwo = (sql: string, { dialect }: Catalog): string | null => {
  const cut = sqlTokens(sql, dialect)
  if (!cut.ok) return null
  const outer = outermost(cut.tokens)
  const at = (word: string): SqlToken | undefined =>
    outer.findLast(({ kind, value }) => kind === 'word' && value === word)
  const [select, from, order, limit] = ['select', 'from', 'order', 'limit'].map(at)
  if (!select || !from || !order || !limit || select.start !== 0 || limit.start < order.start) return null
  if (
    outer.some(
      ({ kind, value }) => kind === 'word' && /^(?:union|intersect|except|distinct|offset)$/.test(value),
    )
  )
    return null
  const by = outer.find(({ value, start }) => value === 'by' && start > order.start)
  if (by === undefined) return null
  const key = sql
    .slice(by.end, limit.start)
    .replace(/\b(?:asc|desc)\b|\bnulls (?:first|last)\b/gi, '')
    .trim()
  const named = outer.some(
    (token, index) => token.value === 'as' && outer[index + 1]?.value === key.toLowerCase(),
  )
  if (named || /^\d+$/.test(key) || key.includes(',')) return null
  return `SELECT ${key} AS top_value ${sql.slice(from.start, limit.start).trim()} LIMIT 2`
}

/** The tokens outside of all brackets. */
const outermost = (tokens: readonly SqlToken[]): readonly SqlToken[] => {
  let depth = 0
  return tokens.filter(({ text }) => {
    if (text === '(') depth += 1
    if (text === ')') depth -= 1
    return depth === 0
  })
}
