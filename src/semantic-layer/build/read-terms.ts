import type { GlossaryTerm } from '../../domain/knowledge.ts'
import type { Unit } from '../../domain/metrics/semantic-layer.ts'
import { findPath, type IndexedModel } from '../compile/layer-index.ts'
import type { FileMetric, FileSegment } from '../files/layer-file.ts'
import { labelOf } from '../propose/names.ts'
import { checkExpression, type ExpressionPlace } from './check-expression.ts'
import type { LayerReport } from './layer-item.ts'
import { readTermSql, type TermAggregate, type TermFigure, tablesInSql } from './term-sql.ts'

/**
 * Reads the terms of a glossary as metrics and segments: an aggregation is a metric, a condition is a segment. What is
 * neither stays a term for models, with a note that says so.
 */
export const readTerms = (
  terms: readonly GlossaryTerm[],
  place: Omit<ExpressionPlace, 'model'>,
  { notes }: LayerReport,
): { readonly metrics: readonly FileMetric[]; readonly segments: readonly FileSegment[] } => {
  const metrics: FileMetric[] = []
  const segments: FileSegment[] = []
  for (const term of terms) {
    if (term.sql === null) continue
    const note = (why: string): void =>
      void notes.push({ at: term.at, message: `only models can use “${term.name}”: ${why}` })
    const model = baseOf(term.sql, place)
    if (typeof model === 'string') {
      note(model)
      continue
    }
    const read = readTermSql(term.sql, place.dialect)
    if (read.kind === 'other')
      note('its SQL is neither a condition nor arithmetic over sums, counts and the like')
    else if (read.kind === 'condition')
      segments.push({ ...namingOf(term), model: model.model.name, where: [term.sql], past: [], related: [] })
    else metrics.push(...metricsOf(term, read.figure, { ...place, model }))
  }
  return { metrics, segments }
}

/** The model whose rows a term is about: the one that leads to all others that it names. */
const baseOf = (sql: string, { index, dialect }: Omit<ExpressionPlace, 'model'>): IndexedModel | string => {
  const models = tablesInSql(sql, dialect).map(
    name =>
      [...index.models.values()].find(one =>
        [one.table.name, one.model.name].some(other => other.toLowerCase() === name.toLowerCase()),
      ) ?? name,
  )
  const [first] = models
  if (first === undefined) return 'write its columns as table.column'
  const unknown = models.find(one => typeof one === 'string')
  if (typeof unknown === 'string') return `the layer has no table ${unknown}`
  const known = models.filter(one => typeof one !== 'string')
  const base = known.find(one =>
    known.every(other => findPath(index, one.model.name, other.model.name)?.every(step => step.isToOne)),
  )
  return base ?? `no keys lead from one of its tables to the others`
}

const namingOf = ({ name, synonyms, meaning, at }: GlossaryTerm) => ({
  name: identifier(name),
  label: labelOf(name.split(/\s+/)),
  synonyms: synonyms.map(word => word.toLowerCase()),
  description: meaning === '' ? null : meaning,
  at,
})

const identifier = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')

/** Whether a metric is one aggregation of a term that has several. */
export const isPartName = (name: string): boolean => /_part_\d+$/.test(name)

const metricsOf = (term: GlossaryTerm, figure: TermFigure, place: ExpressionPlace): readonly FileMetric[] => {
  const naming = { ...namingOf(term), better: null }
  const scaled = scaledAggregate(figure)
  const unit = scaled && unitOf(scaled, term, place)
  if (scaled && unit !== null)
    return [
      {
        ...naming,
        model: place.model.model.name,
        unit: unit === 'same' ? null : unit,
        definition: simple(scaled.aggregate),
      },
    ]
  const parts: FileMetric[] = []
  const formula = write(figure, aggregate => {
    const name = `${naming.name}_part_${parts.length + 1}`
    const part = { ...naming, name, label: `${naming.label}, part ${parts.length + 1}`, synonyms: [] }
    parts.push({ ...part, model: place.model.model.name, unit: 'none', definition: simple(aggregate) })
    return name
  })
  return [...parts, { ...naming, model: null, unit: null, definition: { kind: 'derived', expr: formula } }]
}

const simple = ({ aggregation, expr, filter }: TermAggregate): FileMetric['definition'] => ({
  kind: 'simple',
  aggregation,
  expr,
  duration: null,
  percentile: null,
  filters: filter === null ? [] : [filter],
  timeDimension: null,
})

interface Scaled {
  readonly aggregate: TermAggregate
  readonly factor: number
}

/** One aggregation times a constant; null for anything else. */
const scaledAggregate = (figure: TermFigure): Scaled | null => {
  if (figure.kind === 'aggregate') return { aggregate: figure, factor: 1 }
  if (figure.kind !== 'arithmetic') return null
  const { operator, left, right } = figure
  if (operator !== '*' && operator !== '/') return null
  if (right.kind === 'number' && right.value !== 0) {
    const inner = scaledAggregate(left)
    return (
      inner && {
        ...inner,
        factor: operator === '*' ? inner.factor * right.value : inner.factor / right.value,
      }
    )
  }
  const inner = operator === '*' && left.kind === 'number' ? scaledAggregate(right) : null
  return inner && left.kind === 'number' ? { ...inner, factor: inner.factor * left.value } : null
}

const currencies: readonly (readonly [RegExp, string])[] = [
  [/\beuros?\b|\bEUR\b|€/i, 'EUR'],
  [/\bdollars?\b|\bUSD\b|\$/i, 'USD'],
  [/\bpounds?\b|\bGBP\b|£/i, 'GBP'],
]

/**
 * A factor as the scale of a unit: `/ 100.0` over a column of cents shows whole euros. `same`: no factor, the unit is
 * that of the column. Null if the factor means something else.
 */
const unitOf = (
  { aggregate, factor }: Scaled,
  term: GlossaryTerm,
  place: ExpressionPlace,
): Unit | 'same' | null => {
  if (factor === 1) return 'same'
  if (
    aggregate.expr === null ||
    aggregate.aggregation === 'count_distinct' ||
    aggregate.aggregation === 'count'
  )
    return null
  const checked = checkExpression(aggregate.expr, place)
  const dimension = checked.ok
    ? [...place.model.dimensions.values()].find(
        one => JSON.stringify(one.expression) === JSON.stringify(checked.expression),
      )
    : undefined
  const scale = Number(factor.toPrecision(12))
  if (dimension?.unit?.kind === 'currency') return { kind: 'currency', code: dimension.unit.code, scale }
  const code = currencies.find(([pattern]) => pattern.test(term.meaning))?.[1]
  return code === undefined ? null : { kind: 'currency', code, scale }
}

const write = (figure: TermFigure, partOf: (aggregate: TermAggregate) => string): string => {
  switch (figure.kind) {
    case 'aggregate':
      return partOf(figure)
    case 'number':
      return String(figure.value)
    case 'arithmetic':
      return `(${write(figure.left, partOf)} ${figure.operator} ${write(figure.right, partOf)})`
    default: {
      const never: never = figure
      return never
    }
  }
}
