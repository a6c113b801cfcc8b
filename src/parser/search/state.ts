import type { Adjective } from '../../lib/lexicon/adjectives.ts'
import { emptyFrame, type Frame } from '../frame.ts'
import type { AggregateFunction, CompareOperator, SortDirection } from '../lexicon.ts'
import type { LinkedSpan } from '../link/linked-span.ts'
import type { Features } from '../rank/model.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'

type ColumnAggregate = Exclude<AggregateFunction, 'count'>

/** Cues that wait for what they apply to. */
export interface Pending {
  readonly count: boolean
  readonly aggregates: readonly ColumnAggregate[]
  /** Measures that the last column took; the next one may share them ("the average latitude and longitude"). */
  readonly shared: readonly AggregateFunction[]
  readonly top: {
    readonly direction: SortDirection
    readonly manner: 'column' | 'most' | 'frequency'
    readonly adjective: Adjective | null
    readonly fn: ColumnAggregate | null
  } | null
  readonly compare: {
    readonly operator: CompareOperator
    readonly adjective: Adjective | null
    readonly aggregate: ColumnAggregate | null
  } | null
  readonly between: boolean
  /** The second number of a range whose column follows. */
  readonly high: number | null
  readonly number: number | null
  readonly not: boolean
  readonly each: boolean
  /** A grouping was just added: the next noun after an "and" may be another ("by store and channel"). */
  readonly regroup: boolean
  readonly order: { readonly direction: SortDirection | null; readonly fn: AggregateFunction | null } | null
  readonly distinct: boolean
  readonly or: boolean
  readonly both: boolean
  readonly matches: 'anywhere' | 'start' | 'end' | null
}

const nothingPending: Pending = {
  count: false,
  aggregates: [],
  shared: [],
  top: null,
  compare: null,
  between: false,
  high: null,
  number: null,
  not: false,
  each: false,
  regroup: false,
  order: null,
  distinct: false,
  or: false,
  both: false,
  matches: null,
}

/** How a span of tokens was understood, newest first. */
export interface ReadStep {
  readonly item: LinkedSpan | null
  /** How the span was used, such as `output`, or `skip` for a skipped token. */
  readonly role: string
  readonly at: readonly [start: number, end: number]
  /** A column that the step added without its being named: that of a period, a unit of time or an adjective. */
  readonly chosen: ColumnEntry | null
  readonly features: Features
  readonly before: ReadStep | null
}

/** A partial interpretation: the tokens before `position` are done. Immutable. */
export interface SearchState {
  readonly position: number
  readonly score: number
  readonly frame: Frame
  readonly pending: Pending
  /** The part of the question: what to show, or what must hold. */
  readonly clause: 'select' | 'condition'
  /** The column of the condition that is being built. */
  readonly focus: ColumnEntry | null
  /** Ids of the tables used so far, latest last. */
  readonly touched: readonly number[]
  /** The table named last, if a table was the last thing named. */
  readonly lastTable: TableEntry | null
  readonly trail: ReadStep | null
  /** Equal for states with the same meaning so far. */
  readonly key: string
}

export const startState: SearchState = {
  position: 0,
  score: 0,
  frame: emptyFrame,
  pending: nothingPending,
  clause: 'select',
  focus: null,
  touched: [],
  lastTable: null,
  trail: null,
  key: '',
}
