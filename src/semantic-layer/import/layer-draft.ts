import type {
  Aggregation,
  LayerExpression,
  Metric,
  MetricDefinition,
  ReviewStatus,
  Segment,
  SemanticModel,
  SimpleMetric,
  Unit,
} from '../../domain/metrics/semantic-layer.ts'
import { definitionOf } from '../build/merge-metrics.ts'
import { type Calculation, percentSides, withoutOnes } from './aggregate-sql.ts'
import { descriptionOf, identifier, metricLabel, synonymsOf, takeName } from './import-names.ts'
import {
  type ImportedItem,
  type ImportedLayer,
  type SkippedItem,
  UntranslatableError,
  untranslatable,
} from './imported-layer.ts'

/** A layer while it is put together. */
export interface LayerDraft {
  readonly models: Map<string, SemanticModel>
  /** Notes an item as translated. */
  readonly translate: (kind: string, name: string, note?: string | null) => void
  readonly skip: (kind: string, name: string, why: string) => void
  /** Runs the translation of one item, and notes it as translated or skipped. A text returned is its note. */
  readonly item: (kind: string, name: string, run: () => string | null | undefined) => void
  /** Reserves the name of a metric. */
  readonly nameMetric: (...wanted: readonly [string, ...string[]]) => string
  readonly addMetric: (metric: Metric) => void
  /** The name of a simple metric with this definition; it is added if there is none. */
  readonly metricFor: (definition: SimpleMetric, naming: MetricNaming) => string
  readonly metric: (name: string) => Metric | undefined
  readonly addSegment: (
    segment: Omit<Segment, 'status' | 'name'> & { readonly wanted: string; readonly status?: ReviewStatus },
  ) => void
  readonly finish: () => ImportedLayer
}

export interface MetricNaming {
  readonly wanted: string
  readonly label: string
  readonly unit: Unit | null
}

export const makeLayerDraft = (): LayerDraft => {
  const models = new Map<string, SemanticModel>()
  const metrics: Metric[] = []
  const segments: Segment[] = []
  const translated: ImportedItem[] = []
  const skipped: SkippedItem[] = []
  const metricNames = new Set<string>()
  const segmentNames = new Set<string>()
  const translate: LayerDraft['translate'] = (kind, name, note = null) =>
    void translated.push({ kind, name, note })
  const skip: LayerDraft['skip'] = (kind, name, why) => void skipped.push({ kind, name, why })
  const addMetric = (metric: Metric): void => void metrics.push(metric)
  return {
    models,
    translate,
    skip,
    item: (kind, name, run) => {
      try {
        translate(kind, name, run() ?? null)
      } catch (error) {
        if (!(error instanceof UntranslatableError)) throw error
        skip(kind, name, error.message)
      }
    },
    nameMetric: (...wanted) => takeName(metricNames, ...wanted),
    addMetric,
    metricFor: (definition, { wanted, label, unit }) => {
      const key = JSON.stringify(definitionOf(definition))
      const known = metrics.find(one => one.kind === 'simple' && JSON.stringify(definitionOf(one)) === key)
      if (known) return known.name
      const name = takeName(metricNames, identifier(wanted))
      addMetric(metricOf({ name, label, unit }, definition))
      return name
    },
    metric: name => metrics.find(one => one.name === name),
    addSegment: ({ wanted, ...segment }) =>
      void segments.push({
        status: 'accepted',
        ...segment,
        name: takeName(segmentNames, wanted, `${segment.model}_${wanted}`),
      }),
    finish: () => ({
      layer: {
        // A join to a model that was skipped leads nowhere.
        models: [...models.values()].map(model => ({
          ...model,
          joins: model.joins.filter(join => models.has(join.to)),
        })),
        metrics,
        segments,
      },
      translated,
      skipped,
    }),
  }
}

