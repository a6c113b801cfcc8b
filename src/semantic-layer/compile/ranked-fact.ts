import { aggregateOf, columnOf, literalOf, selectOf } from '../../sql/tree/compose-query.ts'
import { callOf, compareOf, type Expression } from '../../sql/tree/query-tree.ts'
import { conditionsOf, type Fact, type FactClauses, type FactQuery, openFact } from './facts.ts'
import type { KeyColumn } from './keys.ts'
import {
  allOf,
  type CompileContext,
  derivedSource,
  freeName,
  plainOutput,
  UncompilableError,
} from './scope.ts'

/**
 * A percentile where the dialect has none: rows are numbered within their group, and the one or two around the wanted
 * position are weighted by how near they are to it. For two periods, each has numbers of its own.
 */
export const compileRankedFact = (fact: Fact, query: FactQuery, context: CompileContext): FactClauses => {
  const [only] = fact.measures
  if (only === undefined) throw new UncompilableError('a fact without measures')
  const { measure, at } = only
  const { scope, keys, where, current, before } = openFact(fact, query, context)
  const { conditions, shared } = conditionsOf(scope, fact)
  const own = conditions[0] ?? []
  const value = measure.operand?.(scope.joining('left')) ?? literalOf(1)
  const names = new Set(keys.map(({ name }) => name))
  const free = (wanted: string): string => {
    const name = freeName(wanted, taken => names.has(taken))
    names.add(name)
    return name
  }
  const fraction = measure.percentile ?? 0.5
  const stretches = before === null ? [null] : [current, before]
  const ranks = stretches.map(stretch => {
    const [measured, place, places] = [free('measured'), free('place'), free('places')]
    const condition = allOf([...own, ...(stretch ? [stretch] : [])])
    const counted = condition === null ? value : within(condition, value)
    return {
      outputs: [
        { expression: counted, alias: measured },
        { expression: placeOf(counted, keys), alias: place },
        { expression: placesOf(counted, keys), alias: places },
      ],
      aggregate: atFraction(fraction, measured, place, places),
    }
  })
  const ranked = selectOf({
    outputs: [
      ...keys.map(({ expression, name }) => plainOutput({ expression, alias: name })),
      ...ranks.flatMap(({ outputs }) => outputs).map(plainOutput),
    ],
    from: scope.sources(),
    where: allOf([...where, ...shared]),
  })
  const columns = keys.map(key => ({ ...key, expression: columnOf(key.name) }))
  return {
    keys: columns,
    aggregates: new Map([[at, { value: ranks[0]!.aggregate, before: ranks[1]?.aggregate ?? null }]]),
    select: {
      from: [derivedSource(ranked, 'ranked_rows')],
      where: null,
      groupBy: columns.map(({ expression }) => expression),
    },
  }
}

const within = (condition: Expression, value: Expression): Expression => ({
  kind: 'case',
  operand: null,
  branches: [{ when: condition, value }],
  otherwise: null,
})

/** The number of a row in its group, by its value; rows without one come last. */
const placeOf = (value: Expression, keys: readonly KeyColumn[]): Expression => ({
  kind: 'window',
  call: callOf('row_number'),
  partitionBy: keys.map(({ expression }) => expression),
  orderBy: [{ expression: value, direction: 'asc', details: [], nullsLast: true }],
  details: [],
})

/** How many rows of its group have a value. */
const placesOf = (value: Expression, keys: readonly KeyColumn[]): Expression => ({
  kind: 'window',
  call: aggregateOf('count', value),
  partitionBy: keys.map(({ expression }) => expression),
  orderBy: [],
  details: [],
})

/** The sum of the values less than one place away from the wanted one, each by its nearness. */
const atFraction = (fraction: number, measured: string, place: string, places: string): Expression => {
  const minus = (left: Expression, right: Expression): Expression => ({
    kind: 'arithmetic',
    operator: '-',
    left,
    right,
  })
  const times = (left: Expression, right: Expression): Expression => ({
    kind: 'arithmetic',
    operator: '*',
    left,
    right,
  })
  const one = literalOf(1)
  const wanted = times(literalOf(fraction), minus(columnOf(places), one))
  const away = callOf('abs', [minus(minus(columnOf(place), one), wanted)])
  const value = times(columnOf(measured), minus(one, away))
  return aggregateOf('sum', within(compareOf('<', away, one), value))
}
