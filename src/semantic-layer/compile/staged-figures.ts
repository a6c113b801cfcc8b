import type { MetricQuery } from '../../domain/metrics/metric-query.ts'
import { columnOf, literalOf, selectOf, tableSource } from '../../sql/tree/compose-query.ts'
import {
  type CommonTable,
  callOf,
  compareOf,
  type Expression,
  type JoinedSource,
  type Ordering,
} from '../../sql/tree/query-tree.ts'
import {
  columnOutput,
  keyOutput,
  type MeantColumn,
  orderings,
  type Sortable,
  sameFormula,
  sameKey,
  type UsedMetrics,
} from './columns.ts'
import { beforeName, combineFacts, figureOutputs } from './combine-facts.ts'
import type { CompiledQuery } from './compile-metric-query.ts'
import { type Fact, factQuery } from './facts.ts'
import { tidied } from './group-headings.ts'
import { type KeyColumn, uniqueNames } from './keys.ts'
import type { ResolvedMetric } from './measures.ts'
import { allOf, type CompileContext, freeName, UncompilableError } from './scope.ts'
import {
  figureColumns,
  figureExpression,
  firstDayNeeded,
  hasWindows,
  lagOf,
  startOf,
  type Windowed,
} from './windows.ts'

/** Rows that a SELECT can be laid over: their sources, and each column by its expression. */
interface Stage {
  readonly from: readonly JoinedSource[]
  readonly keys: readonly KeyColumn[]
  readonly columns: readonly MeantColumn[]
  readonly figureOf: (metric: ResolvedMetric) => Expression
}

/**
 * Figures that are compared with those of other groups: they are aggregated first; then each is put beside what it is
 * compared with, groups are left out, and those that remain are numbered if only the first of each are wanted.
 */
export const compileStaged = (
  query: MetricQuery,
  used: UsedMetrics,
  facts: readonly Fact[],
  context: CompileContext,
): CompiledQuery => {
  const ctes: CommonTable[] = []
  const tables = new Set([...context.index.models.values()].map(({ table }) => table.name.toLowerCase()))
  const freeTable = (wanted: string): string => freeName(wanted, name => tables.has(name.toLowerCase()))
  let stage = aggregated(query, used, facts, { context, ctes, name: freeTable('figures') })
  let conditions: readonly Expression[] = [
    ...inPeriod(query, used, stage, context),
    ...conditionsOn(stage, used),
  ]
  if (hasWindows(query, used) && conditions.length > 0) {
    // What adds up over groups needs those that are left out.
    stage = named(stage, used, freeTable('measured'), ctes)
    conditions = [...inPeriod(query, used, stage, context), ...conditionsOn(stage, used)]
  }
  const sortable: Sortable = { ...stage, used, dialect: context.dialect }
  if (query.limitPer.length > 0)
    return firstOfEach(query, { stage, conditions, sortable, ctes, name: freeTable('ranked') })
  const tree = selectOf({
    ctes,
    outputs: stage.columns.map(columnOutput),
    from: stage.from,
    where: allOf(conditions),
    orderBy: orderings(query, sortable),
    limit: query.limit === null ? null : literalOf(query.limit),
  })
  return { query: tree, columns: stage.columns.map(({ meaning }) => meaning) }
}

/** The figures of each group, and the columns that are derived of them. */
const aggregated = (
  query: MetricQuery,
  used: UsedMetrics,
  facts: readonly Fact[],
  {
    context,
    ctes,
    name,
  }: { readonly context: CompileContext; readonly ctes: CommonTable[]; readonly name: string },
): Stage => {
  const figures = combineFacts(facts, factQuery(widened(query, used)), context)
  const { names } = figures
  ctes.push({
    name,
    renamed: [],
    query: tidied(selectOf({ ...figures.select, outputs: figureOutputs(figures, names) }), context.index),
  })
  const isSeries = query.compare?.kind === 'series'
  const column = (own: string): Expression => columnOf(own, isSeries ? name : null)
  const keys = figures.keys.map(one => ({ ...one, expression: column(one.name) }))
  const windowed: Windowed = {
    keys,
    measures: used.measures,
    measureAt: at => column(names.get(at)!),
    beforeAt: at => (isSeries ? columnOf(names.get(at)!, 'earlier') : columnOf(beforeName(names.get(at)!))),
  }
  return {
    from: [tableSource({ schema: null, name }), ...(isSeries ? [joinEarlier(query, keys, name)] : [])],
    keys,
    columns: uniqueNames([
      ...keys.filter(({ isHidden }) => !isHidden).map(keyOutput),
      ...used.shown.flatMap(metric => figureColumns(query, windowed, metric)),
    ]),
    figureOf: metric => figureExpression(windowed, metric),
  }
}

/** A query over all the days that its figures need: a series, what came before its first period. */
const widened = (query: MetricQuery, used: UsedMetrics): MetricQuery => {
  const { period } = query
  return period === null || period.from === null
    ? query
    : { ...query, period: { ...period, from: firstDayNeeded(query, used, period.from) } }
}

/** Leaves out the periods that were only needed for others. */
const inPeriod = (
  query: MetricQuery,
  used: UsedMetrics,
  { keys }: Stage,
  { timeZone }: CompileContext,
): readonly Expression[] => {
  const from = query.period?.from ?? null
  if (from === null || firstDayNeeded(query, used, from) === from) return []
  return keys.flatMap(({ key, expression }) =>
    key.kind === 'grain'
      ? [
          compareOf('>=', expression, {
            kind: 'moment',
            day: startOf(from, key.grain),
            type: 'date',
            timeZone,
          }),
        ]
      : [],
  )
}

