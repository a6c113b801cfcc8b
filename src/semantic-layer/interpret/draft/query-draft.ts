import type {
  DimensionRef,
  GroupKey,
  MadeDuration,
  MetricFilter,
  MetricUse,
} from '../../../domain/metrics/metric-query.ts'
import type { Dimension, Metric, ModelJoin, SemanticModel } from '../../../domain/metrics/semantic-layer.ts'
import type { TimeSpan } from '../../../domain/question-context.ts'
import { capitalize } from '../../../lib/capitalize.ts'
import type { Adjective } from '../../../lib/lexicon/adjectives.ts'
import type { Cue } from '../terms.ts'

/** An operator and the number beside it. */
export interface Condition {
  readonly operator: '<' | '<=' | '>' | '>=' | '='
  readonly value: number
}

/** A filter, with the place of the question it came from. */
export interface PlacedFilter {
  readonly filter: MetricFilter
  readonly at: number
}

/** A period, and the date it is about if the question says so. */
export interface PlacedPeriod {
  readonly span: TimeSpan
  readonly date: DimensionRef | null
  readonly at: number
  /** It is what something else is compared with: "compared to last year". */
  readonly isOther?: boolean
}

/** Rows of another model that must, or must not, exist. */
export interface Clause {
  readonly model: SemanticModel
  readonly negated: boolean
  readonly filters: MetricFilter[]
  /** The periods among the filters, as they were said. */
  readonly spans: TimeSpan[]
  readonly at: number
  date: DimensionRef | null
}

/** What a reading of the terms from left to right has found so far. */
export interface QueryDraft {
  readonly metrics: { use: MetricUse; at: number; metric: Metric | null; isOrder: boolean; text: string }[]
  /** Models by the order in which they are named, with how: the thing asked for, a group, part of a condition. */
  readonly models: { model: SemanticModel; at: number; role: 'subject' | 'counted' | 'group' | 'other' }[]
  readonly groups: { key: GroupKey; at: number; isEach: boolean }[]
  readonly dimensions: {
    model: SemanticModel
    dimension: Dimension
    at: number
    role: 'asked' | 'counted' | 'used'
  }[]
  readonly filters: PlacedFilter[]
  readonly periods: PlacedPeriod[]
  readonly clauses: Clause[]
  readonly measured: {
    condition: Condition
    metric: MetricUse | null
    model: SemanticModel | null
    at: number
  }[]
  /** How long something took: "longer than six hours". */
  readonly lasting: { condition: Condition; unit: MadeDuration['unit']; at: number }[]
  readonly events: {
    model: SemanticModel
    dimension: Dimension
    isOwn: boolean
    at: number
    isUsed: boolean
    negated: boolean
  }[]
  readonly cues: { cue: Cue; at: number }[]
  /** The words of each term as they were written, by its first token. */
  readonly texts: ReadonlyMap<number, string>
  readonly ranks: {
    direction: 'asc' | 'desc'
    count: number | null
    adjective: Adjective | null
    isMost: boolean
    text: string
    /** Several are asked for: "top customers". */
    isPlural: boolean
    /** All of them in this order, as in "oldest first". */
    isSort?: boolean
    at: number
  }[]
  readonly roles: { model: SemanticModel; join: ModelJoin; at: number }[]
  /** "How many" was said of something that is no model: it is counted all the same. */
  wantsCount: boolean
  /** A number that nothing is compared with, as it was written. */
  unusedNumber: string | null
  /** A "not" without what it denies, as it was written. */
  lostNot: string | null
  /** A comparison without what it compares with, as it was written: "over" in "over budget". */
  halfSaid: string | null
  /** "More than their manager": the operator before a role. */
  thanRole: Condition['operator'] | null
  /** The words of all terms, in which units are looked for. */
  readonly words: string
  aggregate: { fn: 'sum' | 'avg' | 'median' | 'percentile'; fraction: number | null; at: number } | null
  /** What speaks for or against this reading, added up. */
  score: number
}

