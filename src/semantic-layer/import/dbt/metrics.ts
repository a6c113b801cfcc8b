import type { DateUnit } from '../../../domain/metrics/metric-query.ts'
import type { Metric, MetricDefinition, SimpleMetric } from '../../../domain/metrics/semantic-layer.ts'
import { formulaNames, parseFormula } from '../../compile/formula.ts'
import { type Calculation, readCalculation } from '../aggregate-sql.ts'
import { identifier, metricLabel, unitOfFormat } from '../import-names.ts'
import { UntranslatableError, untranslatable } from '../imported-layer.ts'
import { calculatedMetric, metricOf, unitOfAggregate } from '../layer-draft.ts'
import { dbtFilters, dbtModelOf, dbtTimeDimension } from './filters.ts'
import { type DbtContext, dbtAggregate, synonymsOfMeta } from './import-dbt.ts'
import type { DbtMeasure, DbtMetric, DbtMetricInput } from './manifest.ts'

/** Translates the metrics of a project, and the measures that they use or that stand on their own. */
export const translateDbtMetrics = (context: DbtContext): void => {
  const { manifest, draft } = context
  const measures = new Map(
    manifest.models.flatMap(model =>
      model.measures.map(measure => [measure.name, { model: model.name, measure }] as const),
    ),
  )
  const names = new Map(
    manifest.metrics.map(metric => [metric.name, draft.nameMetric(identifier(metric.name))]),
  )
  const state: MetricState = { context, measures, names, failed: new Map() }
  for (const metric of inOrder(manifest.metrics))
    draft.item('metric', metric.name, () => {
      try {
        const { definition, note } = definitionOf(state, metric)
        draft.addMetric(namedMetric(state, metric, definition))
        return note
      } catch (error) {
        if (error instanceof UntranslatableError) state.failed.set(metric.name, error.message)
        throw error
      }
    })
  const used = new Set(manifest.metrics.flatMap(metric => usedMeasures(metric)))
  for (const { model, measure } of measures.values())
    draft.item('measure', `${model}.${measure.name}`, () => {
      const definition = dbtAggregate(context, model, measure)
      if (used.has(measure.name)) return null
      draft.metricFor(definition, {
        wanted: measure.name,
        label: metricLabel(measure.name, measure.label ?? null),
        unit: unitOfAggregate(definition.aggregation, null),
      })
      return measure.create_metric === true ? null : 'No metric uses it, so it is a metric of its own.'
    })
}

interface MetricState {
  readonly context: DbtContext
  readonly measures: ReadonlyMap<string, { readonly model: string; readonly measure: DbtMeasure }>
  readonly names: ReadonlyMap<string, string>
  /** Metrics that were skipped, with the reason. */
  readonly failed: Map<string, string>
}

const usedMeasures = ({ type_params: { measure } }: DbtMetric): readonly string[] =>
  measure ? [measure.name] : []

/** Metrics after those that they use. */
const inOrder = (metrics: readonly DbtMetric[]): readonly DbtMetric[] => {
  const byName = new Map(metrics.map(metric => [metric.name, metric]))
  const done = new Set<DbtMetric>()
  const visit = (metric: DbtMetric): void => {
    if (done.has(metric)) return
    done.add(metric)
    for (const input of inputsOf(metric)) {
      const other = byName.get(input.name)
      if (other) visit(other)
    }
  }
  // Simple ones first: others find their definitions.
  for (const metric of metrics.filter(({ type }) => type === 'simple')) visit(metric)
  for (const metric of metrics) visit(metric)
  const simple = [...done].filter(({ type }) => type === 'simple')
  return [...simple, ...[...done].filter(({ type }) => type !== 'simple')]
}

const inputsOf = ({ type_params: params }: DbtMetric): readonly DbtMetricInput[] =>
  [
    ...(params.metrics ?? []),
    params.numerator,
    params.denominator,
    params.cumulative_type_params?.metric,
  ].filter(input => input !== null && input !== undefined)

interface Translated {
  readonly definition: MetricDefinition
  readonly note: string | null
}

