import type { Column } from '../../domain/catalog.ts'
import type {
  Aggregation,
  Dimension,
  Metric,
  MetricDefinition,
  SemanticModel,
  Unit,
} from '../../domain/metrics/semantic-layer.ts'
import type { Dialect } from '../../domain/sql.ts'
import { quoteIdentifier } from '../../sql/render/quote.ts'
import { columnLabel, columnWords, labelOf, tableWords } from './names.ts'
import { isCalendar } from './time-dimension.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Numbers that nobody adds up. */
const neverSummed = words(
  `price rate ratio percent percentage pct score rating grade age temperature average avg mean index level rank ranking
  position height width length latitude longitude lat lng lon limit minimum maximum min max year month week day quarter
  hour unit latency gpa salary wage balance floor sequence version bpm likes_per sort order_number number track threshold
  target size lead gauge star stars priority severity depth step tier odometer`,
)

/** What may stand beside such a word and makes it a sum all the same: a total price. */
const alwaysSummed = words('total subtotal amount cost costs revenue sales spend quantity qty count')

/** Metrics of one model before they are put together. */
export interface MetricDraft {
  readonly metric: Metric
  /** How likely its total is what people call revenue; 0 if it is not. */
  readonly revenue: number
}

const draft = (
  naming: {
    readonly name: string
    readonly label: string
    readonly synonyms?: readonly string[]
    readonly description?: string | null
  },
  definition: MetricDefinition,
  unit: Unit | null,
  goodDirection: 'up' | 'down' | null = null,
): Metric => ({
  synonyms: [],
  description: null,
  ...naming,
  unit,
  goodDirection,
  status: 'proposed',
  ...definition,
})

const simple = (
  model: SemanticModel,
  aggregation: Aggregation,
  expression:
    | { readonly kind: 'column'; readonly column: string }
    | { readonly kind: 'sql'; readonly text: string }
    | null,
): MetricDefinition => ({
  kind: 'simple',
  model: model.name,
  aggregation,
  expression,
  percentile: null,
  filters: [],
  timeDimension: null,
})

/** The metrics that each model has by itself: how many rows, and each number that is worth adding up or averaging. */
export const proposeModelMetrics = (
  model: SemanticModel,
  columns: readonly Column[],
  { models, dialect }: { readonly models: ReadonlyMap<string, SemanticModel>; readonly dialect: Dialect },
): readonly MetricDraft[] => {
  if (isCalendar(tableWords(model.table.name))) return []
  const count = draft(
    { name: `${model.name}_count`, label: labelOf(model.plural.split(' ')) },
    simple(model, 'count', null),
    { kind: 'count' },
  )
  const numbers = model.dimensions.filter(({ type, isKey }) => type === 'number' && !isKey)
  const own = numbers.flatMap(dimension => {
    const column = columns.find(({ name }) => name === dimension.name)
    return column ? [numberMetric(model, dimension)] : []
  })
  const line = lineAmount(model, numbers, { models, dialect })
  return [{ metric: count, revenue: 0 }, ...own, ...(line ? [line] : [])]
}

const numberMetric = (model: SemanticModel, dimension: Dimension): MetricDraft => {
  const own = columnWords(dimension.name)
  const isSum = own.some(word => alwaysSummed.has(word))
    ? !own.includes('unit') && !own.includes('average') && !own.includes('avg')
    : !own.some(word => neverSummed.has(word)) && dimension.unit?.kind !== 'percent'
  const isVague = own.every(word => vagueWords.has(word))
  const label = isVague
    ? labelOf([
        ...model.label.toLowerCase().split(' '),
        ...columnLabel(dimension.name).toLowerCase().split(' '),
      ])
    : dimension.label
  return {
    metric: draft(
      {
        name: `${model.name}_${dimension.name}`.toLowerCase(),
        label,
        synonyms: [...(isVague ? [dimension.label.toLowerCase()] : []), ...dimension.synonyms],
        description: dimension.description,
      },
      simple(model, isSum ? 'sum' : 'avg', { kind: 'column', column: dimension.name }),
      dimension.unit ?? (isSum ? { kind: 'count' } : null),
    ),
    revenue: isSum ? revenueOf(model, own, dimension.unit) : 0,
  }
}

