/** An aggregate over rows; `listed` puts the values themselves together (`group_concat`, `string_agg`, `array_agg`). */
export type AggregateName = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'median' | 'deviation' | 'listed'

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'like' | 'not like'

/**
 * An expression of any dialect, with what readers of SQL tell apart and no more. Brackets are gone; NOT before IN,
 * BETWEEN, LIKE, EXISTS and IS NULL is part of them.
 */
export type Expression =
  /** `mayBeText`: SQLite's `"x"` without a table, which is text where there is no such column. */
  | {
      readonly kind: 'column'
      readonly qualifier: string | null
      readonly name: string
      readonly mayBeText: boolean
    }
  | { readonly kind: 'star'; readonly qualifier: string | null }
  | { readonly kind: 'text'; readonly value: string }
  /** As written, with its sign. */
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'constant'; readonly value: 'true' | 'false' | 'null' }
  /** `argument` is null for `count(*)`. */
  | {
      readonly kind: 'aggregate'
      readonly fn: AggregateName
      readonly distinct: boolean
      readonly argument: Expression | null
      readonly filter: Expression | null
    }
  | { readonly kind: 'call'; readonly name: string; readonly inputs: readonly Expression[] }
  | {
      readonly kind: 'window'
      readonly call: Expression
      readonly partitionBy: readonly Expression[]
      readonly orderBy: readonly Ordering[]
    }
  | {
      readonly kind: 'arithmetic'
      readonly operator: '+' | '-' | '*' | '/' | '%' | '||'
      readonly left: Expression
      readonly right: Expression
    }
  /** `quantifier` where the right side is `ANY (...)` or `ALL (...)`. */
  | {
      readonly kind: 'compare'
      readonly operator: Comparison
      readonly quantifier: 'any' | 'all' | null
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Expression[] }
  | { readonly kind: 'not'; readonly operand: Expression }
  | {
      readonly kind: 'between'
      readonly operand: Expression
      readonly low: Expression
      readonly high: Expression
      readonly negated: boolean
    }
  | {
      readonly kind: 'in'
      readonly operand: Expression
      readonly among: readonly Expression[] | QueryTree
      readonly negated: boolean
    }
  | { readonly kind: 'null-test'; readonly operand: Expression; readonly negated: boolean }
  | { readonly kind: 'exists'; readonly query: QueryTree; readonly negated: boolean }
  | { readonly kind: 'subquery'; readonly query: QueryTree }
  | {
      readonly kind: 'case'
      readonly branches: readonly { readonly when: Expression; readonly value: Expression }[]
      readonly otherwise: Expression | null
    }

/** One key of ORDER BY. */
export interface Ordering {
  readonly expression: Expression
  readonly direction: 'asc' | 'desc'
}

/** Something in FROM. `function` is a table function. */
export type FromSource =
  | {
      readonly kind: 'table'
      readonly schema: string | null
      readonly name: string
      readonly alias: string | null
    }
  | { readonly kind: 'derived'; readonly query: QueryTree; readonly alias: string | null }
  | { readonly kind: 'function'; readonly name: string; readonly alias: string | null }

/** A source with how it is joined to those before it; the first has no join, and sources behind a comma are `cross`. */
export interface JoinedSource {
  readonly source: FromSource
  readonly join: 'inner' | 'left' | 'right' | 'full' | 'cross' | 'natural' | null
  readonly on: Expression | null
  readonly using: readonly string[]
}

/** What stands around any query. */
interface Frame {
  readonly ctes: readonly { readonly name: string; readonly query: QueryTree }[]
  readonly orderBy: readonly Ordering[]
  readonly limit: Expression | null
  readonly offset: Expression | null
}

export interface SelectTree extends Frame {
  readonly kind: 'select'
  readonly distinct: boolean
  readonly outputs: readonly { readonly expression: Expression; readonly alias: string | null }[]
  readonly from: readonly JoinedSource[]
  readonly where: Expression | null
  readonly groupBy: readonly Expression[]
  readonly having: Expression | null
  readonly qualify: Expression | null
}

interface SetTree extends Frame {
  readonly kind: 'set'
  readonly operator: 'union' | 'intersect' | 'except'
  readonly all: boolean
  readonly left: QueryTree
  readonly right: QueryTree
}

/** A query as people read it, the same for both parsers. */
export type QueryTree = SelectTree | SetTree

/** The functions of all dialects that aggregate, by their names in lower case. */
export const aggregateNames: ReadonlyMap<string, AggregateName> = new Map(
  Object.entries({
    count: 'count',
    count_star: 'count',
    approx_distinct: 'count',
    sum: 'sum',
    total: 'sum',
    avg: 'avg',
    mean: 'avg',
    min: 'min',
    max: 'max',
    median: 'median',
    stddev: 'deviation',
    stddev_pop: 'deviation',
    stddev_samp: 'deviation',
    group_concat: 'listed',
    string_agg: 'listed',
    array_agg: 'listed',
    list: 'listed',
    json_agg: 'listed',
    jsonb_agg: 'listed',
    json_arrayagg: 'listed',
    json_group_array: 'listed',
  } as const),
)

/** NOT before an expression, taken into it where it has a negated form of its own. */
export const negate = (operand: Expression): Expression => {
  switch (operand.kind) {
    case 'between':
    case 'in':
    case 'null-test':
    case 'exists':
      return { ...operand, negated: !operand.negated }
    case 'compare':
      if (operand.operator === 'like' && operand.quantifier === null)
        return { ...operand, operator: 'not like' }
      return { kind: 'not', operand }
    case 'not':
      return operand.operand
    default:
      return { kind: 'not', operand }
  }
}
