import type { AnswerChange } from '../../domain/interpretation.ts'
import type {
  DimensionRef,
  GroupKey,
  MetricFilter,
  MetricQuery,
  MetricUse,
} from '../../domain/metrics/metric-query.ts'
import type { Dimension, SemanticModel } from '../../domain/metrics/semantic-layer.ts'
import type { QueryDraft } from '../interpret/draft/query-draft.ts'
import { baseOf, type FinishContext, labelOfUse, modelNamed } from '../interpret/finish/layer-facts.ts'
import type { Cue } from '../interpret/terms.ts'

/** How the words around a change say that it is meant. */
export interface ChangeManner {
  /** "France too": it adds to what was asked. */
  readonly adds: boolean
  /** "And France?": a value in place of another, but one more grouping or figure. */
  readonly joins: boolean
  /** "By month instead", "what about France". */
  readonly replaces: boolean
  /** "Split it by region": one more grouping. */
  readonly splits: boolean
  /** It speaks of what the answer shows: "their emails". */
  readonly refers: boolean
  /** "What share of those": of what was asked about before. */
  readonly sharesThose: boolean
  /** "Drop the ones without a reason": what has none does not count. */
  readonly negatesTwice: boolean
}

/** A metric query while a follow-up changes it. */
export interface Change {
  query: MetricQuery
  /** False if the figure only ranks: nobody asked to see it. */
  figureIsAsked: boolean
  readonly said: AnswerChange[]
  /** Cues that had their effect. */
  readonly used: Set<Cue['kind']>
  /** What speaks for or against this reading, added up. */
  score: number
  /** Words that it has no use for. */
  readonly unused: string[]
  readonly draft: QueryDraft
  readonly manner: ChangeManner
  readonly context: FinishContext
}

/** The model that a query is about: what is listed, or what its first figure is measured over. */
export const subjectOfQuery = (
  { rowsOf, metrics: [metric] }: MetricQuery,
  context: FinishContext,
): SemanticModel | null =>
  rowsOf !== null ? modelNamed(context, rowsOf) : metric ? baseOf(metric, context) : null

/** Whether the change has one of these cues. */
export const saysCue = ({ draft }: Change, ...kinds: readonly Cue['kind'][]): boolean =>
  draft.cues.some(({ cue }) => kinds.includes(cue.kind))

/** The first cue of a kind. */
export const cueSaid = <Kind extends Cue['kind']>(
  { draft }: Change,
  kind: Kind,
): Extract<Cue, { kind: Kind }> | null =>
  (draft.cues.find(({ cue }) => cue.kind === kind)?.cue as Extract<Cue, { kind: Kind }> | undefined) ?? null

/** Models that the change itself names, without the one that was asked about before. */
export const modelsNamed = ({ models }: Pick<QueryDraft, 'models'>): QueryDraft['models'] =>
  models.filter(({ at }) => at >= 0)

export const dimensionAt = (at: DimensionRef, { index }: FinishContext): Dimension | null =>
  index.models.get(at.model)?.dimensions.get(at.dimension) ?? null

/** Whether two references are to the same dimension; a path that one leaves open may be the other's. */
export const isSamePlace = (a: DimensionRef, b: DimensionRef): boolean =>
  a.model === b.model &&
  a.dimension === b.dimension &&
  (a.via === null || b.via === null || a.via.join('/') === b.via.join('/'))

/** What rows are grouped by, in words. */
export const keyLabel = (key: GroupKey, context: FinishContext): string => {
  switch (key.kind) {
    case 'dimension':
      return dimensionAt(key.at, context)?.label.toLowerCase() ?? key.at.dimension
    case 'grain':
    case 'cohort':
      return key.grain
    case 'part':
      return key.part.replaceAll('-', ' ')
    case 'model':
      return modelNamed(context, key.model)?.label.toLowerCase() ?? key.model
    default: {
      const never: never = key
      return never
    }
  }
}

/** A figure in words, to complete "the". */
export const figureLabel = (use: MetricUse, context: FinishContext): string => {
  const label = labelOfUse(use, context)
  const metric = use.kind === 'named' ? context.index.metrics.get(use.metric) : undefined
  // A proposed mean is called by its column: the price.
  if (metric?.kind === 'simple' && metric.aggregation === 'avg' && !/average|mean/i.test(label))
    return `average ${label.charAt(0).toLowerCase()}${label.slice(1)}`
  return /^[A-Z][A-Z]/.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}

/** Changes every filter of a query, also those of figures and of related rows; null leaves one out. */
export const mapFilters = (
  query: MetricQuery,
  change: (filter: MetricFilter) => MetricFilter | null,
): MetricQuery => {
  const mapAll = (filters: readonly MetricFilter[]): readonly MetricFilter[] =>
    filters.flatMap(filter => {
      const inner =
        filter.kind === 'related' || filter.kind === 'any'
          ? { ...filter, filters: mapAll(filter.filters) }
          : filter.kind === 'measured'
            ? { ...filter, metric: mapUse(filter.metric) }
            : filter
      const changed = change(inner)
      return changed === null ? [] : [changed]
    })
  const mapUse = (use: MetricUse): MetricUse =>
    use.kind === 'ratio'
      ? { ...use, numerator: mapUse(use.numerator), denominator: mapUse(use.denominator) }
      : { ...use, filters: mapAll(use.filters) }
  return {
    ...query,
    filters: mapAll(query.filters),
    metrics: query.metrics.map(mapUse),
    having: query.having.map(one => ({ ...one, metric: mapUse(one.metric) })),
    order: query.order.map(order => ('metric' in order ? { ...order, metric: mapUse(order.metric) } : order)),
  }
}
