/** The aggregates that questions ask for by name. */
export type Aggregate = 'count' | 'sum' | 'avg' | 'min' | 'max'

export const aggregateNames: ReadonlySet<string> = new Set<Aggregate>(['count', 'sum', 'avg', 'min', 'max'])

/** How two things are compared, whatever the dialect spells it. */
export type Comparison =
  | 'equal'
  | 'unequal'
  | 'less'
  | 'greater'
  | 'like'
  | 'not-like'
  | 'between'
  | 'in-list'
  | 'not-in-list'
  | 'in-query'
  | 'not-in-query'
  | 'exists'
  | 'not-exists'
  | 'null'
  | 'not-null'

/** An expression of SELECT, GROUP BY or ORDER BY, told by the first aggregate and the first column inside it. */
export interface TermParts {
  readonly aggregate: Aggregate | null
  /** DISTINCT inside the aggregate. */
  readonly distinct: boolean
  /** `*` alone, `t.*` or `count(*)`. */
  readonly star: boolean
  readonly qualifier: string | null
  readonly column: string | null
  /** `ORDER BY 2`: the place in the SELECT list, from 1. */
  readonly ordinal: number | null
  /** Nothing stands around the column, star or aggregate: no arithmetic, cast or function. */
  readonly plain: boolean
}

/** Something in FROM: `name` is null for a subquery. */
export interface SourceParts {
  readonly name: string | null
  readonly alias: string | null
}

/** What a parser's tree says of one statement, before names are resolved. Filled while the tree is walked. */
export interface ShapeParts {
  items: { readonly term: TermParts; readonly alias: string | null }[]
  distinct: boolean
  sources: SourceParts[]
  outerJoins: number
  groupBy: TermParts[]
  having: TermParts | null
  orderBy: { readonly term: TermParts; readonly descending: boolean }[]
  limit: number | null
  setOperation: 'union' | 'intersect' | 'except' | null
  /** SELECTs of the whole statement, arms of set operations included. */
  selects: number
  /** Arms of the outermost set operation; 1 without one. */
  arms: number
  ands: number
  ors: number
  readonly comparisons: Map<Comparison, number>
  /** Names of the tables in all FROM clauses, CTEs included. */
  readonly tables: string[]
  readonly ctes: Set<string>
}

export const emptyTerm: TermParts = {
  aggregate: null,
  distinct: false,
  star: false,
  qualifier: null,
  column: null,
  ordinal: null,
  plain: false,
}

export const makeShapeParts = (): ShapeParts => ({
  items: [],
  distinct: false,
  sources: [],
  outerJoins: 0,
  groupBy: [],
  having: null,
  orderBy: [],
  limit: null,
  setOperation: null,
  selects: 0,
  arms: 1,
  ands: 0,
  ors: 0,
  comparisons: new Map(),
  tables: [],
  ctes: new Set(),
})

/** Counts one more comparison of a kind. */
export const countComparison = ({ comparisons }: ShapeParts, kind: Comparison): void => {
  comparisons.set(kind, (comparisons.get(kind) ?? 0) + 1)
}

/** The kind of a comparison under NOT. */
export const negated = (kind: Comparison): Comparison => negations[kind] ?? kind

const negations: Partial<Record<Comparison, Comparison>> = {
  equal: 'unequal',
  unequal: 'equal',
  less: 'greater',
  greater: 'less',
  like: 'not-like',
  'not-like': 'like',
  'in-list': 'not-in-list',
  'not-in-list': 'in-list',
  'in-query': 'not-in-query',
  'not-in-query': 'in-query',
  exists: 'not-exists',
  'not-exists': 'exists',
  null: 'not-null',
  'not-null': 'null',
}