const conditionsOn = ({ figureOf, columns }: Stage, { kept }: UsedMetrics): readonly Expression[] =>
  kept.map(({ metric, of, operator, value }) => {
    const changed = columns.find(
      ({ figure }) => figure?.of === 'change' && sameFormula(figure.metric, metric),
    )
    if (of === 'change' && !changed) throw new UncompilableError('a change of what is not compared')
    const figure = of === 'change' && changed ? changed.expression : figureOf(metric)
    return compareOf(operator, figure, literalOf(value))
  })

/** The same groups one step earlier in time. */
const joinEarlier = (query: MetricQuery, keys: readonly KeyColumn[], name: string): JoinedSource => {
  const { count, unit } = lagOf(query)
  const series = keys.find(({ key }) => key.kind === 'grain' || key.kind === 'cohort')
  const on = keys.map(key => {
    const [before, now] = [columnOf(key.name, 'earlier'), columnOf(key.name, name)]
    if (key === series) return compareOf('=', before, { kind: 'shift', operand: now, count: -count, unit })
    const equal = compareOf('=', before, now)
    return key.mayBeNull ? { ...equal, variant: 'null-safe' as const } : equal
  })
  return tableSource({ schema: null, name, alias: 'earlier' }, { join: 'left', on: allOf(on) })
}

/** A stage as a query with a name, and its columns by theirs. */
const named = (stage: Stage, used: UsedMetrics, name: string, ctes: CommonTable[]): Stage => {
  const shownNames = new Map<string, string>()
  for (const { figure, name: own } of stage.columns)
    if (figure?.of === 'value') shownNames.set(JSON.stringify(figure.metric.formula), own)
  const taken = new Set(stage.columns.map(column => column.name))
  const keys = stage.keys.map(key => {
    const isShown = stage.columns.some(column => column.key === key.key && column.name === key.name)
    const own = isShown ? key.name : freeName(key.name, wanted => taken.has(wanted))
    taken.add(own)
    return { ...key, expression: columnOf(own), isAdded: !isShown }
  })
  const others = [...used.kept, ...used.sorted].flatMap(({ metric }) => {
    const formula = metric && JSON.stringify(metric.formula)
    if (metric === null || formula === null || shownNames.has(formula)) return []
    const own = freeName(metric.name, wanted => taken.has(wanted))
    taken.add(own)
    shownNames.set(formula, own)
    return [{ expression: stage.figureOf(metric), alias: own }]
  })
  ctes.push({
    name,
    renamed: [],
    query: selectOf({
      outputs: [
        ...keys.flatMap(({ isAdded, expression }, at) =>
          isAdded ? [{ expression: stage.keys[at]!.expression, alias: expression.name }] : [],
        ),
        ...stage.columns.map(columnOutput),
        ...others,
      ],
      from: stage.from,
    }),
  })
  return {
    from: [tableSource({ schema: null, name })],
    keys,
    columns: stage.columns.map(column => ({ ...column, expression: columnOf(column.name) })),
    figureOf: ({ formula }) => columnOf(shownNames.get(JSON.stringify(formula))!),
  }
}

/** The first groups of each other group, by their number in it. */
const firstOfEach = (
  query: MetricQuery,
  {
    stage,
    conditions,
    sortable,
    ctes,
    name,
  }: {
    readonly stage: Stage
    readonly conditions: readonly Expression[]
    readonly sortable: Sortable
    readonly ctes: CommonTable[]
    readonly name: string
  },
): CompiledQuery => {
  const { columns, keys } = stage
  const per = keys.filter(({ key }) => query.limitPer.some(one => sameKey(one, key)))
  if (per.length === 0) throw new UncompilableError('the first of groups that are not shown')
  const place = freeName('place', wanted => columns.some(column => column.name === wanted))
  const rank: Expression = {
    kind: 'window',
    call: callOf('row_number'),
    partitionBy: per.map(({ expression }) => expression),
    orderBy: orderings({ ...query, limitPer: [] }, { ...sortable, hasHeadings: false }),
    details: [],
  }
  const isShown = (key: KeyColumn): boolean => columns.some(column => column.name === key.name)
  const ids = per.filter(key => !isShown(key))
  ctes.push({
    name,
    renamed: [],
    query: selectOf({
      outputs: [
        ...columns.map(columnOutput),
        ...ids.map(({ expression, name: own }) => ({ expression, alias: own })),
        { expression: rank, alias: place },
      ],
      from: stage.from,
      where: allOf(conditions),
    }),
  })
  const inOrder = (expression: Expression, hasNulls: boolean): Ordering => ({
    expression,
    direction: 'asc',
    details: [],
    ...(hasNulls && { nullsLast: true as const }),
  })
  const tree = selectOf({
    ctes,
    outputs: columns.map(column => ({ expression: columnOf(column.name), alias: null })),
    from: [tableSource({ schema: null, name })],
    where: query.limit === null ? null : compareOf('<=', columnOf(place), literalOf(query.limit)),
    orderBy: [
      ...[...per.filter(isShown), ...ids].map(key => inOrder(columnOf(key.name), key.mayBeNull)),
      inOrder(columnOf(place), false),
    ],
  })
  return { query: tree, columns: columns.map(({ meaning }) => meaning) }
}
