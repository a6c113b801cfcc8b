import type { DimensionRef, GroupKey, MetricUse } from '../../domain/metrics/metric-query.ts'
import type { Dimension, Segment, SemanticModel, SimpleMetric } from '../../domain/metrics/semantic-layer.ts'
import { capitalize } from '../../lib/capitalize.ts'
import { splitName } from '../../lib/fold-text.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { findPath, type LayerIndex } from '../compile/layer-index.ts'
import { nearestName } from '../files/nearest-name.ts'
import { countOf } from '../interpret/draft/query-draft.ts'
import { pluralOf } from '../propose/names.ts'
import { aggregationWords } from '../review/describe-item.ts'
import type { LayerCut } from './layer-cut.ts'

/** A reply that names what was not shown, or says what cannot be. The message is for the model that wrote it. */
export class ReplyProblem extends Error {
  override readonly name = 'ReplyProblem'
}

/** A dimension at the end of a path such as `order.customer.city`. */
export interface NamedDimension {
  readonly model: SemanticModel
  readonly dimension: Dimension
  /** The model that the path begins with, and the joins from there. */
  readonly anchor: string
  readonly joins: readonly string[]
}

/** Reads names of a cut; whatever is not in it is a problem that says what is nearest. */
export interface ReplyNames {
  readonly index: LayerIndex
  readonly model: (name: string) => SemanticModel
  readonly segment: (name: string) => Segment | null
  readonly dimension: (path: string) => NamedDimension
  /** A dimension as seen from the model whose rows count. */
  readonly ref: (path: string, base: string) => DimensionRef
  readonly figure: (text: string) => MetricUse
  readonly group: (text: string, base: string) => GroupKey
}

const grains = ['day', 'week', 'month', 'quarter', 'year'] as const

const parts = ['weekday', 'hour', 'month_of_year'] as const

const aggregations = ['sum', 'count', 'count_distinct', 'avg', 'min', 'max', 'median', 'percentile'] as const

/** Names in a problem; a model that wrote nothing sensible learns no more from a longer list. */
const MOST_LISTED = 12

/** A name with other words for it. */
type Known = Pick<SemanticModel, 'name'> & Partial<Pick<SemanticModel, 'synonyms'>>

