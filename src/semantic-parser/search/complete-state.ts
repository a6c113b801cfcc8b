import type { Frame, Measure } from '../frame/frame.ts'
import { type CompletedFrame, completeOutputs } from './give-outputs.ts'
import type { SearchContext } from './search-context.ts'
import { resolvePending } from './settle-pending.ts'
import type { SearchState } from './state.ts'

const rowCountMeasure: Measure = { fn: 'count', column: null, table: null, distinct: false }

/** Makes whole frames of what was read by the end of the question, each with the evidence that this added. */
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

/** How the question opens; it tells much about what people expect to see, and in which order. */
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
