import type { GroupKey, MetricUse } from '../../../domain/metrics/metric-query.ts'
import type {
  Dimension,
  Metric,
  SemanticLayer,
  SemanticModel,
  Unit,
} from '../../../domain/metrics/semantic-layer.ts'
import { splitName } from '../../../lib/fold-text.ts'
import { findPath, type LayerIndex, type PathStep } from '../../compile/layer-index.ts'
import { countOf } from '../draft/query-draft.ts'

/** What finishing a query needs to know of the layer. */
export interface FinishContext {
  readonly index: LayerIndex
  readonly layer: SemanticLayer
  readonly today: string
  /** The question wants a yes or no. */
  readonly isYesNo: boolean
}

export const modelNamed = ({ index }: Pick<FinishContext, 'index'>, name: string): SemanticModel | null =>
  index.models.get(name)?.model ?? null

/** The model whose rows a figure is measured over. */
export const baseOf = (use: MetricUse, context: Pick<FinishContext, 'index'>): SemanticModel | null => {
  if (use.kind === 'made') return modelNamed(context, use.model)
  if (use.kind === 'ratio') return baseOf(use.numerator, context)
  const metric = context.index.metrics.get(use.metric)
  return metric ? modelNamed(context, baseOfMetric(metric, context)) : null
}

const baseOfMetric = (metric: Metric, context: Pick<FinishContext, 'index'>): string => {
  const named = (name: string): string => {
    const inner = context.index.metrics.get(name)
    return inner && inner !== metric ? baseOfMetric(inner, context) : ''
  }
  switch (metric.kind) {
    case 'simple':
      return metric.model
    case 'ratio':
      return named(metric.numerator)
    case 'derived':
      return named(metric.formula.match(/[\p{L}_][\p{L}\p{N}_]*/u)?.[0] ?? '')
    case 'cumulative':
      return named(metric.metric)
    default: {
      const never: never = metric
      return never
    }
  }
}

export const unitOfUse = (use: MetricUse, { index }: Pick<FinishContext, 'index'>): Unit | null =>
  use.kind === 'named' ? (index.metrics.get(use.metric)?.unit ?? null) : null

export const labelOfUse = (use: MetricUse, { index }: Pick<FinishContext, 'index'>): string =>
  use.kind === 'named' ? (index.metrics.get(use.metric)?.label ?? use.metric) : use.label

/** Whether the parts of a figure add up. */
export const isAdditive = (use: MetricUse, { index }: FinishContext): boolean => {
  if (use.kind === 'made') return use.aggregation === 'count' || use.aggregation === 'sum'
  const metric = use.kind === 'named' ? index.metrics.get(use.metric) : undefined
  return metric?.kind === 'simple' && (metric.aggregation === 'sum' || metric.aggregation === 'count')
}

/** The number of a model's own rows that is an amount of money. */
export const amountDimension = (model: SemanticModel, layer: SemanticLayer): Dimension | null => {
  const metrics = layer.metrics.filter(
    metric =>
      metric.kind === 'simple' &&
      metric.model === model.name &&
      metric.expression?.kind === 'column' &&
      metric.unit?.kind === 'currency',
  )
  const columns = metrics
    .toSorted((a, b) => Number(isSum(b)) - Number(isSum(a)))
    .flatMap(metric =>
      metric.kind === 'simple' && metric.expression?.kind === 'column' ? [metric.expression.column] : [],
    )
  return model.dimensions.find(({ name }) => name === columns[0]) ?? null
}

const isSum = (metric: Metric): boolean => metric.kind === 'simple' && metric.aggregation === 'sum'

/** The sum of that number. */
export const amountMetric = (model: SemanticModel, { metrics }: SemanticLayer): MetricUse | null => {
  const metric = metrics.find(
    one =>
      one.kind === 'simple' &&
      one.model === model.name &&
      one.aggregation === 'sum' &&
      one.unit?.kind === 'currency',
  )
  return metric ? named(metric) : null
}

const named = ({ name }: Metric): MetricUse => ({ kind: 'named', metric: name, filters: [] })

/** What "best customers" go by if nothing else is said. */
export const revenueMetric = ({ metrics }: SemanticLayer): MetricUse | null => {
  const metric =
    metrics.find(({ name }) => name === 'revenue') ??
    metrics.find(({ synonyms }) => synonyms.includes('revenue'))
  return metric ? named(metric) : null
}

