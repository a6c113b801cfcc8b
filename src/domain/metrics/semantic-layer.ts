import type { DateUnit } from './metric-query.ts'

/**
 * What the words of a business mean in a database. Terms are those of MetricFlow and Apache Ossie: semantic models with
 * dimensions and joins, metrics, and named filters (segments).
 */
export interface SemanticLayer {
  /** One for each table that questions can be about. */
  readonly models: readonly SemanticModel[]
  readonly metrics: readonly Metric[]
  readonly segments: readonly Segment[]
}

/** `proposed` was derived from schema and profile and nobody has looked at it; it is used, but with a visible assumption. */
export type ReviewStatus = 'accepted' | 'proposed'

/** What people call something. */
export interface Naming {
  /** Unique in the layer; for dimensions, in their model. Lower case with underscores. */
  readonly name: string
  /** As a heading, in the singular: `Billing country`. */
  readonly label: string
  /** Other words for it, in the singular. */
  readonly synonyms: readonly string[]
  readonly description: string | null
}

/** What one row of a table is, and how the table hangs together with others. */
export interface SemanticModel extends Naming {
  /** In the plural, as in "15 inactive customers". */
  readonly plural: string
  readonly table: { readonly schema: string | null; readonly name: string }
  readonly primaryKey: readonly string[]
  /** The dimensions that tell a person which row it is: a name, or first and last name. Never empty. */
  readonly nameDimensions: readonly string[]
  /** The dimension that periods are about, unless a question or metric says otherwise. */
  readonly timeDimension: string | null
  readonly dimensions: readonly Dimension[]
  /** Joins to models of which each row has at most one. */
  readonly joins: readonly ModelJoin[]
  readonly status: ReviewStatus
}

/** A column or expression to show, filter or group by. */
export interface Dimension extends Naming {
  readonly type: 'categorical' | 'number' | 'boolean' | 'date' | 'timestamp'
  readonly expression: LayerExpression
  /** Null if the values are not known. In their own order if they have one. */
  readonly values: readonly (string | number | boolean)[] | null
  readonly unit: Unit | null
  /** An id or other code that nobody groups by. */
  readonly isKey: boolean
}

/** SQL of the database's dialect over the columns of the model's table and, with a dot, of models it joins. */
export type LayerExpression =
  | { readonly kind: 'column'; readonly column: string }
  | { readonly kind: 'sql'; readonly text: string }
  /** Time from one date dimension to another. */
  | {
      readonly kind: 'duration'
      readonly from: string
      readonly until: string
      readonly unit: DurationUnit
    }

export type DurationUnit = 'second' | 'minute' | 'hour' | 'day'

/** A foreign key; its name is the role of the other model: `billing_address`. */
export interface ModelJoin {
  readonly name: string
  readonly to: string
  readonly columns: readonly { readonly from: string; readonly to: string }[]
}

export type Aggregation = 'sum' | 'count' | 'count_distinct' | 'avg' | 'min' | 'max' | 'median' | 'percentile'

/** A number that questions ask for. */
export type Metric = Naming & {
  readonly unit: Unit | null
  /** Which direction is good; null if neither. */
  readonly goodDirection: 'up' | 'down' | null
  readonly status: ReviewStatus
} & MetricDefinition

export type MetricDefinition =
  | SimpleMetric
  /** A ratio of two metrics' totals, never a mean of ratios. */
  | { readonly kind: 'ratio'; readonly numerator: string; readonly denominator: string }
  /** Arithmetic over metrics by their names: `revenue - cost`. */
  | { readonly kind: 'derived'; readonly formula: string }
  /** A metric summed up over time: over the last periods, since the start of one (`month` to date), or since ever. */
  | {
      readonly kind: 'cumulative'
      readonly metric: string
      readonly window: { readonly count: number; readonly unit: DateUnit } | null
      readonly toDate: DateUnit | null
    }

/** An aggregation of one expression over the rows of one model. */
export interface SimpleMetric {
  readonly kind: 'simple'
  readonly model: string
  readonly aggregation: Aggregation
  /** Null for a count of rows. */
  readonly expression: LayerExpression | null
  /** From 0 to 1, for `percentile`. */
  readonly percentile: number | null
  /** SQL conditions that all hold for the rows that count. */
  readonly filters: readonly string[]
  /** A date dimension of the model; null for the model's own. */
  readonly timeDimension: string | null
}

/** A named set of rows: "active customers". */
export interface Segment extends Naming {
  readonly model: string
  readonly conditions: readonly SegmentCondition[]
  readonly status: ReviewStatus
}

/** One of the conditions that the rows of a segment meet. */
export type SegmentCondition =
  | { readonly kind: 'sql'; readonly text: string }
  /** A date dimension lies before the day of the question. */
  | { readonly kind: 'past'; readonly dimension: string }
  /** It has, or does not have, rows of another model, of the last so many days if `days` is set. */
  | {
      readonly kind: 'related'
      readonly model: string
      readonly negated: boolean
      readonly where: readonly string[]
      readonly days: number | null
    }

/** How a number is meant. `scale` is what a stored number is multiplied by: .01 for cents. */
export type Unit =
  | { readonly kind: 'currency'; readonly code: string | null; readonly scale: number }
  /** `scale` is 100 for fractions, 1 for numbers that are percentages already. */
  | { readonly kind: 'percent'; readonly scale: number }
  | { readonly kind: 'duration'; readonly unit: DurationUnit }
  | { readonly kind: 'count' }
  /** Written behind the number: `kg`. */
  | { readonly kind: 'other'; readonly suffix: string; readonly scale: number }

export const emptyLayer: SemanticLayer = { models: [], metrics: [], segments: [] }
