import type { DatePart, DateUnit } from '../../domain/metrics/metric-query.ts'
import type { DurationUnit } from '../../domain/metrics/semantic-layer.ts'

/** An aggregate over rows; `listed` puts the values themselves together (`group_concat`, `string_agg`, `array_agg`). */
export type AggregateName = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'median' | 'deviation' | 'listed'

export type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=' | 'like' | 'not like'

/** How a comparison differs from the plain one of its operator. `qualified`: an operator that is named with its schema. */
type ComparisonVariant = 'null-safe' | 'no-case' | 'glob' | 'regexp' | 'similar' | 'match' | 'qualified'

/**
 * An expression of any dialect. As a parser gives it, it has brackets, casts and NOT where the text has them; in a
 * plain query (`plainQuery`) they are gone, and NOT before IN, BETWEEN, LIKE, EXISTS and IS NULL is part of them.
 *
 * Nothing that a parser gives is dropped: what has no place of its own stands in `details`, so that an analysis that
 * must see every name can look at all of it (`childrenOf`).
 */
export type Expression =
  | ColumnName
  | {
      readonly kind: 'star'
      readonly qualifier: string | null
      /** `* EXCLUDE (a)`. */
      readonly except: readonly string[]
      /** `* REPLACE (a + 1 AS a)`. */
      readonly replace: readonly Expression[]
      readonly renames: boolean
    }
  | { readonly kind: 'text'; readonly value: string }
  /** As written, with its sign. */
  | { readonly kind: 'number'; readonly value: string }
  | { readonly kind: 'constant'; readonly value: 'true' | 'false' | 'null' }
  | {
      readonly kind: 'aggregate'
      readonly fn: AggregateName
      /** As the dialect calls it, in lower case. */
      readonly name: string
      readonly distinct: boolean
      /** `count(*)`, which has no argument. */
      readonly star: boolean
      readonly argument: Expression | null
      readonly others: readonly Expression[]
      readonly filter: Expression | null
      readonly details: readonly Expression[]
    }
  | CallExpression
  | {
      readonly kind: 'window'
      readonly call: Expression
      readonly partitionBy: readonly Expression[]
      readonly orderBy: readonly Ordering[]
      readonly details: readonly Expression[]
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
      readonly variant: ComparisonVariant | null
      readonly quantifier: 'any' | 'all' | null
      readonly left: Expression
      readonly right: Expression
      readonly details: readonly Expression[]
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
      /** `a IN t` without brackets: t is a table in SQLite, and a column that holds a list in DuckDB. */
      readonly bare: boolean
      readonly details: readonly Expression[]
    }
  | { readonly kind: 'null-test'; readonly operand: Expression; readonly negated: boolean }
  | { readonly kind: 'exists'; readonly query: QueryTree; readonly negated: boolean }
  | { readonly kind: 'subquery'; readonly query: QueryTree }
  /** `operand` is what `CASE x WHEN 1` compares; a plain query compares it in each branch. */
  | {
      readonly kind: 'case'
      readonly operand: Expression | null
      readonly branches: readonly { readonly when: Expression; readonly value: Expression }[]
      readonly otherwise: Expression | null
    }
  | SpelledExpression
  | ComposedExpression

/** What a plain query says in another way, or not at all. */
type SpelledExpression =
  | { readonly kind: 'paren'; readonly operand: Expression }
  | {
      readonly kind: 'cast'
      readonly operand: Expression
      /** TRY_CAST and the like: what cannot be cast becomes NULL. */
      readonly lenient: boolean
      readonly details: readonly Expression[]
    }
  /** `a IS b` as SQLite has it. */
  | { readonly kind: 'is'; readonly left: Expression; readonly right: Expression; readonly negated: boolean }
  | {
      readonly kind: 'truth-test'
      readonly operand: Expression
      readonly truth: 'true' | 'false' | 'unknown'
      readonly negated: boolean
    }
  | {
      readonly kind: 'interval'
      readonly amount: Expression | null
      readonly unit: string
      readonly details: readonly Expression[]
    }
  /** A part of what stands before a dot: `(a).b`, or a column behind more names than two. */
  | { readonly kind: 'field'; readonly operand: Expression; readonly name: string }
  /** A name given inside an expression. */
  | { readonly kind: 'named'; readonly operand: Expression; readonly name: string }
  | { readonly kind: 'lambda'; readonly names: readonly string[]; readonly parts: readonly Expression[] }
  /** The type of a cast or a column. */
  | { readonly kind: 'type'; readonly parts: readonly Expression[] }
  /** Several parts that are no expression together, such as the frame of a window. */
  | { readonly kind: 'group'; readonly parts: readonly Expression[] }
  /** What no reader knows how to take. A guard must refuse it. */
  | { readonly kind: 'unclear'; readonly what: string; readonly parts: readonly Expression[] }

