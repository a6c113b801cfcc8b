import type { Frame, Measure, Output } from '../frame.ts'
import type { Features } from '../rank/model.ts'
import { type CompletedFrame, completeOutputs } from './complete-outputs.ts'
import type { SearchContext } from './search-context.ts'
import type { SearchState } from './state.ts'

const rowCountMeasure: Measure = { fn: 'count', column: null, table: null, distinct: false }

/** Completes frames from a state at the end of the question, each with the features of completing it. */
export const completeState = (context: SearchContext, state: SearchState): readonly CompletedFrame[] => {
  const settled = resolvePending(context, state)
  const opening = openingOf(context)
  return completeOutputs(context, state, settled.frame).map(completed => {
    const ordered = orderByFirst(state, completed.frame)
    return {
      frame: ordered ?? completed.frame,
      features: [
        ...settled.features,
        ...completed.features,
        ...completed.features.map(([name, value]) => [`${name}.q.${opening}`, value] as const),
        ...(ordered ? [['fin.orderFirst', 1] as const] : []),
      ],
    }
  })
}

const openings = new Set(
  'how what which who whose when where show find list give return count tell for compute calculate'.split(
    ' ',
  ),
)

/** How the question begins, which says much about what people expect to see and in which order. */
const openingOf = ({ tokens }: SearchContext): string => {
  const first = tokens.find(token => token.kind === 'word')?.folded ?? ''
  return openings.has(first) ? first : 'other'
}

const orderByFirst = (state: SearchState, frame: Frame): Frame | null => {
  const { order } = state.pending
  if (!order) return null
  const direction = order.direction ?? 'asc'
  if (order.fn === 'count') return { ...frame, orders: [...frame.orders, { by: rowCountMeasure, direction }] }
  const first = frame.outputs.find(output => output.kind === 'column')
  return first?.kind === 'column'
    ? { ...frame, orders: [...frame.orders, { by: first.column, direction }] }
    : frame
}

const pendingRowCount: Measure = { fn: 'count', column: null, table: null, distinct: false }

/** Resolves what is still pending at the end of the question: a count without a noun counts rows, and so on. */
export const resolvePending = (
  context: SearchContext,
  state: SearchState,
): { readonly frame: Frame; readonly features: Features } => {
  const features: (readonly [string, number])[] = []
  let { frame } = state
  const { pending, focus } = state
  if (pending.count) {
    features.push(['fin.countRows', 1])
    const output: Output = { kind: 'measure', measure: pendingRowCount }
    const grouped =
      frame.outputs[0]?.kind === 'unit' || (frame.outputs[0]?.kind === 'column' && frame.outputs[0].grouped)
    frame = { ...frame, outputs: grouped ? [output, ...frame.outputs] : [...frame.outputs, output] }
  }
  if (pending.top) {
    if (pending.top.manner === 'column') features.push(['fin.top', 1])
    else {
      features.push(['fin.topRows', 1])
      frame = {
        ...frame,
        orders: [{ by: pendingRowCount, direction: pending.top.direction }],
        limit: pending.number ?? frame.limit ?? 1,
      }
    }
  }
  const measured = pending.compare?.adjective
    ? context.columnsOf(pending.compare.adjective).find(entry => entry.column.traits.numeric)
    : undefined
  const compared = focus ?? measured?.column
  if (pending.compare?.aggregate && compared) {
    const { aggregate: fn } = pending.compare
    const operator = focus || !measured ? pending.compare.operator : measured.up ? '>' : '<'
    features.push(['fin.compareAggregate', 1])
    frame = {
      ...frame,
      conditions: [
        ...frame.conditions,
        {
          column: compared,
          test: { kind: 'compare-aggregate', operator, fn },
          negated: false,
          or: false,
        },
      ],
    }
  } else {
    if (pending.compare && pending.number !== null && !pending.compare.adjective) {
      features.push(['fin.havingRows', 1])
      const { operator } = pending.compare
      frame = {
        ...frame,
        havings: [
          ...frame.havings,
          { measure: pendingRowCount, operator, number: pending.number, high: null },
        ],
      }
    } else if (pending.compare) features.push(['fin.compare', 1])
    if (focus) features.push(['fin.focus', 1], [`fin.focus.${focus.traits.flag ? 'flag' : 'other'}`, 1])
  }
  if (pending.aggregates.length > 0) features.push(['fin.aggregate', pending.aggregates.length])
  if (pending.number !== null && !pending.compare && !(pending.top && pending.top.manner !== 'column')) {
    features.push(['fin.number', 1])
  }
  if (pending.not) features.push(['fin.not', 1])
  if (pending.each) features.push(['fin.each', 1])
  if (pending.between) features.push(['fin.between', 1])
  if (pending.matches) features.push(['fin.matches', 1])
  if (pending.both && !frame.both) features.push(['fin.both', 1])
  if (pending.distinct) frame = { ...frame, distinct: true }
  return { frame, features }
}
