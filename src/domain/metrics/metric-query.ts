/**
 * A question in terms of the semantic layer: between language and SQL. It is compiled to one statement, edited by
 * follow-ups, and explained in plain words.
 */
export interface MetricQuery {
  /** What is shown, in this order. Empty for a list of the rows of `rowsOf`. */
  readonly metrics: readonly MetricUse[]
  /** The model whose rows are listed if there are no metrics, and at whose rows `having` is measured. */
  readonly rowsOf: string | null
  readonly groupBy: readonly GroupKey[]
  /** Dimensions to show beside the names of rows that are listed. */
  readonly show: readonly DimensionRef[]
  /** All of them hold. */
  readonly filters: readonly MetricFilter[]
  readonly period: MetricPeriod | null
  readonly compare: Comparison | null
  readonly share: ShareOf | null
  readonly running: Running | null
  readonly having: readonly MetricCondition[]
  readonly order: readonly MetricOrder[]
  readonly limit: number | null
  /** Keep the first `limit` of each of these groups instead of the first of all. */
  readonly limitPer: readonly GroupKey[]
}

export type DateUnit = 'day' | 'week' | 'month' | 'quarter' | 'year'

/** A part of a moment that comes again: of a week, of a day, of a year. */
export type DatePart = 'weekday' | 'hour' | 'month-of-year'

/** A metric of the layer, or one made for this question. */
export type MetricUse =
  | {
      readonly kind: 'named'
      readonly metric: string
      readonly filters: readonly MetricFilter[]
      /** As a heading, where the metric stands beside itself: `Online orders`. */
      readonly label?: string
    }
  | {
      readonly kind: 'made'
      /** As a heading: `Average weight`. */
      readonly label: string
      readonly model: string
      readonly aggregation:
        | 'sum'
        | 'count'
        | 'count_distinct'
        | 'avg'
        | 'min'
        | 'max'
        | 'median'
        | 'percentile'
      /** Null for a count of rows. */
      readonly of: DimensionRef | MadeDuration | null
      readonly percentile: number | null
      readonly filters: readonly MetricFilter[]
    }
  /** One number over another: `number of orders` per `number of customers`. */
  | {
      readonly kind: 'ratio'
      readonly label: string
      readonly numerator: MetricUse
      readonly denominator: MetricUse
      readonly isShare: boolean
    }

/** Time from one date dimension to another of the same model. */
export interface MadeDuration {
  readonly from: DimensionRef
  readonly until: DimensionRef
  readonly unit: 'second' | 'minute' | 'hour' | 'day'
}

/** A dimension of a model; `via` are the joins that lead there from the model of the metric, null for the shortest way. */
export interface DimensionRef {
  readonly model: string
  readonly dimension: string
  readonly via: readonly string[] | null
}

/** What rows are grouped by. */
export type GroupKey =
  | { readonly kind: 'dimension'; readonly at: DimensionRef }
  | { readonly kind: 'grain'; readonly at: DimensionRef | null; readonly grain: DateUnit }
  | { readonly kind: 'part'; readonly at: DimensionRef | null; readonly part: DatePart }
  /** Each row of a model, by its key and name. */
  | { readonly kind: 'model'; readonly model: string; readonly via: readonly string[] | null }
  /** The first time that a row of `of` has a row of the metric's model, such as the month of a customer's first order. */
  | { readonly kind: 'cohort'; readonly of: string; readonly events: string; readonly grain: DateUnit }

export type FilterValue = string | number | boolean