/** What the queries that we build say in no dialect yet; no parser gives it. */
type ComposedExpression =
  /** Midnight at the start of an ISO day, of the same type as the column it is compared with. */
  | { readonly kind: 'moment'; readonly day: string; readonly type: MomentType; readonly timeZone: string }
  /** Start of the unit that a moment lies in, as a day. */
  | {
      readonly kind: 'truncate'
      readonly unit: DateUnit
      readonly operand: Expression
      readonly type: MomentType
      readonly timeZone: string
    }
  /** A part of a moment that comes again, as a number: weekdays from 1 (Monday), hours from 0, months from 1. */
  | {
      readonly kind: 'date-part'
      readonly part: DatePart
      readonly operand: Expression
      readonly type: MomentType
      readonly timeZone: string
    }
  /** A day so many units later, or earlier if `count` is negative. */
  | { readonly kind: 'shift'; readonly operand: Expression; readonly count: number; readonly unit: DateUnit }
  /** Time from one moment to another as a number of units, with a fraction. */
  | {
      readonly kind: 'elapsed'
      readonly unit: DurationUnit
      readonly from: Expression
      readonly until: Expression
      readonly type: MomentType
    }
  /** A division with a fraction; NULL if the denominator is 0. */
  | { readonly kind: 'ratio'; readonly numerator: Expression; readonly denominator: Expression }
  /** The value that `fraction` (0 to 1) of the others lie below, interpolated. Not every dialect has it. */
  | { readonly kind: 'percentile'; readonly fraction: number; readonly operand: Expression }
  /** Text that somebody wrote in the dialect, with the columns in it as expressions. */
  | { readonly kind: 'fragment'; readonly parts: readonly (string | Expression)[] }

/** Parts of a day or year that a query may cut or extract. */
export type { DatePart, DateUnit }

/**
 * How a column keeps its moments: `date` a day, `local` a timestamp without a zone, `instant` one with a zone
 * (read in `timeZone`), `text` ISO text.
 */
export type MomentType = 'date' | 'local' | 'instant' | 'text'

/** A column as it is named. `outer` are the names before the qualifier, the outermost first. */
export interface ColumnName {
  readonly kind: 'column'
  readonly outer: readonly string[]
  readonly qualifier: string | null
  readonly name: string
  readonly quoted: boolean
  /** SQLite's `"x"` without a table, which is text if there is no such column. */
  readonly mayBeText: boolean
}

/** A function, or any form that has no kind of its own: then its name is the parser's. */
export interface CallExpression {
  readonly kind: 'call'
  readonly name: string
  readonly inputs: readonly Expression[]
  readonly distinct: boolean
  readonly details: readonly Expression[]
}

/** One key of ORDER BY. */
export interface Ordering {
  readonly expression: Expression
  readonly direction: 'asc' | 'desc'
  readonly details: readonly Expression[]
  /** Nulls come last, whatever the dialect does by itself. No parser says so; it stands in `details`. */
  readonly nullsLast?: true
}

/** The schema of a table as it is written, with its catalog in front where there is one: `events.public`. */
export const schemaWithCatalog = ({
  catalog,
  schema,
}: {
  readonly catalog: string | null
  readonly schema: string | null
}): string | null => (catalog === null ? schema : `${catalog}.${schema ?? ''}`)

/** Something in FROM. `renamed` are new names of its columns: `t (a, b)`. */
export type FromSource = {
  readonly alias: string | null
  readonly renamed: readonly string[]
} & (
  | {
      readonly kind: 'table'
      readonly catalog: string | null
      readonly schema: string | null
      readonly name: string
    }
  | { readonly kind: 'derived'; readonly query: QueryTree }
  /** A table function or the like. `called` is the name under which it is known without an alias. */
  | {
      readonly kind: 'function'
      readonly name: string
      readonly called: string | null
      readonly parts: readonly Expression[]
    }
  /** Joins in brackets; in a plain query they stand among the others. */
  | { readonly kind: 'joined'; readonly sources: readonly JoinedSource[] }
  /** PIVOT or UNPIVOT of another source. */
  | {
      readonly kind: 'reshaped'
      readonly name: string
      readonly source: FromSource
      readonly parts: readonly Expression[]
    }
  | { readonly kind: 'sampled'; readonly source: FromSource; readonly parts: readonly Expression[] }
  /** What no reader knows how to take. A guard must refuse it. */
  | {
      readonly kind: 'unclear'
      readonly name: string
      readonly source: FromSource | null
      readonly parts: readonly Expression[]
    }
)