/** A metric of a definition. */
export const metricOf = (
  naming: {
    readonly name: string
    readonly label: string
    readonly unit: Unit | null
    readonly synonyms?: readonly string[] | null | undefined
    readonly description?: string | null | undefined
  },
  definition: MetricDefinition,
): Metric => ({
  name: naming.name,
  label: naming.label,
  synonyms: synonymsOf(naming.synonyms, naming.label),
  description: descriptionOf(naming.description),
  unit: naming.unit,
  goodDirection: null,
  status: 'accepted',
  ...definition,
})

/** A count is one of things, an amount is in the unit of what is added up. */
export const unitOfAggregate = (aggregation: Aggregation, unit: Unit | null): Unit | null =>
  aggregation === 'count' || aggregation === 'count_distinct' ? { kind: 'count' } : unit

/** A metric made from a calculation over totals. */
export interface CalculatedMetric {
  readonly definition: MetricDefinition
  /** Set where the calculation says it: a ratio times 100 is a percentage. */
  readonly unit: Unit | null
}

/** What the parts of a calculation are in a layer. */
export interface CalculationContext {
  /** The name of the metric that a reference means. */
  readonly metricNamed: (reference: string) => string
  /** An aggregate as a definition. */
  readonly simple: (call: Extract<Calculation, { kind: 'aggregate' }>) => SimpleMetric
}

/** Turns the SQL of a metric into a definition. Aggregates inside arithmetic become metrics of their own. */
export const calculatedMetric = (
  draft: LayerDraft,
  read: Calculation,
  context: CalculationContext,
): CalculatedMetric => {
  const calculation = withoutOnes(read)
  if (calculation.kind === 'aggregate') return { definition: context.simple(calculation), unit: null }
  if (calculation.kind === 'number')
    throw new UntranslatableError('It is a fixed number, not a total. Write the number where it is used.')
  if (calculation.kind === 'reference')
    return { definition: { kind: 'derived', formula: context.metricNamed(calculation.text) }, unit: null }
  const leaf = (side: Calculation): string => leafMetric(draft, side, context)
  const isLeaf = (side: Calculation): boolean => side.kind === 'reference' || side.kind === 'aggregate'
  const sides = percentSides(calculation)
  if (sides && isLeaf(sides.numerator) && isLeaf(sides.denominator))
    return {
      definition: { kind: 'ratio', numerator: leaf(sides.numerator), denominator: leaf(sides.denominator) },
      unit: { kind: 'percent', scale: 100 },
    }
  const { operator, left, right } = calculation
  if (operator === '/' && isLeaf(left) && isLeaf(right))
    return { definition: { kind: 'ratio', numerator: leaf(left), denominator: leaf(right) }, unit: null }
  return { definition: { kind: 'derived', formula: formulaText(calculation, leaf, 0) }, unit: null }
}

const leafMetric = (draft: LayerDraft, side: Calculation, context: CalculationContext): string => {
  if (side.kind === 'reference') return context.metricNamed(side.text)
  if (side.kind !== 'aggregate') throw new UntranslatableError('It is arithmetic over fixed numbers only.')
  const definition = context.simple(side)
  const model = draft.models.get(definition.model)
  const naming = aggregateNaming(definition, model ?? null)
  return draft.metricFor(definition, { ...naming, unit: unitOfAggregate(definition.aggregation, null) })
}

/** A name and a label for an aggregate that has none. */
export const aggregateNaming = (
  { aggregation, expression, filters, model }: SimpleMetric,
  target: SemanticModel | null,
): { readonly wanted: string; readonly label: string } => {
  const plural = target?.plural ?? model.replaceAll('_', ' ')
  const what = expressionWords(expression, target)
  const ending = filters.length > 0 ? '_filtered' : ''
  if (aggregation === 'count' && (expression === null || what === null))
    return { wanted: `number_of_${identifier(plural)}${ending}`, label: `Number of ${plural}` }
  const subject = what ?? 'value'
  const said: Record<Aggregation, string> = {
    sum: `Total ${subject}`,
    count: `Number of ${subject} values`,
    count_distinct: `Number of different ${subject} values`,
    avg: `Average ${subject}`,
    min: `Lowest ${subject}`,
    max: `Highest ${subject}`,
    median: `Median ${subject}`,
    percentile: `Percentile of ${subject}`,
  }
  const label = said[aggregation]
  return { wanted: `${identifier(label)}${ending}`, label }
}