const definitionOf = (state: MetricState, metric: DbtMetric): Translated => {
  switch (metric.type.toLowerCase()) {
    case 'simple':
      return { definition: simpleDefinition(state, metric), note: null }
    case 'ratio':
      return ratioDefinition(state, metric)
    case 'derived':
      return derivedDefinition(state, metric)
    case 'cumulative':
      return cumulativeDefinition(state, metric)
    case 'conversion':
      return untranslatable(
        'It counts conversions within a window, which a layer cannot say. Add the converted rows as a model and count those.',
      )
    default:
      return untranslatable(`Querent does not know metrics of type ${metric.type}.`)
  }
}

const simpleDefinition = (
  state: MetricState,
  { name, type_params: params, filter }: DbtMetric,
): SimpleMetric => {
  const own = params.metric_aggregation_params
  if (own) {
    const definition = dbtAggregate(state.context, own.semantic_model, {
      ...own,
      name,
      // Without an expression, a metric of the newer specification aggregates the column with its name.
      expr: params.expr ?? (own.agg.toLowerCase() === 'count' ? 1 : null),
    })
    return withFilters(state, definition, filter)
  }
  if (!params.measure) return untranslatable('It has neither a measure nor an aggregation.')
  return withFilters(
    state,
    withFilters(state, measureDefinition(state, params.measure.name), params.measure.filter),
    filter,
  )
}

const measureDefinition = (state: MetricState, name: string): SimpleMetric => {
  const found = state.measures.get(name)
  return found === undefined
    ? untranslatable(`There is no measure ${name}.`)
    : dbtAggregate(state.context, found.model, found.measure)
}

const withFilters = (
  { context }: MetricState,
  definition: SimpleMetric,
  filter: readonly string[] | null | undefined,
): SimpleMetric => {
  if (!filter?.length) return definition
  const model = dbtModelOf(context, definition.model)
  if (model === undefined) return untranslatable(`Its model ${definition.model} was not translated.`)
  const time = dbtTimeDimension(model, definition.timeDimension)
  return { ...definition, filters: [...definition.filters, ...dbtFilters(context, model, filter, time)] }
}

/** The metric that an input means: the one named, or a copy that has the filters as well. */
const inputMetric = (
  state: MetricState,
  input: DbtMetricInput,
  filter: readonly string[] | null | undefined,
): string => {
  if (input.offset_window || input.offset_to_grain)
    untranslatable(
      `It compares with an earlier period (${input.name}). Ask for the comparison instead: "${input.name.replaceAll('_', ' ')} compared to last month".`,
    )
  const name = state.names.get(input.name)
  const failure = state.failed.get(input.name)
  if (name === undefined) return untranslatable(`There is no metric ${input.name}.`)
  if (failure !== undefined) return untranslatable(`It uses ${input.name}, which was skipped: ${failure}`)
  const filters = [...(input.filter ?? []), ...(filter ?? [])]
  return filters.length === 0 ? name : filteredMetric(state, name, filters, input.alias ?? null)
}

/** A metric with more filters, down to the simple metrics that it is made of. */
const filteredMetric = (
  state: MetricState,
  name: string,
  filters: readonly string[],
  alias: string | null,
): string => {
  const { draft } = state.context
  const metric = draft.metric(name)
  if (metric === undefined) return untranslatable(`It uses ${name}, which was not translated.`)
  const inner = (other: string): string => filteredMetric(state, other, filters, null)
  const wanted = alias ?? `${name}_filtered`
  const label = alias === null ? `${metric.label} (filtered)` : metricLabel(alias, null)
  if (metric.kind === 'simple')
    return draft.metricFor(withFilters(state, definitionOnly(metric), filters), {
      wanted,
      label,
      unit: metric.unit,
    })
  const definition: MetricDefinition =
    metric.kind === 'ratio'
      ? { kind: 'ratio', numerator: inner(metric.numerator), denominator: inner(metric.denominator) }
      : metric.kind === 'derived'
        ? { kind: 'derived', formula: renamedFormula(metric.formula, inner) }
        : { kind: 'cumulative', metric: inner(metric.metric), window: metric.window, toDate: metric.toDate }
  const own = draft.nameMetric(identifier(wanted))
  draft.addMetric(metricOf({ name: own, label, unit: metric.unit }, definition))
  return own
}

const definitionOnly = (metric: Metric & SimpleMetric): SimpleMetric => ({
  kind: 'simple',
  model: metric.model,
  aggregation: metric.aggregation,
  expression: metric.expression,
  percentile: metric.percentile,
  filters: metric.filters,
  timeDimension: metric.timeDimension,
})