/** Makes the reader of names of one cut. */
export const makeReplyNames = (cut: LayerCut, index: LayerIndex): ReplyNames => {
  const fail = (name: string, kind: string, known: readonly Known[]): never => {
    const ranked = known
      .map(one => ({ name: one.name, likeness: sharedWords(name, one) }))
      .toSorted((a, b) => b.likeness - a.likeness)
    const names = ranked.map(one => one.name)
    const meant = nearestName(name, names)
    const near = ranked.filter(({ likeness }) => likeness > 0).map(one => one.name)
    const listed = (near.length > 0 ? near : names).slice(0, MOST_LISTED).join(', ')
    const hint =
      meant !== null ? `did you mean ${meant}?` : listed === '' ? 'there is none' : `there is ${listed}`
    throw new ReplyProblem(`There is no ${kind} ${name.slice(0, 80)}; ${hint}`)
  }
  const models = [...cut.models.values()].map(one => one.model)
  const model = (name: string): SemanticModel => cut.models.get(name)?.model ?? fail(name, 'model', models)

  /** The model that a path leads to, by joins that are shown. */
  const walk = (
    path: readonly string[],
  ): { readonly at: SemanticModel; readonly joins: readonly string[] } => {
    const [first = '', ...joins] = path
    let at = model(first)
    for (const name of joins) {
      const shown = at.joins.filter(({ to }) => cut.models.has(to))
      const join = shown.find(one => one.name === name) ?? shown.find(({ to }) => to === name)
      if (join === undefined) return fail(name, `join of ${at.name}`, shown)
      at = model(join.to)
    }
    return { at, joins }
  }
  const dimension = (path: string): NamedDimension => {
    const names = path.split('.')
    const last = names.pop() ?? ''
    if (names.length === 0) {
      const places = [...cut.models.values()].filter(({ dimensions }) => dimensions.has(last))
      const [only] = places
      if (only === undefined || places.length > 1)
        return fail(
          path,
          'model.dimension',
          places.map(one => ({ name: `${one.model.name}.${last}` })),
        )
      names.push(only.model.name)
    }
    const { at, joins } = walk(names)
    const dimensions = cut.models.get(at.name)?.dimensions ?? new Map<string, Dimension>()
    const found = dimensions.get(last) ?? fail(last, `dimension of ${at.name}`, [...dimensions.values()])
    return { model: at, dimension: found, anchor: names[0] ?? at.name, joins }
  }
  const refTo = (
    {
      model: at,
      anchor,
      joins,
    }: Pick<NamedDimension, 'anchor' | 'joins'> & { readonly model: SemanticModel },
    name: string,
    base: string,
  ): DimensionRef => {
    const toAnchor = findPath(index, base, anchor)
    if (toAnchor === null)
      throw new ReplyProblem(`Nothing joins ${base} and ${anchor}, so ${anchor} cannot be used here`)
    const via = [...toAnchor.map(step => step.name), ...joins]
    const usual = findPath(index, base, at.name)?.map(step => step.name) ?? []
    return { model: at.name, dimension: name, via: usual.join('/') === via.join('/') ? null : via }
  }
  const ref = (path: string, base: string): DimensionRef => {
    const found = dimension(path)
    return refTo(found, found.dimension.name, base)
  }

  const figure = (text: string): MetricUse => {
    const call = /^(\w+)\(\s*([\w.-]+)\s*(?:,\s*([\d.]+)\s*)?\)$/.exec(text.trim())
    if (call === null) {
      const metric = cut.metrics.get(text)
      if (metric) return { kind: 'named', metric: metric.name, filters: [] }
      const counts = models.map(one => ({ ...one, name: `count(${one.name})` }))
      return fail(text, 'metric', [...cut.metrics.values(), ...counts])
    }
    const [, called = '', path = '', fraction] = call
    const aggregation = aggregations.find(one => one === called)
    if (aggregation === undefined) return fail(called, 'aggregation', named(aggregations))
    if (aggregation === 'count') return countOf(model(path))
    if (aggregation === 'count_distinct') {
      const counted = distinctOf(path)
      return { ...counted, kind: 'made', aggregation, percentile: null, filters: [] }
    }
    const found = dimension(path)
    if (found.dimension.type !== 'number' && aggregation !== 'min' && aggregation !== 'max')
      throw new ReplyProblem(`${path} is no number, so it has no ${aggregation}`)
    const isPercentile = aggregation === 'percentile'
    const percentile = isPercentile ? Number(fraction ?? 0.5) : null
    if (percentile !== null && !(percentile > 0 && percentile < 1))
      throw new ReplyProblem('A percentile is above 0 and below 1, such as percentile(order.weight, 0.9)')
    return {
      kind: 'made',
      label: labelOf({ aggregation, percentile }, found.dimension.label),
      model: found.anchor,
      aggregation,
      of: refTo(found, found.dimension.name, found.anchor),
      percentile,
      filters: [],
    }
  }

  /** What is different: a dimension, or the rows that a join leads to, by their key. */
  const distinctOf = (path: string) => {
    const names = path.split('.')
    const last = names.at(-1) ?? ''
    const start = names.length > 1 ? walk(names.slice(0, -1)) : null
    const join = start?.at.joins.find(one => one.name === last && cut.models.has(one.to))
    if (start === null || join === undefined) {
      const found = dimension(path)
      const label = `Number of ${pluralOf(found.dimension.label.toLowerCase().split(' '))}`
      return { label, model: found.anchor, of: refTo(found, found.dimension.name, found.anchor) }
    }
    const target = model(join.to)
    const [id, ...more] = target.primaryKey
    const key = target.dimensions.find(
      ({ expression }) => expression.kind === 'column' && expression.column === id,
    )
    if (key === undefined || more.length > 0) throw new ReplyProblem(`${target.name} has no key to count by`)
    const at = { model: target, anchor: names[0] ?? '', joins: names.slice(1) }
    return { label: capitalize(target.plural), model: at.anchor, of: refTo(at, key.name, at.anchor) }
  }

  const group = (text: string, base: string): GroupKey => {
    const call = /^(\w+)\(\s*([\w.-]+)\s*(?:,\s*([\w.-]+)\s*)?\)$/.exec(text.trim())
    const name = call?.[1] ?? text
    const path = call?.[2] ?? null
    const at = path === null ? null : (): DimensionRef => dateRef(path, base)
    const grain = grains.find(one => one === name)
    if (grain) return { kind: 'grain', at: at?.() ?? null, grain }
    const part = parts.find(one => one === name)
    if (part)
      return { kind: 'part', at: at?.() ?? null, part: part === 'month_of_year' ? 'month-of-year' : part }
    const first = grains.find(one => `first_${one}` === name)
    if (first && path !== null)
      return { kind: 'cohort', of: model(path).name, events: model(call?.[3] ?? base).name, grain: first }
    if (call !== null)
      return fail(name, 'group', named([...grains, ...parts, ...grains.map(one => `first_${one}`)]))
    if (cut.models.has(text)) return { kind: 'model', model: text, via: null }
    const names = text.split('.')
    const lead = names.length > 1 && cut.models.has(names[0] ?? '') ? walk(names.slice(0, -1)) : null
    const role = lead?.at.joins.find(one => one.name === names.at(-1) && cut.models.has(one.to))
    if (role && cut.models.get(lead?.at.name ?? '')?.dimensions.has(role.name) !== true) {
      const end = { model: model(role.to), anchor: names[0] ?? '', joins: names.slice(1) }
      return { kind: 'model', model: role.to, via: refTo(end, '', base).via }
    }
    return { kind: 'dimension', at: ref(text, base) }
  }
  const dateRef = (path: string, base: string): DimensionRef => {
    const { dimension: found } = dimension(path)
    if (!isDate(found)) throw new ReplyProblem(`${path} is no date`)
    return ref(path, base)
  }

  return {
    index,
    model,
    segment: name => cut.segments.get(name) ?? null,
    dimension,
    ref,
    figure,
    group,
  }
}

const named = (names: readonly string[]): readonly Known[] => names.map(name => ({ name }))

/** The share of words that a name has in common with another, or with a synonym of it. */
const sharedWords = (name: string, { name: own, synonyms = [] }: Known): number => {
  const wanted = new Set(splitName(name).map(stemWord))
  return Math.max(
    ...[own, ...synonyms].map(phrase => {
      const words = new Set(splitName(phrase.replaceAll(' ', '_')).map(stemWord))
      const shared = [...words].filter(word => wanted.has(word)).length
      return shared / (wanted.size + words.size - shared)
    }),
  )
}

/** Whether a dimension is a day or a moment. */
export const isDate = ({ type }: Dimension): boolean => type === 'date' || type === 'timestamp'

const labelOf = (of: Pick<SimpleMetric, 'aggregation' | 'percentile'>, label: string): string =>
  `${capitalize(aggregationWords(of))} ${label.charAt(0).toLowerCase()}${label.slice(1)}`
