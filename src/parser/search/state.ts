import type { Adjective } from '../../lib/lexicon/adjectives.ts'
import type { AggregateFunction, CompareOperator } from '../../sql/render/query.ts'
import { emptyFrame, type Frame } from '../frame.ts'
import type { SortDirection } from '../lexicon.ts'
import type { LinkedSpan } from '../link/linked-span.ts'
import type { Features } from '../rank/model.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'

type ColumnAggregate = Exclude<AggregateFunction, 'count'>

/** Cues that were read and wait for what they apply to. */
export interface Pending {
  readonly count: boolean
  readonly aggregates: readonly ColumnAggregate[]
  /** Measures that a column just took: the next one may share them ("the average latitude and longitude"). */
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
  /** The second number of a range whose column is still to come. */
  readonly high: number | null
  readonly number: number | null
  readonly not: boolean
  readonly each: boolean
  /** A key was just read: the next noun after an "and" may be another ("by store and channel"). */
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

/** What was read of a token span, newest first. */
export interface ReadStep {
  readonly item: LinkedSpan | null
  /** How the item was used, for instance `output`; for a skipped token `skip`. */
  readonly role: string
  readonly at: readonly [start: number, end: number]
  /** A column that the step brought in without its being named: of a period, a unit of time, an adjective. */
  readonly chosen: ColumnEntry | null
  readonly features: Features
  readonly before: ReadStep | null
}

/** A partial reading: the tokens before `position` are read. Immutable. */
export interface SearchState {
  readonly position: number
  readonly score: number
  readonly frame: Frame
  readonly pending: Pending
  /** Which part of the question this is: what is asked for, or what must hold. */
  readonly clause: 'select' | 'condition'
  /** The column that a condition is being made about. */
  readonly focus: ColumnEntry | null
  /** Tables touched so far, by id, latest last. */
  readonly touched: readonly number[]
  /** The table named last, if the last thing named was a table. */
  readonly lastTable: TableEntry | null
  readonly trail: ReadStep | null
  /** Equal for states that mean the same so far. */
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
