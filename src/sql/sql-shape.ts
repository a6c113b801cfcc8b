import type { ParseDialect } from '../domain/sql.ts'
import { parseSqlCached } from './parse-sql.ts'
import { polyglotShape } from './polyglot-shape.ts'
import { postgresShape } from './postgres-shape.ts'
import type { Aggregate, Comparison, ShapeParts, TermParts } from './shape-parts.ts'
import type { SqlTree } from './sql-tree.ts'

export type { Aggregate, Comparison } from './shape-parts.ts'

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
export interface ShapeOrder extends ShapeTerm {
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
export const treeShape = ({ parser, statements }: SqlTree): SqlShape | null => {
  const [statement, second] = statements
  if (statement === undefined || second !== undefined) return null
  const parts = parser === 'libpg-query' ? postgresShape(statement) : polyglotShape(statement)
  return parts === null ? null : resolveNames(parts)
}

const resolveNames = (parts: ShapeParts): SqlShape => {
  const items = parts.items.map(({ term, alias }) => toTerm(term, alias, parts))
  const resolve = (term: TermParts): ShapeTerm => {
    if (term.ordinal !== null) return items[term.ordinal - 1] ?? toTerm(term, null, parts)
    const name = term.qualifier === null && term.aggregate === null ? term.column?.toLowerCase() : undefined
    const named = items.find(({ alias }) => alias !== null && alias.toLowerCase() === name)
    return named ?? toTerm(term, null, parts)
  }
  return {
    items,
    distinct: parts.distinct,
    sources: parts.sources.length,
    outerJoins: parts.outerJoins,
    groupBy: parts.groupBy.map(resolve),
    having: parts.having === null ? null : resolve(parts.having),
    orderBy: parts.orderBy.map(({ term, descending }) => ({
      ...resolve(term),
      direction: descending ? 'descending' : 'ascending',
    })),
    limit: parts.limit,
    setOperation: parts.setOperation,
    nested: parts.selects - parts.arms,
    ands: parts.ands,
    ors: parts.ors,
    comparisons: Object.fromEntries(parts.comparisons),
    tables: [...new Set(parts.tables.map(name => name.toLowerCase()))].filter(name => !parts.ctes.has(name)),
  }
}

const toTerm = (term: TermParts, alias: string | null, { sources }: ShapeParts): ShapeTerm => {
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