/** Revenue of rows that each belong to one of a model: of categories, that of lines, and not of whole orders. Null if none do. */
export const revenueOf = (model: SemanticModel, { layer, index }: FinishContext): MetricUse | null => {
  const metric = layer.metrics.find(
    one =>
      one.kind === 'simple' &&
      (one.name === 'revenue' || one.synonyms.includes('revenue')) &&
      findPath(index, one.model, model.name)?.every(step => step.isToOne),
  )
  return metric ? named(metric) : null
}

/** The rows whose date lines go by: the order of its lines, or the rows themselves. */
export const wholeOf = (lines: SemanticModel, context: Pick<FinishContext, 'index'>): SemanticModel => {
  const [join] = lines.timeDimension?.includes('.') ? lines.timeDimension.split('.') : []
  const whole = lines.joins.find(({ name }) => name === join)?.to
  return (whole === undefined ? null : modelNamed(context, whole)) ?? lines
}

/** How many rows a model has, as far as the catalog knows. */
export const rowCountOf = (
  { name }: Pick<SemanticModel, 'name'>,
  { index }: Pick<FinishContext, 'index'>,
): number => index.models.get(name)?.table.rowCount ?? 0

/** Whether rows of a model happen at a time of day: appointments, and not invoices. */
export const hasTimeOfDay = ({ timeDimension, dimensions }: SemanticModel): boolean =>
  dimensions.some(({ name, type }) => name === timeDimension && type === 'timestamp')

/** Whether a figure is how many rows there are. */
export const countsRows = (use: MetricUse, { index }: Pick<FinishContext, 'index'>): boolean => {
  if (use.kind === 'made') return use.aggregation === 'count'
  const metric = use.kind === 'named' ? index.metrics.get(use.metric) : undefined
  return metric?.kind === 'simple' && metric.aggregation === 'count'
}

/** How many pieces were sold. */
export const quantityMetric = ({ metrics }: SemanticLayer): MetricUse | null => {
  const metric = metrics.find(
    one =>
      one.kind === 'simple' &&
      one.aggregation === 'sum' &&
      one.expression?.kind === 'column' &&
      splitName(one.expression.column).some(word => ['quantity', 'qty', 'units'].includes(word)),
  )
  return metric ? named(metric) : null
}

/** The column of a model behind a figure: the salary of an employee. Null if it is a figure of other rows. */
export const columnOfFigure = (
  use: MetricUse,
  model: SemanticModel,
  { index }: FinishContext,
): Dimension | null => {
  if (use.kind === 'made') {
    const { of } = use
    if (of === null || !('dimension' in of) || of.model !== model.name) return null
    return model.dimensions.find(({ name }) => name === of.dimension) ?? null
  }
  const metric = use.kind === 'named' ? index.metrics.get(use.metric) : undefined
  if (metric?.kind !== 'simple' || metric.model !== model.name || metric.expression?.kind !== 'column')
    return null
  const { column } = metric.expression
  return model.dimensions.find(({ name }) => name === column) ?? null
}

const people = new Set(
  'customer client account user patient employee staff student teacher doctor driver member person advertiser subscriber agent guest worker technician engineer nurse manager pupil company supplier vendor'.split(
    ' ',
  ),
)

/** Whether a row is somebody: called so, or with a last name. */
export const isSomebody = ({ name, nameDimensions }: SemanticModel): boolean =>
  name.split('_').some(word => people.has(word)) ||
  nameDimensions.some(dimension => splitName(dimension).join(' ') === 'last name')

/** Whether rows of a model belong to something that many people belong to, and to none of them alone. */
export const areShared = (
  base: SemanticModel,
  person: SemanticModel,
  context: Pick<FinishContext, 'index'>,
): boolean => {
  const path = pathBetween(context, base.name, person.name) ?? []
  const up = path.findIndex(({ isToOne }) => isToOne)
  return isSomebody(person) && up !== -1 && path.slice(up).some(({ isToOne }) => !isToOne)
}