const expressionWords = (expression: LayerExpression | null, model: SemanticModel | null): string | null => {
  if (expression?.kind !== 'column') return null
  const own = model?.dimensions.find(
    ({ expression: of }) => of.kind === 'column' && of.column === expression.column,
  )
  const label = own?.label ?? metricLabel(expression.column, null)
  return /^\p{Lu}\p{Ll}/u.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label
}

const strength = { '+': 1, '-': 1, '*': 2, '/': 2 } as const

const formulaText = (
  calculation: Calculation,
  leaf: (side: Calculation) => string,
  within: number,
): string => {
  if (calculation.kind === 'number') return numberText(calculation.value)
  if (calculation.kind !== 'arithmetic') return leaf(calculation)
  const { operator, left, right } = calculation
  const own = strength[operator]
  const text =
    operator === '-' && left.kind === 'number' && left.value === 0
      ? `0 - ${formulaText(right, leaf, own + 0.5)}`
      : `${formulaText(left, leaf, own)} ${operator} ${formulaText(right, leaf, own + 0.5)}`
  return own < within ? `(${text})` : text
}

/** Without an exponent. */
const numberText = (value: number): string =>
  /e/i.test(String(value)) ? value.toFixed(12).replace(/\.?0+$/, '') : String(value)

/** A metric of a file, which others can refer to. */
export interface MetricItem {
  /** What references to it are looked up by. */
  readonly key: string
  /** The tool's word for it. */
  readonly kind: string
  /** As in the file, with its model. */
  readonly shown: string
  /** Names to give it, the best first. */
  readonly wanted: readonly [string, ...string[]]
  /** Whether it is one aggregate; such metrics come first, so that others find them. */
  readonly isSimple: boolean
  /** Adds it to the layer; a text is a note about it. */
  readonly build: (name: string) => string | null | undefined
}

/** Metrics of a file, each translated after those that it uses. */
export interface MetricItems {
  readonly has: (key: string) => boolean
  /** The name of a metric in the layer. Throws `UntranslatableError` if it was skipped. */
  readonly nameOf: (key: string) => string
  readonly translateAll: () => void
}

export const makeMetricItems = (draft: LayerDraft, items: readonly MetricItem[]): MetricItems => {
  const byKey = new Map(items.map(item => [item.key, item]))
  const names = new Map(items.map(item => [item, draft.nameMetric(...item.wanted)]))
  const failed = new Map<MetricItem, string>()
  const begun = new Set<MetricItem>()
  const done = new Set<MetricItem>()
  const run = (item: MetricItem): void => {
    if (begun.has(item)) return
    begun.add(item)
    draft.item(item.kind, item.shown, () => {
      try {
        return item.build(names.get(item) ?? item.wanted[0])
      } catch (error) {
        if (error instanceof UntranslatableError) failed.set(item, error.message)
        throw error
      } finally {
        done.add(item)
      }
    })
  }
  return {
    has: key => byKey.has(key),
    nameOf: key => {
      const item = byKey.get(key)
      if (item === undefined) return untranslatable(`There is no metric ${key}.`)
      if (begun.has(item) && !done.has(item)) untranslatable('It is defined by itself.')
      run(item)
      const why = failed.get(item)
      if (why !== undefined) untranslatable(`It uses ${item.shown}, which was skipped: ${why}`)
      return names.get(item) ?? item.wanted[0]
    },
    translateAll: () => {
      for (const item of items) if (item.isSimple) run(item)
      for (const item of items) run(item)
    },
  }
}
