import { childrenOf } from '../tree/children.ts'
import type { Expression } from '../tree/query-tree.ts'

/** The aggregates that questions ask for by name. */
export type Aggregate = 'count' | 'sum' | 'avg' | 'min' | 'max'

const aggregates: ReadonlySet<string> = new Set<Aggregate>(['count', 'sum', 'avg', 'min', 'max'])

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

/** What an expression is about, before names are resolved. */
export const termOf = (expression: Expression): TermParts => {
  if (expression.kind === 'number') return { ...emptyTerm, ordinal: Number(expression.value) }
  const { kind } = expression
  const plain =
    kind === 'column' || kind === 'star' || (kind === 'aggregate' && aggregates.has(expression.name))
  return { ...(firstTerm(expression) ?? emptyTerm), plain }
}

const emptyTerm: TermParts = {
  aggregate: null,
  distinct: false,
  star: false,
  qualifier: null,
  column: null,
  ordinal: null,
  plain: false,
}

/** The first aggregate, else the first column, from left to right; what is in a subquery is not of this term. */
const firstTerm = (expression: Expression): TermParts | null => {
  switch (expression.kind) {
    case 'column':
      return { ...emptyTerm, qualifier: expression.qualifier, column: expression.name }
    case 'star':
      return { ...emptyTerm, qualifier: expression.qualifier, star: true }
    case 'aggregate': {
      if (!aggregates.has(expression.name)) break
      const inside = expression.argument === null ? null : firstTerm(expression.argument)
      return {
        ...(inside ?? emptyTerm),
        aggregate: expression.name as Aggregate,
        distinct: expression.distinct,
        star: expression.star || inside?.star === true,
      }
    }
  }
  const terms = childrenOf(expression).map(firstTerm)
  return (
    terms.find(term => term !== null && term.aggregate !== null) ?? terms.find(term => term !== null) ?? null
  )
}
