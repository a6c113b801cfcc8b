import { aggregateOf, columnOf, literalOf, selectOf } from '../../sql/tree/compose-query.ts'
import { callOf, type Expression, type Output, type QueryTree } from '../../sql/tree/query-tree.ts'
import { compileFact, type Fact, type FactClauses, type FactQuery, needsRanks } from './facts.ts'
import { tidied } from './group-headings.ts'
import type { LayerIndex } from './layer-index.ts'
import { isTotal, type Measure } from './measures.ts'
import { compileRankedFact } from './ranked-fact.ts'
import { type CompileContext, derivedSource, freeName, plainOutput } from './scope.ts'

/** The figures of all facts of a query as one SELECT, and the names that their columns have if they get any. */
export interface Figures extends FactClauses {
  readonly names: ReadonlyMap<number, string>
}

/**
 * Puts facts together after each was aggregated by itself, so that no row of one counts for each row of another. A total
 * is 0 where only another fact has rows; everything else is NULL there.
 */
export const combineFacts = (facts: readonly Fact[], query: FactQuery, context: CompileContext): Figures => {
  const parts = facts.map(fact =>
    needsRanks(fact, context) ? compileRankedFact(fact, query, context) : compileFact(fact, query, context),
  )
  const [first] = parts
  const measures = facts.flatMap(fact => fact.measures)
  const names = measureNames(
    measures,
    first!.keys.map(({ name }) => name),
  )
  if (parts.length === 1) return { ...first!, names }
  const isCompared = query.compare?.kind === 'period'
  return first!.keys.length === 0
    ? { ...besideEachOther(facts, parts, { names, isCompared, index: context.index }), names }
    : { ...stacked(facts, parts, { names, isCompared, index: context.index }), names }
}

const measureNames = (measures: Fact['measures'], keys: readonly string[]): ReadonlyMap<number, string> => {
  const taken = new Set(keys.map(key => key.toLowerCase()))
  return new Map(
    measures.map(({ measure, at }) => {
      const name = freeName(measure.name, wanted => taken.has(wanted.toLowerCase()))
      taken.add(name.toLowerCase())
      taken.add(beforeName(name).toLowerCase())
      return [at, name] as const
    }),
  )
}

/** The column of a measure in the period before. */
export const beforeName = (name: string): string => `${name}_before`

/** The columns of a SELECT of figures: keys, then each measure, with the period before beside it. */
export const figureOutputs = (
  { keys, aggregates }: FactClauses,
  names: Figures['names'],
): readonly Output[] => [
  ...keys.map(({ name, expression }) => plainOutput({ expression, alias: name })),
  ...[...aggregates].flatMap(([at, { value, before }]) => {
    const name = names.get(at)!
    return [
      plainOutput({ expression: value, alias: name }),
      ...(before === null ? [] : [{ expression: before, alias: beforeName(name) }]),
    ]
  }),
]

/** What the figures of several facts are put together with. */
interface Combined {
  readonly names: Figures['names']
  readonly isCompared: boolean
  readonly index: LayerIndex
}

/** Single rows side by side. */
const besideEachOther = (
  facts: readonly Fact[],
  parts: readonly FactClauses[],
  { names, isCompared, index }: Combined,
): FactClauses => ({
  keys: [],
  aggregates: new Map(
    [...names].map(([at, name]) => [
      at,
      { value: columnOf(name), before: isCompared ? columnOf(beforeName(name)) : null },
    ]),
  ),
  select: {
    from: parts.map((part, at) =>
      derivedSource(
        tidied(selectOf({ ...part.select, outputs: figureOutputs(part, names) }), index),
        `${names.get(facts[at]!.measures[0]!.at)!}_figure`,
        at === 0 ? {} : { join: 'cross' },
      ),
    ),
    where: null,
    groupBy: [],
  },
})

/** The groups of all facts, each of which fills its own columns; put together, a group has one row again. */
const stacked = (
  facts: readonly Fact[],
  parts: readonly FactClauses[],
  { names, isCompared, index }: Combined,
): FactClauses => {
  const all = facts.flatMap((fact, index) => fact.measures.map(one => ({ ...one, fact, index })))
  const branches = parts.map((part, place) => {
    const outputs = all.flatMap(({ measure, at, fact, index: own }): readonly Output[] => {
      const name = names.get(at)!
      const found = part.aggregates.get(at)
      const isSameRows = fact.rows === facts[place]!.rows
      const nothing = nothingOf(measure, { isSameRows, isTyped: own < 2 })
      return [
        plainOutput({ expression: found?.value ?? nothing, alias: name }),
        ...(isCompared ? [{ expression: found?.before ?? nothing, alias: beforeName(name) }] : []),
      ]
    })
    const keys = part.keys.map(({ expression, name }) => plainOutput({ expression, alias: name }))
    return tidied(selectOf({ ...part.select, outputs: [...keys, ...outputs] }), index)
  })
  const union = branches.slice(1).reduce<QueryTree>(unionAll, branches[0]!)
  const keys = parts[0]!.keys.map(key => ({ ...key, expression: columnOf(key.name) }))
  const whole = (measure: Measure, name: string): Expression =>
    aggregateOf(isTotal(measure) ? 'sum' : 'max', columnOf(name))
  return {
    keys,
    aggregates: new Map(
      all.map(({ measure, at }) => {
        const name = names.get(at)!
        return [
          at,
          { value: whole(measure, name), before: isCompared ? whole(measure, beforeName(name)) : null },
        ]
      }),
    ),
    select: {
      from: [derivedSource(union, 'facts')],
      where: null,
      groupBy: keys.map(({ expression }) => expression),
    },
  }
}

/**
 * What stands for a measure in the rows of another fact. Postgres decides the type of a column by its first two rows, so
 * NULL needs a type if the measure comes later.
 */
const nothingOf = (
  measure: Measure,
  { isSameRows, isTyped }: { readonly isSameRows: boolean; readonly isTyped: boolean },
): Expression => {
  if (isTotal(measure) && !isSameRows) return literalOf(0)
  const isNumber = measure.aggregation !== 'min' && measure.aggregation !== 'max'
  return isTyped || !isNumber ? literalOf(null) : callOf('nullif', [literalOf(0), literalOf(0)])
}

const unionAll = (left: QueryTree, right: QueryTree): QueryTree => {
  const { ctes, recursive, orderBy, limit, offset, details, brackets } = selectOf({ from: [], outputs: [] })
  const frame = { ctes, recursive, orderBy, limit, offset, details, brackets }
  return { ...frame, kind: 'set', operator: 'union', all: true, left, right }
}
