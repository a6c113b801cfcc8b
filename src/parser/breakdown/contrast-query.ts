import { literalOf } from '../../sql/tree/compose-query.ts'
import type { Expression, Output, SelectTree } from '../../sql/tree/query-tree.ts'

type Aggregate = Extract<Expression, { kind: 'aggregate' }>

/** Two conditions whose rows are compared, and the names of their columns. `null` takes all rows. */
export interface ContrastSides {
  readonly subject: { readonly when: Expression; readonly alias: string }
  readonly beside: { readonly when: Expression | null; readonly alias: string }
}

/**
 * Turns a query of one measure, grouped or not, into one that measures two sets of rows with conditional aggregates.
 * Null if the query has no such measure.
 */
export const contrastQuery = (
  query: SelectTree,
  sides: ContrastSides,
  { kind, falling }: { readonly kind: 'period' | 'group'; readonly falling: boolean },
): SelectTree | null => {
  const measure = shownAggregate(query)
  if (!measure) return null
  const keys = query.outputs.filter(output => output.expression !== measure)
  const subject = aggregateWhen(measure, sides.subject.when)
  const beside = sides.beside.when === null ? measure : aggregateWhen(measure, sides.beside.when)
  const ofSubject: Output = { expression: subject, alias: sides.subject.alias }
  const ofBeside: Output = { expression: beside, alias: sides.beside.alias }
  const change: Expression = { kind: 'arithmetic', operator: '-', left: subject, right: beside }
  const split = keys.length > 0
  return {
    ...query,
    outputs:
      kind === 'period'
        ? [...keys, ofBeside, ofSubject, { expression: change, alias: 'change' }]
        : [...keys, ofSubject, ofBeside],
    orderBy: split
      ? [
          kind === 'period'
            ? { expression: change, direction: falling ? 'asc' : 'desc', details: [] }
            : { expression: subject, direction: 'desc', details: [] },
        ]
      : [],
    limit: null,
  }
}

/** The aggregate that a query shows. */
export const shownAggregate = (query: SelectTree): Aggregate | null => {
  const shown = query.outputs.flatMap(({ expression }) =>
    expression.kind === 'aggregate' ? [expression] : [],
  )
  return shown[0] ?? null
}

/** A sum of nothing is 0, not null: a value without rows in one period has sold nothing in it. */
const aggregateWhen = (measure: Aggregate, when: Expression): Expression => {
  const { argument, fn } = measure
  const branches = [{ when, value: argument ?? literalOf(1) }]
  const otherwise = fn === 'sum' ? literalOf(0) : null
  return { ...measure, star: false, argument: { kind: 'case', operand: null, branches, otherwise } }
}
