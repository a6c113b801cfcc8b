import type { DateUnit } from '../../../domain/metrics/metric-query.ts'
import type { MetricDefinition, SimpleMetric, Unit } from '../../../domain/metrics/semantic-layer.ts'
import { type AggregateCall, readCalculation } from '../aggregate-sql.ts'
import { type FieldReferences, referencePath } from '../field-references.ts'
import { descriptionOf, identifier, isGeneric, metricLabel, unitOfFormat } from '../import-names.ts'
import { untranslatable } from '../imported-layer.ts'
import {
  calculatedMetric,
  type LayerDraft,
  type MetricItem,
  makeMetricItems,
  metricOf,
  unitOfAggregate,
} from '../layer-draft.ts'
import { columnOfParts, partsExpression, partsText } from '../sql-parts.ts'
import type { Cube, CubeMeasure } from './files.ts'
import type { CubeContext } from './import-cube.ts'

/** Cube shows percentages as they are; it does not say which currency it means. */
export const cubeUnit = (
  format: string | null | undefined,
  currency: string | null | undefined,
  sql: string,
): Unit | null => {
  const name = format?.toLowerCase() ?? ''
  if (/^currency(_\d)?$/.test(name))
    return { kind: 'currency', code: currency?.toUpperCase() ?? null, scale: 1 }
  if (/^percent(_\d)?$/.test(name))
    return { kind: 'percent', scale: /\b100(\.0*)?\b|\//.test(sql) && !/\b100(\.0*)?\b/.test(sql) ? 100 : 1 }
  return unitOfFormat(format)
}

/** Translates the measures of all cubes. */
export const translateCubeMeasures = (context: CubeContext): void => {
  const { draft, cubes } = context
  const all = [...cubes.values()].flatMap(cube => (cube.measures ?? []).map(measure => ({ cube, measure })))
  const items: MetricItem[] = all.map(({ cube, measure }) => {
    const plain = identifier(measure.name)
    const long = `${identifier(cube.name)}_${plain}`
    const isCommon = isGeneric(plain) || all.filter(one => identifier(one.measure.name) === plain).length > 1
    return {
      key: `${cube.name}.${measure.name}`,
      kind: 'measure',
      shown: `${cube.name}.${measure.name}`,
      wanted: isCommon ? [long] : [plain, long],
      isSimple: (measure.type ?? '') !== 'number' && !measure.rolling_window,
      build: name => {
        const { definition, unit, note } = definitionOf(cube, measure, context, metricNamed)
        draft.addMetric(
          metricOf(
            {
              name,
              label: labelOf(cube, measure, definition, context),
              description: measure.description,
              unit,
            },
            definition,
          ),
        )
        return note
      },
    }
  })
  const metrics = makeMetricItems(draft, items)
  const metricNamed = (cube: string, reference: string): string => {
    if (!/[{}]/.test(reference))
      untranslatable(
        `It uses the column ${reference} without an aggregate. Give the measure a type such as sum.`,
      )
    const path = referencePath(reference).split('.')
    const own = path.length > 1 && path[0] !== 'CUBE' ? (path.at(-2) ?? cube) : cube
    const key = `${own}.${path.at(-1)}`
    if (metrics.has(key)) return metrics.nameOf(key)
    return untranslatable(
      `It uses ${referencePath(reference)}, which is no measure of the files. Aggregate it, or pass the file that has it.`,
    )
  }
  metrics.translateAll()
}

const labelOf = (
  cube: Cube,
  { name, title }: CubeMeasure,
  definition: MetricDefinition,
  { draft }: CubeContext,
): string => {
  const given = descriptionOf(title)
  const model = draft.models.get(identifier(cube.name))
  const plural = model?.plural ?? cube.name
  if (definition.kind === 'simple' && /^(count|number)$/i.test(given ?? name)) return `Number of ${plural}`
  if (given === null && isGeneric(identifier(name))) return `${metricLabel(name, null)} of ${plural}`
  return metricLabel(name, given)
}

interface MeasureDefinition {
  readonly definition: MetricDefinition
  readonly unit: Unit | null
  readonly note: string | null
}

const aggregations = {
  count: 'count',
  count_distinct: 'count_distinct',
  count_distinct_approx: 'count_distinct',
  countdistinct: 'count_distinct',
  countdistinctapprox: 'count_distinct',
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
} as const

const definitionOf = (
  cube: Cube,
  measure: CubeMeasure,
  context: CubeContext,
  metricNamed: (cube: string, reference: string) => string,
): MeasureDefinition => {
  const { draft } = context
  const type = (measure.type ?? 'number').toLowerCase()
  const sql = measure.sql ?? null
  if (measure.multi_stage || measure.time_shift)
    untranslatable(
      'It is calculated in several stages (multi_stage). Ask for shares, ranks and earlier periods in the question instead.',
    )
  if (measure.case) untranslatable('It switches between measures when asked. Make a measure of each.')
  const unit = cubeUnit(measure.format, measure.currency, sql ?? '')
  if (type === 'number' || type === 'running_total' || type === 'runningtotal') {
    if (sql === null) return untranslatable('It has no SQL. Ask /v1/meta with ?extended=true.')
    if (measure.filters?.length)
      untranslatable('It filters a calculated number. Put the filters on the measures that it is made of.')
    const made = calculatedMetric(draft, readCalculation(sql), {
      metricNamed: reference => metricNamed(cube.name, reference),
      simple: call => simpleOf(cube, call, [], context),
    })
    if (type === 'number') return { ...made, unit: numberUnit(made.definition, made.unit, unit), note: null }
    const inner =
      made.definition.kind === 'simple'
        ? draft.metricFor(made.definition, {
            wanted: `${cube.name}_${measure.name}_total`,
            label: metricLabel(measure.name, null),
            unit,
          })
        : made.definition.kind === 'derived'
          ? made.definition.formula
          : untranslatable('It sums up a ratio over time.')
    return { definition: { kind: 'cumulative', metric: inner, window: null, toDate: null }, unit, note: null }
  }
  const aggregation = Object.entries(aggregations).find(([name]) => name === type)?.[1]
  if (aggregation === undefined)
    return untranslatable(
      `It is of type ${type}, which is no figure. Make it a dimension, or a measure of type count, sum, avg, min, max or number.`,
    )
  if (aggregation !== 'count' && sql === null)
    return untranslatable('It has no SQL. Ask /v1/meta with ?extended=true.')
  const filters = (measure.filters ?? []).flatMap(one => one.sql ?? [])
  const definition = simpleOf(
    cube,
    { kind: 'aggregate', aggregation, argument: sql, percentile: null, filter: null },
    filters,
    context,
  )
  const ownUnit = unitOfAggregate(aggregation, unit)
  const note = type.includes('approx') ? 'It is counted exactly.' : null
  if (!measure.rolling_window) return { definition, unit: ownUnit, note }
  return rolling(cube, measure, { definition, unit: ownUnit, note }, draft)
}

/** A ratio of sums is a percentage if the format says so, and a fraction before it. */
const numberUnit = (definition: MetricDefinition, made: Unit | null, unit: Unit | null): Unit | null =>
  made !== null && unit?.kind !== 'currency'
    ? unit?.kind === 'percent' || unit === null
      ? made
      : unit
    : definition.kind === 'ratio' && unit?.kind === 'percent'
      ? { kind: 'percent', scale: 100 }
      : unit

const rolling = (
  cube: Cube,
  measure: CubeMeasure,
  inner: MeasureDefinition & { readonly definition: SimpleMetric },
  draft: LayerDraft,
): MeasureDefinition => {
  const { rolling_window: window, name } = measure
  const trailing = String(window?.trailing ?? 'unbounded').trim()
  if (window?.leading) untranslatable('Its window reaches into the future, which a running metric cannot.')
  const count = /^(\d+)\s+(day|week|month|quarter|year)s?$/i.exec(trailing)
  const isToDate = window?.type === 'to_date'
  if (!isToDate && trailing !== 'unbounded' && count === null)
    untranslatable(
      `Its window is "${trailing}"; Querent sums up over days, weeks, months, quarters and years.`,
    )
  const metric = draft.metricFor(inner.definition, {
    wanted: `${cube.name}_${name}_base`,
    label: metricLabel(name, descriptionOf(measure.title)),
    unit: inner.unit,
  })
  return {
    definition: {
      kind: 'cumulative',
      metric,
      window:
        count && !isToDate ? { count: Number(count[1]), unit: count[2]!.toLowerCase() as DateUnit } : null,
      toDate: isToDate ? toDateUnit(window?.granularity ?? '') : null,
    },
    unit: inner.unit,
    note: inner.note,
  }
}

const toDateUnit = (granularity: string): DateUnit =>
  /^(day|week|month|quarter|year)$/.test(granularity)
    ? (granularity as DateUnit)
    : untranslatable(
        `Its window goes by ${granularity || 'no granularity'}; use day, week, month, quarter or year.`,
      )

const simpleOf = (
  cube: Cube,
  call: AggregateCall,
  filters: readonly string[],
  { draft, references }: CubeContext,
): SimpleMetric => {
  const model = draft.models.get(identifier(cube.name))
  if (model === undefined) return untranslatable(`Its cube ${cube.name} was skipped.`)
  const all = call.filter === null ? filters : [...filters, call.filter]
  const isRows =
    call.argument === null ||
    (call.aggregation === 'count' && isKey(model.primaryKey, cube, call.argument, references))
  return {
    kind: 'simple',
    model: model.name,
    aggregation: call.aggregation,
    expression: isRows ? null : partsExpression(references.rows(cube.name, call.argument ?? '')),
    percentile: call.percentile,
    filters: all.map(filter => partsText(references.rows(cube.name, filter))),
    timeDimension: null,
  }
}

/** Counting the primary key is counting rows. */
const isKey = (key: readonly string[], cube: Cube, sql: string, references: FieldReferences): boolean => {
  const column = columnOfParts(references.rows(cube.name, sql))
  return key.length === 1 && column === key[0]
}