/** Words that say nothing without the name of the table. */
const vagueWords = words('total amount value cents cent usd eur gbp sum number count micros gross net')

const salesWords = words('revenue sales turnover sale')

const billWords = words('invoice bill billing')

const orderWords = words(
  'order sale transaction booking rental purchase reservation subscription receipt ticket',
)

const payWords = words('payment payments')

const spendWords = words(
  'cost costs spend spending expense budget salary refund tax discount fee freight shipping supplier marketing campaign ad ads stock inventory balance tip target credit wage payroll declared insured list',
)

const revenueOf = (model: SemanticModel, own: readonly string[], unit: Unit | null): number => {
  if (unit?.kind !== 'currency' && !own.some(word => salesWords.has(word))) return 0
  const table = model.name.split('_')
  if (own.some(word => ['charge', 'charged', 'fare'].includes(word)) && !own.includes('cost')) return 4.2
  if (own.some(word => salesWords.has(word))) return own.some(word => spendWords.has(word)) ? 0 : 6
  if ([...own, ...table].some(word => spendWords.has(word))) return 0
  const isTotal = own.some(word => ['total', 'amount', 'value', 'gross', 'paid'].includes(word))
  if (!isTotal && !own.includes('price')) return 0
  if (table.some(word => billWords.has(word)) && !isLine(table)) return 5
  if (table.some(word => orderWords.has(word)) && !isLine(table)) return 4.5
  if (isLine(table)) return 4
  return table.some(word => payWords.has(word)) ? 3 : 1
}

const isLine = (table: readonly string[]): boolean =>
  table.some(word => ['line', 'item', 'detail', 'position', 'entry'].includes(word))

/** What a line costs: quantity times price, less the discount, where no column has the product. */
const lineAmount = (
  model: SemanticModel,
  numbers: readonly Dimension[],
  { models, dialect }: { readonly models: ReadonlyMap<string, SemanticModel>; readonly dialect: Dialect },
): MetricDraft | null => {
  const named = (among: readonly Dimension[], wanted: readonly string[]): Dimension | undefined =>
    among.find(({ name }) => columnWords(name).some(word => wanted.includes(word)))
  const quantity = named(numbers, ['quantity', 'qty', 'units', 'pieces'])
  // Without a quantity each row is one piece.
  if (quantity === undefined) {
    const price = numbers.find(
      ({ name }) => columnWords(name).includes('price') && !columnWords(name).includes('list'),
    )
    const isPiece =
      price !== undefined &&
      model.joins.length >= 2 &&
      (isLine(model.name.split('_')) ||
        model.joins.filter(({ to }) => model.name.split('_').some(word => to.split('_').includes(word)))
          .length >= 2)
    if (!isPiece || !price) return null
    return {
      metric: draft(
        {
          name: `${model.name}_amount`,
          label: labelOf([...model.label.toLowerCase().split(' '), 'amount']),
          synonyms: [],
        },
        simple(model, 'sum', { kind: 'column', column: price.name }),
        price.unit,
        'up',
      ),
      revenue: 4,
    }
  }
  if (named(numbers, ['total', 'amount', 'subtotal', 'revenue', 'sales'])) return null
  const ownPrice = named(numbers, ['price'])
  const joined = ownPrice
    ? null
    : model.joins
        .map(join => ({
          join,
          price: named(
            (models.get(join.to)?.dimensions ?? []).filter(({ type }) => type === 'number'),
            ['price'],
          ),
        }))
        .find(({ price }) => price !== undefined)
  const price = ownPrice ?? joined?.price
  if (price === undefined) return null
  const isSold =
    [...model.name.split('_')].some(
      word => orderWords.has(word) || billWords.has(word) || salesWords.has(word),
    ) || isLine(model.name.split('_'))
  if (!isSold) return null
  const column = (name: string): string => quoteIdentifier(name, dialect)
  const discount = numbers.find(
    ({ name, unit }) => columnWords(name).includes('discount') && unit?.kind === 'percent',
  )
  const factors = [
    column(quantity.name),
    joined ? `${joined.join.name}.${column(price.name)}` : column(price.name),
    ...(discount
      ? [
          discount.unit?.kind === 'percent' && discount.unit.scale === 1
            ? `(1 - ${column(discount.name)} / 100.0)`
            : `(1 - ${column(discount.name)})`,
        ]
      : []),
  ]
  return {
    metric: draft(
      {
        name: `${model.name}_amount`,
        label: labelOf([...model.label.toLowerCase().split(' '), 'amount']),
        synonyms: ['line total'],
      },
      simple(model, 'sum', { kind: 'sql', text: factors.join(' * ') }),
      price.unit,
      'up',
    ),
    revenue: 4,
  }
}