/** A source with how it is joined to those before it; the first has no join, and sources behind a comma are `cross`. */
export interface JoinedSource {
  readonly source: FromSource
  readonly join: 'inner' | 'left' | 'right' | 'full' | 'cross' | 'natural' | null
  /** A kind that few dialects have, in lower case: `semi`, `asof`. In others the word is a name for the source before it. */
  readonly special?: string
  /** NATURAL, of whatever kind of join. */
  readonly natural: boolean
  /** Behind a comma: the joins that follow do not see what stands before it. */
  readonly comma: boolean
  readonly on: Expression | null
  readonly using: readonly string[]
  /** `USING (a) AS x`. */
  readonly usingAlias: string | null
}

export interface CommonTable {
  readonly name: string
  /** A value with a name (ClickHouse: `WITH 1 AS x`), which no table of the statement can be. */
  readonly isValue?: true
  readonly renamed: readonly string[]
  readonly query: QueryTree
}

/** What stands around any query. */
export interface Frame {
  readonly ctes: readonly CommonTable[]
  /** True if a CTE may name itself, or one that comes later. */
  readonly recursive: boolean
  readonly orderBy: readonly Ordering[]
  readonly limit: Expression | null
  readonly offset: Expression | null
  /** Clauses that have no place of their own. */
  readonly details: readonly Expression[]
}

interface BracketedFrame extends Frame {
  /** Clauses behind brackets around the query, innermost first: `(SELECT ...) ORDER BY x LIMIT 1`. */
  readonly brackets: readonly Frame[]
}

export interface SelectTree extends BracketedFrame {
  readonly kind: 'select'
  readonly distinct: boolean
  readonly outputs: readonly Output[]
  readonly from: readonly JoinedSource[]
  readonly where: Expression | null
  readonly groupBy: readonly Expression[]
  readonly groupByAll: boolean
  readonly having: Expression | null
  readonly qualify: Expression | null
  /** The rows of VALUES; null for a SELECT. A plain query has none. */
  readonly rows: readonly Expression[] | null
}

export interface Output {
  readonly expression: Expression
  readonly alias: string | null
}

interface SetTree extends BracketedFrame {
  readonly kind: 'set'
  readonly operator: 'union' | 'intersect' | 'except'
  readonly all: boolean
  readonly left: QueryTree
  readonly right: QueryTree
}

/** A query, the same for both parsers. */
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

/** A call; what is left out is empty. */
export const callOf = (
  name: string,
  inputs: readonly Expression[] = [],
  { distinct = false, details = [] }: Partial<Pick<CallExpression, 'distinct' | 'details'>> = {},
): CallExpression => ({ kind: 'call', name, inputs, distinct, details })

/** A comparison without anything special about it. */
export const compareOf = (
  operator: Comparison,
  left: Expression,
  right: Expression,
): Extract<Expression, { kind: 'compare' }> => ({
  kind: 'compare',
  operator,
  variant: null,
  quantifier: null,
  left,
  right,
  details: [],
})

/** The clauses around a query that has none. */
export const emptyFrame: BracketedFrame = {
  ctes: [],
  recursive: false,
  orderBy: [],
  limit: null,
  offset: null,
  details: [],
  brackets: [],
}

/** A SELECT of nothing. */
export const emptySelect: SelectTree = {
  ...emptyFrame,
  kind: 'select',
  distinct: false,
  outputs: [],
  from: [],
  where: null,
  groupBy: [],
  groupByAll: false,
  having: null,
  qualify: null,
  rows: null,
}

/** A query that no reader knows how to take; a guard must refuse it. */
export const unclearQuery = (what: string, parts: readonly Expression[]): SelectTree => ({
  ...emptySelect,
  details: [{ kind: 'unclear', what, parts }],
})

/** True for a query that no reader knows how to take. */
export const isUnclearQuery = (query: QueryTree): boolean =>
  query.kind === 'select' &&
  query.outputs.length === 0 &&
  query.from.length === 0 &&
  query.details.some(({ kind }) => kind === 'unclear')