/** A draft of a question with these words that has nothing in it yet. */
export const emptyDraft = (words: string, texts: ReadonlyMap<number, string> = new Map()): QueryDraft => ({
  texts,
  metrics: [],
  models: [],
  groups: [],
  dimensions: [],
  filters: [],
  periods: [],
  clauses: [],
  measured: [],
  lasting: [],
  events: [],
  cues: [],
  ranks: [],
  roles: [],
  wantsCount: false,
  unusedNumber: null,
  lostNot: null,
  halfSaid: null,
  thanRole: null,
  words,
  aggregate: null,
  score: 0,
})

/** The words at a place as they were written; what they were taken for if they are not known. */
export const wordsAt = ({ texts }: Pick<QueryDraft, 'texts'>, at: number, meaning: string): string =>
  texts.get(at) ?? meaning

/** A number as the column stores it: 20 euros are 2000 cents. */
export const scaled = (value: number, { unit }: Pick<Dimension, 'unit'>): number => {
  if (unit?.kind === 'currency' && unit.scale !== 1) return Math.round(value / unit.scale)
  return unit?.kind === 'percent' && unit.scale === 100 && value > 1 ? value / 100 : value
}

export const refOf = (model: SemanticModel, dimension: Dimension): DimensionRef => ({
  model: model.name,
  dimension: dimension.name,
  via: null,
})

/** Whether no day is in both. */
export const areApart = (a: TimeSpan, b: TimeSpan): boolean =>
  (a.until !== null && b.from !== null && a.until <= b.from) ||
  (b.until !== null && a.from !== null && b.until <= a.from)

/** The date that a model's rows are counted by. */
export const ownDate = (model: SemanticModel): DimensionRef => {
  const names = (model.timeDimension ?? '').split('.')
  if (names.length === 1) return { model: model.name, dimension: names[0] ?? '', via: null }
  const join = model.joins.find(({ name }) => name === names[0])
  return { model: join?.to ?? model.name, dimension: names.at(-1) ?? '', via: null }
}

export const countOf = (model: SemanticModel): MetricUse => ({
  kind: 'made',
  label: capitalize(model.plural),
  model: model.name,
  aggregation: 'count',
  of: null,
  percentile: null,
  filters: [],
})

/** The model asked about, if one has been named yet. */
export const subjectOf = (draft: QueryDraft): SemanticModel | null =>
  draft.models.find(({ role }) => role === 'subject' || role === 'counted')?.model ?? null

/** A metric under "average", "median" or a percentile, where it is a sum of a column. */
export const aggregated = (
  use: MetricUse,
  metric: Metric,
  { aggregate }: Pick<QueryDraft, 'aggregate'>,
): MetricUse => {
  if (aggregate === null || metric.kind !== 'simple' || metric.expression?.kind !== 'column') return use
  if (aggregate.fn === metric.aggregation) return use
  const labels = {
    sum: 'Total',
    avg: 'Average',
    median: 'Median',
    percentile: `${Math.round((aggregate.fraction ?? 0.5) * 100)}th percentile of`,
  }
  const plain = metric.label.charAt(0).toLowerCase() + metric.label.slice(1)
  return {
    kind: 'made',
    label: `${labels[aggregate.fn]} ${plain}`,
    model: metric.model,
    aggregation: aggregate.fn,
    of: { model: metric.model, dimension: metric.expression.column, via: null },
    percentile: aggregate.fraction,
    filters: [],
  }
}

/** Makes what is said of rows of another model a condition of the question. */
export const liftClause = (draft: QueryDraft, clause: Clause): void => {
  draft.clauses.splice(draft.clauses.indexOf(clause), 1)
  draft.periods.push(...clause.spans.map(span => ({ span, date: clause.date, at: clause.at })))
  draft.filters.push(
    ...clause.filters.filter(({ kind }) => kind !== 'period').map(filter => ({ filter, at: clause.at })),
  )
}
