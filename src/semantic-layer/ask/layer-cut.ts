import type { Dimension, Metric, Segment, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import type { FindValues, Understanding, ValueMatch } from '../../domain/question-context.ts'
import { isPersonalColumn } from '../../lib/personal-columns.ts'
import { tokenize } from '../../parser/tokenize.ts'
import { findPath, type LayerIndex } from '../compile/layer-index.ts'
import { findSpans } from '../interpret/find-spans.ts'
import type { Term } from '../interpret/terms.ts'
import type { Vocabulary } from '../interpret/vocabulary.ts'
import { describeMetric, describeSegment, describeUnit } from '../review/describe-item.ts'

/** The part of a layer that a model is shown, by name. What is not in it may not be in a reply. */
export interface LayerCut {
  readonly models: ReadonlyMap<string, CutModel>
  readonly metrics: ReadonlyMap<string, Metric>
  readonly segments: ReadonlyMap<string, Segment>
  /** As it stands in a prompt. */
  readonly text: string
}

/** A model with the dimensions that are shown. */
export interface CutModel {
  readonly model: SemanticModel
  readonly dimensions: ReadonlyMap<string, Dimension>
}

/** A layer that fits is shown whole, the same for every question, so that a provider can cache the prompt up to its end. */
const MOST_CHARACTERS = 6_000

/** Words that fit this badly say nothing. */
const LEAST_QUALITY = 0.5

/** Dimensions of a model that the question does not name. */
const MOST_OTHER_DIMENSIONS = 8

/**
 * Cuts a layer for a question: the whole of it if that is short, else the models that the question's words mean, those
 * between them, and those that they refer to. Null if no word of the question means anything in the layer.
 */
export const cutLayer = (
  { index, vocabulary }: { readonly index: LayerIndex; readonly vocabulary: Vocabulary },
  question: {
    readonly understanding: Understanding
    readonly findValues: FindValues
    readonly matches: readonly ValueMatch[]
  },
  mostCharacters = MOST_CHARACTERS,
): LayerCut | null => {
  const meant = findMeant(index, vocabulary, question)
  if (meant.models.size === 0) return null
  const whole = cutTo([...index.models.keys()], index, () => true)
  if (whole.text.length <= mostCharacters) return whole
  const isMeant = (name: string): boolean => meant.names.has(name)
  const [first = '', ...others] = withConnected(index, meant.models)
  let kept = cutTo([first], index, isMeant)
  for (const name of others) {
    const wider = cutTo([...kept.models.keys(), name], index, isMeant)
    if (wider.text.length <= mostCharacters) kept = wider
  }
  return kept
}

/** The whole layer, with everything that has a name: for someone who knows the names and shows them to no model. */
export const wholeLayer = (index: LayerIndex): LayerCut => {
  const cut = cutTo([...index.models.keys()], index, () => true)
  const isThere = (model: string): boolean => index.models.has(model)
  const metrics = index.layer.metrics.filter(metric => modelsOfMetric(metric, index).every(isThere))
  const segments = index.layer.segments.filter(({ model }) => isThere(model))
  return {
    ...cut,
    metrics: new Map(metrics.map(metric => [metric.name, metric])),
    segments: new Map(segments.map(segment => [segment.name, segment])),
  }
}

/** What the words of a question mean: models with how surely, and the names of metrics, segments and dimensions. */
interface Meant {
  readonly models: ReadonlyMap<string, number>
  readonly names: ReadonlySet<string>
}

const findMeant = (
  index: LayerIndex,
  vocabulary: Vocabulary,
  { understanding, findValues, matches }: Parameters<typeof cutLayer>[1],
): Meant => {
  const { text, spans } = understanding
  const models = new Map<string, number>()
  const names = new Set<string>()
  const add = (model: string, name: string, quality: number): void => {
    if (!index.models.has(model)) return
    models.set(model, Math.max(models.get(model) ?? 0, quality))
    names.add(name)
  }
  const found = findSpans({
    ...{ text, tokens: tokenize(text), periods: spans, layer: index.layer, vocabulary, findValues },
  })
  for (const { term, quality } of found.flat())
    if (quality >= LEAST_QUALITY)
      for (const { model, name } of placesOf(term, index)) add(model, name, quality)
  for (const match of matches) {
    const at = dimensionOfMatch(match, index)
    if (at) add(at.model, `${at.model}.${at.dimension}`, match.score / 2)
  }
  return { models, names }
}

/** The dimension whose column a value is in. */
export const dimensionOfMatch = (
  { table, column }: Pick<ValueMatch, 'table' | 'column'>,
  { models }: LayerIndex,
): { readonly model: string; readonly dimension: string } | null => {
  for (const { model, table: own } of models.values()) {
    if (table !== own.name && table !== `${own.schema}.${own.name}`) continue
    const found = model.dimensions.find(
      ({ expression }) => expression.kind === 'column' && expression.column === column,
    )
    if (found) return { model: model.name, dimension: found.name }
  }
  return null
}

/** Where in a layer a term is. */
const placesOf = (
  term: Term,
  index: LayerIndex,
): readonly { readonly model: string; readonly name: string }[] => {
  switch (term.kind) {
    case 'metric':
      return modelsOfMetric(term.metric, index).map(model => ({ model, name: term.metric.name }))
    case 'model':
      return [{ model: term.model.name, name: term.model.name }]
    case 'dimension':
    case 'value':
    case 'event':
      return [{ model: term.model.name, name: `${term.model.name}.${term.dimension.name}` }]
    case 'segment':
      return [{ model: term.segment.model, name: term.segment.name }]
    case 'role':
      return [term.model.name, term.join.to].map(model => ({ model, name: model }))
    default:
      return []
  }
}

/** The models whose rows a metric is measured over. */
export const modelsOfMetric = (metric: Metric, index: LayerIndex): readonly string[] => {
  const inner = (name: string): readonly string[] => {
    const found = index.metrics.get(name)
    return found && found !== metric ? modelsOfMetric(found, index) : []
  }
  switch (metric.kind) {
    case 'simple':
      return [metric.model]
    case 'ratio':
      return [...new Set([...inner(metric.numerator), ...inner(metric.denominator)])]
    case 'derived':
      return [...new Set((metric.formula.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []).flatMap(inner))]
    case 'cumulative':
      return inner(metric.metric)
    default: {
      const never: never = metric
      return never
    }
  }
}

/** A model is surely meant by its name, or by one of its metrics, dimensions or values. */
const SURE = 0.9

/** The models that are surely meant, those between them, those that all of these refer to, and those that may be meant. */
const withConnected = (index: LayerIndex, meant: ReadonlyMap<string, number>): readonly string[] => {
  const ranked = [...meant].toSorted(([, a], [, b]) => b - a)
  const sure = ranked.flatMap(([name, quality], rank) => (quality >= SURE || rank === 0 ? [name] : []))
  const between = sure.flatMap((from, at) =>
    sure.slice(at + 1).flatMap(to => (findPath(index, from, to) ?? []).map(step => step.to)),
  )
  const near = [...sure, ...between]
  const referred = near.flatMap(name => index.models.get(name)?.model.joins.map(({ to }) => to) ?? [])
  const all = [...near, ...referred, ...ranked.map(([name]) => name)]
  return [...new Set(all)].filter(name => index.models.has(name))
}

const cutTo = (names: readonly string[], index: LayerIndex, isMeant: (name: string) => boolean): LayerCut => {
  const kept = new Set(names)
  // In the order of the layer, so that questions about the same models have the same text.
  const models = new Map(
    [...index.models.values()]
      .filter(({ model }) => kept.has(model.name))
      .map(({ model }) => [model.name, { model, dimensions: dimensionsShown(model, isMeant) }] as const),
  )
  const metrics = index.layer.metrics.filter(
    metric => !isPlain(metric, index) && modelsOfMetric(metric, index).every(model => kept.has(model)),
  )
  const segments = index.layer.segments.filter(one => kept.has(one.model) && !isNegation(one))
  const { layer } = index
  const text = [
    'Models:',
    ...[...models.values()].flatMap(one => modelLines(one, kept, index)),
    ...(metrics.length === 0 ? [] : ['Metrics:']),
    ...metrics.map(
      metric => `- ${metric.name}: ${describeMetric(metric, layer)}${unitText(metric.unit)}${moreOf(metric)}`,
    ),
    ...(segments.length === 0 ? [] : ['Segments:']),
    ...segments.map(segment => `- ${segment.name}: ${describeSegment(segment, layer)}${moreOf(segment)}`),
  ].join('\n')
  return {
    models,
    metrics: new Map(metrics.map(metric => [metric.name, metric])),
    segments: new Map(segments.map(segment => [segment.name, segment])),
    text,
  }
}

/** A proposed count of rows or aggregation of one column says nothing that a reply cannot say itself. */
const isPlain = (metric: Metric, { models }: LayerIndex): boolean => {
  if (metric.kind !== 'simple' || metric.status !== 'proposed' || metric.filters.length > 0) return false
  const { expression, synonyms } = metric
  if (expression === null) return metric.aggregation === 'count'
  return (
    synonyms.length === 0 &&
    expression.kind === 'column' &&
    models.get(metric.model)?.dimensions.has(expression.column) === true
  )
}

/** A reply says itself that a flag is not set. */
const isNegation = ({ status, conditions }: Segment): boolean =>
  status === 'proposed' && conditions.every(one => one.kind === 'sql' && one.text.startsWith('NOT ('))

const dimensionsShown = (
  model: SemanticModel,
  isMeant: (name: string) => boolean,
): ReadonlyMap<string, Dimension> => {
  const plain = model.dimensions.filter(
    ({ isKey, type, name }) => !isKey || (type === 'categorical' && model.nameDimensions.includes(name)),
  )
  const named = plain.filter(({ name }) => isMeant(`${model.name}.${name}`))
  const needed = plain.filter(
    ({ name }) => name === model.timeDimension || model.nameDimensions.includes(name),
  )
  const others = plain.filter(one => !named.includes(one) && !needed.includes(one))
  const shown = new Set([...named, ...needed, ...others.slice(0, MOST_OTHER_DIMENSIONS)])
  return new Map(plain.filter(one => shown.has(one)).map(dimension => [dimension.name, dimension]))
}

const modelLines = (
  { model, dimensions }: CutModel,
  kept: ReadonlySet<string>,
  { models }: LayerIndex,
): readonly string[] => {
  const joins = model.joins
    .filter(({ to }) => kept.has(to))
    .map(({ name, to }) => (name === to ? name : `${name} (${to})`))
  const { columns, table } = models.get(model.name) ?? {}
  const texts = [...dimensions.values()].map(one => {
    const { expression } = one
    const column = expression.kind === 'column' ? columns?.get(expression.column) : undefined
    const isPersonal = column !== undefined && table !== undefined && isPersonalColumn(column, table)
    return dimensionText(isPersonal ? { ...one, values: null } : one, column?.profile?.distinctCount ?? 0)
  })
  const head = [
    isNamed(model) ? model.name : `${model.name} "${model.label}"`,
    ...(model.timeDimension === null ? [] : [`dated by ${model.timeDimension}`]),
    ...(joins.length === 0 ? [] : [`joins ${joins.join(', ')}`]),
  ].join('; ')
  return [`- ${head}${moreOf(model)}`, ...(texts.length === 0 ? [] : [`  ${texts.join('; ')}`])]
}

/** Whether a label says no more than the name. */
const isNamed = ({ name, label }: Pick<Dimension, 'name' | 'label'>): boolean =>
  label.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_') === name

/** Values that are worth their room: all there are, if they are few and short. */
const MOST_VALUES = 10

const LONGEST_VALUES = 110

const dimensionText = (dimension: Dimension, distinct: number): string => {
  const { name, label, type, values, unit } = dimension
  const isComplete = values !== null && values.length <= MOST_VALUES && distinct <= values.length
  const listed = isComplete ? values.join(', ') : ''
  const kind =
    type !== 'categorical'
      ? ` ${type === 'timestamp' ? 'time' : type}`
      : listed === '' || listed.length > LONGEST_VALUES
        ? ''
        : `: ${listed}`
  return `${name}${isNamed(dimension) ? '' : ` "${label}"`}${kind}${unitText(unit)}`
}

const unitText = (unit: Dimension['unit']): string => {
  if (unit?.kind === 'currency') return ` in ${unit.code ?? 'money'}`
  const said = describeUnit(unit)
  return said === null ? '' : ` in ${said}`
}

const MOST_SYNONYMS = 3

const LONGEST_DESCRIPTION = 120

const moreOf = ({ synonyms, description }: Pick<Metric, 'synonyms' | 'description'>): string => {
  const said = synonyms.length === 0 ? '' : ` (${synonyms.slice(0, MOST_SYNONYMS).join(', ')})`
  return `${said}${description === null ? '' : `. ${description.slice(0, LONGEST_DESCRIPTION)}`}`
}