const renamedFormula = (formula: string, rename: (name: string) => string): string => {
  const names = new Map(formulaNames(formula).map(name => [name, rename(name)]))
  return formula.replace(/[\p{L}_][\p{L}\p{N}_]*/gu, name => names.get(name) ?? name)
}

const ratioDefinition = (state: MetricState, { type_params: params, filter }: DbtMetric): Translated => {
  const { numerator, denominator } = params
  if (!numerator || !denominator) return untranslatable('It has no numerator or no denominator.')
  return {
    definition: {
      kind: 'ratio',
      numerator: inputMetric(state, numerator, filter),
      denominator: inputMetric(state, denominator, filter),
    },
    note: null,
  }
}

const derivedDefinition = (state: MetricState, metric: DbtMetric): Translated => {
  const { expr, metrics } = metric.type_params
  if (expr === null || expr === undefined) return untranslatable('It has no expression.')
  const inputs = new Map(
    (metrics ?? []).map(
      input => [input.alias ?? input.name, inputMetric(state, input, metric.filter)] as const,
    ),
  )
  const { definition } = calculatedMetric(state.context.draft, readCalculation(String(expr)), {
    metricNamed: reference =>
      inputs.get(reference) ??
      untranslatable(`Its expression uses ${reference}, which is not one of its metrics.`),
    simple: (_call: Calculation) => untranslatable('Its expression aggregates; use metrics instead.'),
  })
  if (definition.kind === 'derived') checkFormula(definition.formula)
  return { definition, note: null }
}

/** Throws if a formula is not one that can be compiled. */
const checkFormula = (formula: string): void => {
  try {
    parseFormula(formula, () => ({ kind: 'number', value: 1 }))
  } catch {
    untranslatable(`Its expression is not plain arithmetic: ${formula}.`)
  }
}

const dateUnits = new Set<string>(['day', 'week', 'month', 'quarter', 'year'])

const dateUnit = (text: string): DateUnit => {
  const unit = text.toLowerCase().replace(/s$/, '')
  return dateUnits.has(unit)
    ? (unit as DateUnit)
    : untranslatable(
        `Its window is in ${text}; Querent sums up over days, weeks, months, quarters and years.`,
      )
}

const cumulativeDefinition = (state: MetricState, metric: DbtMetric): Translated => {
  const { draft } = state.context
  const { type_params: params, filter } = metric
  const own = params.cumulative_type_params
  const window = own?.window ?? params.window
  const toDate = own?.grain_to_date ?? params.grain_to_date
  const input = own?.metric
  const inner = input
    ? inputMetric(state, input, filter)
    : params.measure
      ? draft.metricFor(
          withFilters(
            state,
            withFilters(state, measureDefinition(state, params.measure.name), params.measure.filter),
            filter,
          ),
          {
            wanted: state.names.has(params.measure.name)
              ? `${params.measure.name}_total`
              : params.measure.name,
            label: metricLabel(params.measure.name, null),
            unit: null,
          },
        )
      : untranslatable('It has neither a metric nor a measure.')
  const average = own?.period_agg && own.period_agg !== 'first' ? own.period_agg : null
  return {
    definition: {
      kind: 'cumulative',
      metric: inner,
      window: window ? { count: window.count, unit: dateUnit(window.granularity) } : null,
      toDate: toDate ? dateUnit(toDate) : null,
    },
    note: average === null ? null : `Periods show the last value, not the ${average} of their days.`,
  }
}

const namedMetric = (state: MetricState, metric: DbtMetric, definition: MetricDefinition): Metric => {
  const meta = metric.config?.meta ?? {}
  const format = ['format', 'unit', 'currency', 'value_format_name']
    .map(key => meta[key])
    .find(value => typeof value === 'string')
  const unit = typeof format === 'string' ? unitOfFormat(format) : null
  return metricOf(
    {
      name: state.names.get(metric.name) ?? identifier(metric.name),
      label: metricLabel(metric.name, metric.label ?? null),
      unit: definition.kind === 'simple' ? unitOfAggregate(definition.aggregation, unit) : unit,
      synonyms: synonymsOfMeta(metric.config),
      description: metric.description,
    },
    definition,
  )
}
