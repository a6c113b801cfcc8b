import type { Frame } from '../frame.ts'
import type { LinkedSpan } from '../link/linked-span.ts'
import { type Features, weightedScore } from '../rank/model.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'
import type { SearchContext } from './search-context.ts'
import type { Pending, SearchState } from './state.ts'

/** What a step changes; anything left out stays. `touch` names the table that the step adds. */
export interface StateChange {
  readonly role: string
  readonly key: string
  readonly frame?: Partial<Frame>
  readonly pending?: Partial<Pending>
  readonly clause?: SearchState['clause']
  readonly focus?: SearchState['focus']
  readonly lastTable?: SearchState['lastTable']
  readonly touch?: TableEntry
  readonly features?: Features
  readonly chosen?: ColumnEntry
}

/** Advances a state past a span. The role is a feature by itself and together with the clause. */
export const advanceState = (
  context: SearchContext,
  state: SearchState,
  item: LinkedSpan,
  change: StateChange,
): SearchState => {
  const own: (readonly [string, number])[] = [
    [`role.${change.role}`, 1],
    [`role.${change.role}.${state.clause}`, 1],
    ...neighborFeatures(context, item, change.role),
    ...(change.features ?? []),
  ]
  if (change.touch) own.push(...distanceFeatures(context, state, change.touch, change.role))
  const touched =
    change.touch && !state.touched.includes(change.touch.id)
      ? [...state.touched, change.touch.id]
      : state.touched
  return {
    position: item.end,
    score: state.score + item.score + weightedScore(own, context.weights),
    frame: change.frame ? { ...state.frame, ...change.frame } : state.frame,
    pending: change.pending ? { ...state.pending, ...change.pending } : state.pending,
    clause: change.clause ?? state.clause,
    focus: change.focus === undefined ? state.focus : change.focus,
    lastTable: change.lastTable === undefined ? null : change.lastTable,
    touched,
    trail: {
      item,
      role: change.role,
      at: [item.start, item.end],
      chosen: change.chosen ?? null,
      features: [...item.features, ...own],
      before: state.trail,
    },
    key: `${state.key} ${change.key}`,
  }
}

/** The function words next to a span say much about its role: "names *of*", "*by* month", "*with* name". */
const neighborFeatures = (context: SearchContext, item: LinkedSpan, role: string): Features => {
  if (item.kind === 'cue') return []
  const { before, after } = context.contexts
  return [
    [`role.${role}<${before[item.start] ?? ''}`, 1],
    [`role.${role}>${after[item.end] ?? ''}`, 1],
  ]
}

const steps = ['same', 'one', 'two']

/** How many joins a table is away from those that the state has used. */
const distanceFeatures = (
  context: SearchContext,
  state: SearchState,
  table: TableEntry,
  role: string,
): Features => {
  if (state.touched.length === 0) return []
  let nearest = Number.POSITIVE_INFINITY
  for (const other of state.touched) {
    nearest = Math.min(nearest, context.schema.distance[table.id]?.[other] ?? Number.POSITIVE_INFINITY)
  }
  const near = nearest === Number.POSITIVE_INFINITY ? 'never' : (steps[nearest] ?? 'far')
  return [
    [`near.${near}`, 1],
    [`near.${near}.${role}`, 1],
  ]
}

/** Whether the last word was an "and" after a grouping, so that the next noun may be another grouping. */
export const continuesGrouping = ({ pending, trail }: SearchState): boolean =>
  pending.regroup && trail?.item?.kind === 'cue' && trail.item.cue.kind === 'and'

const MAX_AMOUNT_COLUMNS = 3

/** Number columns of a table that words may mean without naming them: "orders over 500", "total ad costs". */
export const amountColumns = (table: TableEntry): readonly ColumnEntry[] =>
  table.columns
    .filter(column => column.traits.numeric && !column.traits.key && !column.traits.year)
    .slice(0, MAX_AMOUNT_COLUMNS)