/** Revenue by name, what an order is worth on average, and the ratios that people who advertise speak of. */
export const proposeSharedMetrics = (
  drafts: readonly MetricDraft[],
  models: ReadonlyMap<string, SemanticModel>,
): readonly Metric[] => {
  const candidates = drafts.filter(({ revenue }) => revenue > 0).toSorted((a, b) => b.revenue - a.revenue)
  const [best] = candidates
  const renamed = drafts.map(one => {
    if (one === best)
      return {
        ...one.metric,
        name: 'revenue',
        label: 'Revenue',
        description: `Sum of ${one.metric.label.toLowerCase()}`,
        synonyms: [one.metric.label.toLowerCase(), ...one.metric.synonyms, ...revenueSynonyms],
        goodDirection: 'up' as const,
      }
    // Where only the lines know the product, revenue by product is the sum of lines.
    const isFiner = best && one.revenue >= 4 && modelOf(one.metric) !== modelOf(best.metric)
    return isFiner ? { ...one.metric, synonyms: [...one.metric.synonyms, ...revenueSynonyms] } : one.metric
  })
  // The first metric with a synonym is the one that is meant.
  renamed.sort((a, b) => Number(b.name === 'revenue') - Number(a.name === 'revenue'))
  return [
    ...renamed,
    ...(best ? averageValue(renamed.find(({ name }) => name === 'revenue') ?? best.metric, models) : []),
    ...ratios(renamed),
    ...profits(renamed),
  ]
}

const revenueSynonyms = ['revenue', 'sales', 'turnover', 'income', 'earnings', 'sales revenue']

const modelOf = (metric: Metric): string => (metric.kind === 'simple' ? metric.model : '')

const averageValue = (revenue: Metric, models: ReadonlyMap<string, SemanticModel>): readonly Metric[] => {
  const own = models.get(modelOf(revenue))
  // Lines of an order are worth nothing by themselves.
  const whole = own?.joins.find(({ to }) => own.name.startsWith(`${to}_`))
  const model = (whole && models.get(whole.to)) ?? own
  if (model === undefined || revenue.kind !== 'simple') return []
  const noun = model.label.toLowerCase()
  return [
    draft(
      {
        name: `average_${model.name}_value`,
        label: `Average ${noun} value`,
        synonyms: [
          `average ${noun} size`,
          `average ${noun}`,
          `${noun} value`,
          ...(noun === 'order' ? ['aov', 'average basket', 'average basket size', 'basket size'] : []),
        ],
      },
      { kind: 'ratio', numerator: revenue.name, denominator: `${model.name}_count` },
      revenue.unit,
      'up',
    ),
  ]
}