/** A condition on the rows that count. */
export type MetricFilter =
  | {
      readonly kind: 'values'
      readonly at: DimensionRef
      readonly values: readonly FilterValue[]
      readonly negated: boolean
    }
  | {
      readonly kind: 'compare'
      readonly at: DimensionRef
      readonly operator: '<' | '<=' | '>' | '>=' | '=' | '<>'
      readonly value: FilterValue
    }
  | {
      readonly kind: 'compare-dimensions'
      readonly left: DimensionRef
      readonly operator: '<' | '<=' | '>' | '>=' | '=' | '<>'
      readonly right: DimensionRef
    }
  | {
      readonly kind: 'match'
      readonly at: DimensionRef
      readonly text: string
      readonly place: 'anywhere' | 'start' | 'end'
      readonly negated: boolean
    }
  | { readonly kind: 'missing'; readonly at: DimensionRef; readonly negated: boolean }
  | {
      readonly kind: 'period'
      readonly at: DimensionRef
      readonly from: string | null
      readonly until: string | null
      readonly negated: boolean
    }
  | {
      readonly kind: 'segment'
      readonly segment: string
      readonly via: readonly string[] | null
      readonly negated: boolean
    }
  /** Rows that have, or do not have, rows of another model which meet `filters`. */
  | {
      readonly kind: 'related'
      readonly model: string
      readonly filters: readonly MetricFilter[]
      readonly negated: boolean
    }
  /** Rows of `of` for which a figure meets a condition: customers with more than 5 orders. Rows without any have 0. */
  | {
      readonly kind: 'measured'
      readonly of: string
      readonly metric: MetricUse
      readonly operator: '<' | '<=' | '>' | '>=' | '=' | '<>'
      readonly value: number
      readonly period: { readonly from: string | null; readonly until: string | null } | null
    }
  | { readonly kind: 'any'; readonly filters: readonly MetricFilter[] }

/** Days from `from`, `until` excluded, as ISO days; null for no end. `at` is null for each metric's own date. */
export interface MetricPeriod {
  readonly from: string | null
  readonly until: string | null
  readonly at: DimensionRef | null
  /** As the question has it: `last month`. */
  readonly phrase: string
}

/** Two figures beside each other. */
export type Comparison =
  /** With other days. `isSameStretch`: a running period is compared with as much of the other. */
  | {
      readonly kind: 'period'
      readonly from: string
      readonly until: string
      readonly label: string
      readonly isSameStretch: boolean
    }
  /** In a series, each period with the one before it, or with the same one a year before. */
  | { readonly kind: 'series'; readonly lag: 'previous' | 'year' }

/** Each group's part: of all, or of its group by the given key. */
export type ShareOf = { readonly kind: 'total' } | { readonly kind: 'group'; readonly by: GroupKey }

/** Figures that add up over time. */
export type Running =
  | { readonly kind: 'total' }
  /** From the start of each unit: year to date. */
  | { readonly kind: 'to-date'; readonly unit: DateUnit }
  /** The mean of the last so many periods. */
  | { readonly kind: 'moving-average'; readonly count: number }
  /** The mean of all periods, instead of a row for each: orders a day, on average. */
  | { readonly kind: 'mean' }

/** A condition on a figure, or on how much it changed where it is compared with an earlier one. */
export interface MetricCondition {
  readonly metric: MetricUse
  readonly of?: 'change'
  readonly operator: '<' | '<=' | '>' | '>=' | '=' | '<>'
  readonly value: number
}

/** What comes first. */
export type MetricOrder =
  | { readonly kind: 'metric'; readonly metric: MetricUse; readonly direction: 'asc' | 'desc' }
  | {
      readonly kind: 'change'
      readonly metric: MetricUse
      readonly isRelative: boolean
      readonly direction: 'asc' | 'desc'
    }
  | { readonly kind: 'dimension'; readonly at: DimensionRef; readonly direction: 'asc' | 'desc' }
  | { readonly kind: 'key'; readonly key: GroupKey; readonly direction: 'asc' | 'desc' }

/** A query that asks for nothing yet. */
export const emptyMetricQuery: MetricQuery = {
  metrics: [],
  rowsOf: null,
  groupBy: [],
  show: [],
  filters: [],
  period: null,
  compare: null,
  share: null,
  running: null,
  having: [],
  order: [],
  limit: null,
  limitPer: [],
}