/** How many there are of a model as the layer defines it: those who work here, not those who ever did. */
export const definedCount = (model: SemanticModel, { layer }: FinishContext): MetricUse | null => {
  const defined = layer.metrics.find(
    one =>
      one.kind === 'simple' &&
      one.status === 'accepted' &&
      one.model === model.name &&
      one.filters.length > 0 &&
      one.aggregation.startsWith('count') &&
      one.synonyms.some(synonym => synonym.toLowerCase() === `number of ${model.plural.toLowerCase()}`),
  )
  return defined ? { kind: 'named', metric: defined.name, filters: [] } : null
}

/** Who a row belongs to: the account of a subscription. */
export const somebodyOf = (model: SemanticModel, context: FinishContext): SemanticModel | null =>
  isSomebody(model) ? model : nearestOf(model, isSomebody, context)

const workers = new Set(
  'employee staff agent representative rep seller salesperson salesman advisor consultant worker manager doctor nurse technician engineer driver'.split(
    ' ',
  ),
)

/** Who sold a row, or dealt with it: somebody that it belongs to and that works for the firm. Customers buy. */
export const workerOf = (model: SemanticModel, context: FinishContext): SemanticModel | null =>
  nearestOf(model, ({ name }) => name.split('_').some(word => workers.has(word)), context)

/** The nearest model of some kind that each row belongs to one of. */
const nearestOf = (
  model: SemanticModel,
  isWanted: (other: SemanticModel) => boolean,
  { layer, index }: FinishContext,
): SemanticModel | null => {
  const [nearest] = layer.models
    .filter(isWanted)
    .map(other => ({ other, path: findPath(index, model.name, other.name) }))
    .filter(({ path }) => path?.every(step => step.isToOne))
    .toSorted(
      (a, b) =>
        (a.path?.length ?? 9) - (b.path?.length ?? 9) || rankOfPerson(a.other) - rankOfPerson(b.other),
    )
  return nearest?.other ?? null
}

const rankOfPerson = ({ name }: SemanticModel): number => {
  const at = [...people].findIndex(word => name.split('_').includes(word))
  return at === -1 ? 99 : at
}

/** The joins from one model to another; null if there are none. */
export const pathBetween = (
  { index }: Pick<FinishContext, 'index'>,
  from: string,
  to: string,
): readonly PathStep[] | null => findPath(index, from, to)

/**
 * Whether what happens to rows of a model can be said of a row of another: orders are shipped, and so are products. What
 * somebody does is said of nobody else: no customer leaves with the employee that helped them.
 */
export const isOfOrBy = (
  events: SemanticModel,
  of: SemanticModel,
  context: Pick<FinishContext, 'index'>,
): boolean =>
  !isSomebody(events) ||
  [
    [events.name, of.name],
    [of.name, events.name],
  ].some(([from = '', to = '']) => pathBetween(context, from, to)?.every(step => step.isToOne))

const TO_ONE = 0.1

const TO_MANY = 0.9

/** How far away a model is: what is far, or on the side of many rows, is less likely meant. */
export const distanceTo = (
  context: FinishContext,
  from: string,
  to: string,
  via: readonly string[] | null = null,
): number => {
  const path = findPath(context.index, from, to, via)
  return path === null ? 3 : path.reduce((sum, step) => sum + (step.isToOne ? TO_ONE : TO_MANY), 0)
}

/** The model with rows for both others: the enrollment between a student and a course. */
export const bridgeBetween = (context: FinishContext, a: string, b: string): SemanticModel | null => {
  const path = findPath(context.index, a, b) ?? []
  const many = path.find(step => !step.isToOne)
  const bridge = many && modelNamed(context, many.to)
  if (!bridge) return null
  const back = findPath(context.index, bridge.name, b)
  return back?.every(step => step.isToOne) ? bridge : null
}

/** What has most rows and a date of its own among what belongs to a model: the orders of a customer. */
export const eventsOf = (model: SemanticModel, context: FinishContext): MetricUse | null => {
  const [events] = context.layer.models
    .filter(other => other.timeDimension !== null && other.joins.some(({ to }) => to === model.name))
    .toSorted((a, b) => rowCountOf(b, context) - rowCountOf(a, context))
  return events ? countOf(events) : null
}

export const sameKey = (a: GroupKey, b: GroupKey): boolean => JSON.stringify(a) === JSON.stringify(b)