/** `numerator / denominator` where one model has both columns. */
const knownRatios: readonly {
  readonly name: string
  readonly label: string
  readonly synonyms: readonly string[]
  readonly of: readonly string[]
  readonly over: readonly string[]
  readonly unit: 'percent' | 'money' | null
}[] = [
  {
    name: 'click_through_rate',
    label: 'Click-through rate',
    synonyms: ['ctr', 'click rate'],
    of: ['clicks'],
    over: ['impressions'],
    unit: 'percent',
  },
  {
    name: 'conversion_rate',
    label: 'Conversion rate',
    synonyms: ['cvr', 'conversion'],
    of: ['conversions'],
    over: ['clicks'],
    unit: 'percent',
  },
  {
    name: 'cost_per_click',
    label: 'Cost per click',
    synonyms: ['cpc', 'average cpc'],
    of: ['cost', 'spend'],
    over: ['clicks'],
    unit: 'money',
  },
  {
    name: 'cost_per_conversion',
    label: 'Cost per conversion',
    synonyms: ['cpa', 'cost per acquisition', 'cost per action'],
    of: ['cost', 'spend'],
    over: ['conversions'],
    unit: 'money',
  },
  {
    name: 'return_on_ad_spend',
    label: 'Return on ad spend',
    synonyms: ['roas', 'return on spend'],
    of: ['value', 'revenue'],
    over: ['cost', 'spend'],
    unit: null,
  },
]

const ratios = (metrics: readonly Metric[]): readonly Metric[] => {
  const byModel = Map.groupBy(
    metrics.filter(metric => metric.kind === 'simple' && metric.aggregation === 'sum'),
    modelOf,
  )
  return [...byModel.values()].flatMap(own => {
    const named = (wanted: readonly string[]): Metric | undefined =>
      own.find(({ name }) => columnWords(name).some(word => wanted.includes(word)))
    if (!named(['clicks'])) return []
    return knownRatios.flatMap(({ name, label, synonyms, of, over, unit }) => {
      const [numerator, denominator] = [named(of), named(over)]
      if (!numerator || !denominator || numerator === denominator) return []
      const scaled = scaleDifference(numerator.unit, denominator.unit)
      const definition: MetricDefinition =
        scaled === 1
          ? { kind: 'ratio', numerator: numerator.name, denominator: denominator.name }
          : { kind: 'derived', formula: `${scaled} * ${numerator.name} / ${denominator.name}` }
      return [
        draft(
          { name, label, synonyms },
          definition,
          unit === 'percent' ? { kind: 'percent', scale: 100 } : unit === 'money' ? numerator.unit : null,
          unit === 'money' ? 'down' : 'up',
        ),
      ]
    })
  })
}

/** Amounts in cents over amounts in whole units need a factor. */
const scaleDifference = (of: Unit | null, over: Unit | null): number =>
  of?.kind === 'currency' && over?.kind === 'currency' ? of.scale / over.scale : 1

/** Profit and margin where revenue and cost are in one model. */
const profits = (metrics: readonly Metric[]): readonly Metric[] => {
  if (metrics.some(({ label }) => /profit|margin/i.test(label))) return []
  const revenue = metrics.find(({ synonyms }) => synonyms.includes('revenue'))
  const cost = metrics.find(
    metric =>
      metric.kind === 'simple' &&
      metric.aggregation === 'sum' &&
      metric.unit?.kind === 'currency' &&
      modelOf(metric) === (revenue && modelOf(revenue)) &&
      columnWords(metric.name).some(word => word === 'cost' || word === 'costs'),
  )
  if (!revenue || !cost || scaleDifference(revenue.unit, cost.unit) !== 1) return []
  return [
    draft(
      { name: 'profit', label: 'Profit', synonyms: ['gross profit', 'margin', 'earnings after cost'] },
      { kind: 'derived', formula: `${revenue.name} - ${cost.name}` },
      revenue.unit,
      'up',
    ),
    draft(
      { name: 'profit_margin', label: 'Profit margin', synonyms: ['margin rate', 'margin percentage'] },
      { kind: 'derived', formula: `(${revenue.name} - ${cost.name}) / ${revenue.name}` },
      { kind: 'percent', scale: 100 },
      'up',
    ),
  ]
}
