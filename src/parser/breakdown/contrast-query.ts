import type { Expression, SelectItem, SelectQuery } from '../../sql/render/query.ts'

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
  query: SelectQuery,
  sides: ContrastSides,
  { kind, falling }: { readonly kind: 'period' | 'group'; readonly falling: boolean },
): SelectQuery | null => {
  const measure = shownAggregate(query)
  if (!measure) return null
  const keys = query.items.filter(item => item.expression !== measure)
  const subject = aggregateWhen(measure, sides.subject.when)
  const beside = sides.beside.when === null ? measure : aggregateWhen(measure, sides.beside.when)
  const ofSubject: SelectItem = { expression: subject, alias: sides.subject.alias }
  const ofBeside: SelectItem = { expression: beside, alias: sides.beside.alias }
  const change: Expression = { kind: 'minus', left: subject, right: beside }
  const split = keys.length > 0
  return {
    ...query,
    items:
      kind === 'period'
        ? [...keys, ofBeside, ofSubject, { expression: change, alias: 'change' }]
        : [...keys, ofSubject, ofBeside],
    orderBy: split
      ? [
          kind === 'period'
            ? { expression: change, direction: falling ? 'asc' : 'desc', nullable: false }
            : { expression: subject, direction: 'desc', nullable: false },
        ]
      : [],
    limit: null,
  }
}

/** The aggregate that a query shows. */
export const shownAggregate = (query: SelectQuery): Aggregate | null => {
  const shown = query.items.flatMap(({ expression }) => (expression.kind === 'aggregate' ? [expression] : []))
  return shown[0] ?? null
}

/** A sum of nothing is 0, not null: a value without rows in one period has sold nothing in it. */
const aggregateWhen = (measure: Aggregate, when: Expression): Expression => {
  const { argument, fn } = measure
  const one: Expression = { kind: 'literal', value: 1 }
  const none: Expression = { kind: 'literal', value: 0 }
  const result = argument.kind === 'star' ? one : argument
  return {
    ...measure,
    argument: { kind: 'case', when, result, otherwise: fn === 'sum' ? none : null },
  }
}
