import type { ParseDialect } from '../../domain/sql.ts'
import { parseSqlCached } from '../parse/parse-sql.ts'
import { readQuery } from '../parse/read-statements.ts'
import type { SqlTree } from '../parse/sql-tree.ts'
import {
  type Expression,
  type FromSource,
  isUnclearQuery,
  type QueryTree,
  type SelectTree,
} from '../tree/query-tree.ts'
import { type Comparison, countParts } from './count-parts.ts'
import { type Aggregate, type TermParts, termOf } from './shape-terms.ts'

export type { Comparison } from './count-parts.ts'
export type { Aggregate } from './shape-terms.ts'

/** One expression of SELECT, GROUP BY or ORDER BY: the first aggregate and the first column inside it. */
export interface ShapeTerm {
  readonly aggregate: Aggregate | null
  /** DISTINCT inside the aggregate. */
  readonly distinct: boolean
  /** `*`, `t.*` or `count(*)`. */
  readonly star: boolean
  /** As written; null where there is none. */
  readonly column: string | null
  /** The table behind the column's alias; null where the text does not tell, or it is a subquery's. */
  readonly table: string | null
  /** A name given with AS. */
  readonly alias: string | null
  /** Nothing stands around it: no arithmetic, cast or function. */
  readonly plain: boolean
}

/** One key of the outermost ORDER BY, names and places of the SELECT list resolved. */
interface ShapeOrder extends ShapeTerm {
  readonly direction: 'ascending' | 'descending'
}

/** What one query is made of, without its names and values: its clauses are those of the outermost (first) SELECT. */
export interface SqlShape {
  readonly items: readonly ShapeTerm[]
  readonly distinct: boolean
  /** Tables and subqueries in FROM, one that stands twice counted twice. */
  readonly sources: number
  readonly outerJoins: number
  readonly groupBy: readonly ShapeTerm[]
  /** The term that HAVING compares; null without HAVING. */
  readonly having: ShapeTerm | null
  readonly orderBy: readonly ShapeOrder[]
  /** Rows; null without a limit, or where it is no number. */
  readonly limit: number | null
  readonly setOperation: 'union' | 'intersect' | 'except' | null
  /** SELECTs beside the outermost and the arms of its set operation: in conditions, FROM and CTEs. */
  readonly nested: number
  /** Connectives and comparisons of the whole statement, joins over two columns left out. */
  readonly ands: number
  readonly ors: number
  readonly comparisons: Readonly<Partial<Record<Comparison, number>>>
  /** Names of tables that are read anywhere, each once, in lower case, in the order of the text. */
  readonly tables: readonly string[]
}

/** The shape of a text with one query; null when it cannot be parsed or is something else. */
export const sqlShape = (sql: string, dialect: ParseDialect): SqlShape | null => {
  const parsed = parseSqlCached(sql, dialect)
  return parsed.ok ? treeShape(parsed.tree) : null
}

/** The shape of a tree with one query, else null. */
export const treeShape = (parsed: SqlTree): SqlShape | null => {
  const query = readQuery(parsed)
  const outermost = query === null ? null : readOutermost(query)
  if (query === null || outermost === null) return null
  return resolveNames(query, outermost)
}

/** The clauses of the outermost (first) SELECT, with the order and limit that stand around it. */
interface OutermostSelect {
  readonly select: SelectTree
  readonly orderBy: QueryTree['orderBy']
  readonly limit: number | null
  readonly setOperation: SqlShape['setOperation']
  /** Arms of the outermost set operation; 1 without one. */
  readonly arms: number
}

const readOutermost = (query: QueryTree): OutermostSelect | null => {
  const inner = query.kind === 'set' ? readOutermost(query.left) : firstSelect(query)
  if (inner === null) return null
  const whole =
    query.kind === 'set'
      ? { ...inner, setOperation: query.operator, arms: inner.arms + armsOf(query.right) }
      : inner
  // What stands around brackets or arms orders and cuts the whole; what is inside has been overruled.
  const frames = query.kind === 'set' ? [query, ...query.brackets] : query.brackets
  return {
    ...whole,
    orderBy: frames.findLast(({ orderBy }) => orderBy.length > 0)?.orderBy ?? whole.orderBy,
    limit: frames.map(({ limit }) => rowsOf(limit)).findLast(rows => rows !== null) ?? whole.limit,
  }
}

const firstSelect = (select: SelectTree): OutermostSelect | null =>
  select.rows === null && !isUnclearQuery(select)
    ? { select, orderBy: select.orderBy, limit: rowsOf(select.limit), setOperation: null, arms: 1 }
    : null

const rowsOf = (limit: Expression | null): number | null =>
  limit?.kind === 'number' ? Number(limit.value) : null

const armsOf = (query: QueryTree): number =>
  query.kind === 'set' ? armsOf(query.left) + armsOf(query.right) : 1

/** Something in FROM: `name` is null for a subquery. */
interface NamedSource {
  readonly name: string | null
  readonly alias: string | null
}

const namedSources = (source: FromSource): readonly NamedSource[] => {
  if (source.kind === 'joined') return source.sources.flatMap(one => namedSources(one.source))
  return [{ name: source.kind === 'table' ? source.name : null, alias: source.alias }]
}

const resolveNames = (query: QueryTree, outermost: OutermostSelect): SqlShape => {
  const { select, orderBy, limit, setOperation, arms } = outermost
  const sources = select.from.flatMap(({ source }) => namedSources(source))
  const items = select.outputs.map(({ expression, alias }) => toTerm(termOf(expression), alias, sources))
  const resolve = (term: TermParts): ShapeTerm => {
    if (term.ordinal !== null) return items[term.ordinal - 1] ?? toTerm(term, null, sources)
    const name = term.qualifier === null && term.aggregate === null ? term.column?.toLowerCase() : undefined
    const named = items.find(({ alias }) => alias !== null && alias.toLowerCase() === name)
    return named ?? toTerm(term, null, sources)
  }
  const counts = countParts(query)
  return {
    items,
    distinct: select.distinct,
    sources: sources.length,
    outerJoins: select.from.filter(({ join }) => join === 'left' || join === 'right' || join === 'full')
      .length,
    groupBy: select.groupBy.map(key => resolve(termOf(key))),
    having: select.having === null ? null : resolve(termOf(select.having)),
    orderBy: orderBy.map(({ expression, direction }) => ({
      ...resolve(termOf(expression)),
      direction: direction === 'desc' ? 'descending' : 'ascending',
    })),
    limit,
    setOperation,
    nested: counts.selects - arms,
    ands: counts.ands,
    ors: counts.ors,
    comparisons: Object.fromEntries(counts.comparisons),
    tables: [...new Set(counts.tables.map(name => name.toLowerCase()))].filter(
      name => !counts.ctes.has(name),
    ),
  }
}

const toTerm = (term: TermParts, alias: string | null, sources: readonly NamedSource[]): ShapeTerm => {
  const { aggregate, distinct, star, column, plain } = term
  const qualifier = term.qualifier?.toLowerCase() ?? null
  const source =
    qualifier === null
      ? sources.length === 1
        ? sources[0]
        : undefined
      : sources.find(({ name, alias }) => (alias ?? name)?.toLowerCase() === qualifier)
  return { aggregate, distinct, star, column, table: source?.name ?? null, alias, plain }
}
