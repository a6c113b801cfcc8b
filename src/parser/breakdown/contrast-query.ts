import type { Expression, SelectItem, SelectQuery } from '../../sql/render/query.ts'

type Aggregate = Extract<Expression, { kind: 'aggregate' }>

/** Two conditions whose rows stand side by side, and what the columns are called. `null` takes all rows. */
export interface ContrastSides {
  readonly subject: { readonly when: Expression; readonly alias: string }
  readonly beside: { readonly when: Expression | null; readonly alias: string }
}

/**
 * A query of one measure, with or without a value that it is split by, as one that measures two sets of rows at once by
 * conditional aggregates. Null where the query has no such measure.
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

/** Sums of nothing are 0 and not null: a value without rows in one period has sold nothing in it. */
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
