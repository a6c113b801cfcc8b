import type { Condition, Having } from '../../frame.ts'
import type { Cue } from '../../lexicon.ts'
import type { LinkedSpanOf } from '../../link/linked-span.ts'
import { advanceState, type StateChange } from '../advance.ts'
import type { SearchContext, SearchStep } from '../search-context.ts'
import type { SearchState } from '../state.ts'
import { applyMeasuringAdjective, rankByAdjective } from './adjectives.ts'
import { momentColumns, momentFeatures } from './read-period.ts'

/** Most cues wait for what they apply to; some apply at once. */
export const readCue: SearchStep<LinkedSpanOf<'cue'>> = (context, state, item) => {
  const go = (change: StateChange): SearchState => advanceState(context, state, item, change)
  return changesOf(context, state, item.cue, item.end).map(go)
}

const changesOf = (
  context: SearchContext,
  state: SearchState,
  cue: Cue,
  end: number,
): readonly StateChange[] => {
  const { pending, frame } = state
  switch (cue.kind) {
    case 'count':
      if (pending.top && pending.top.manner !== 'frequency') {
        return [{ role: 'topCount', key: 'tc', pending: { top: { ...pending.top, manner: 'most' } } }]
      }
      if (pending.order) {
        return [{ role: 'orderCount', key: 'oc', pending: { order: { ...pending.order, fn: 'count' } } }]
      }
      return [{ role: 'count', key: 'c', pending: { count: true } }]
    case 'aggregate':
      if (pending.compare && !pending.compare.aggregate) {
        return [
          {
            role: 'compareAggregate',
            key: `ca${cue.fn}`,
            pending: { compare: { ...pending.compare, aggregate: cue.fn } },
          },
        ]
      }
      if (pending.top && pending.top.fn === null && (cue.fn === 'avg' || cue.fn === 'sum')) {
        return [
          { role: 'topAggregate', key: `ta${cue.fn}`, pending: { top: { ...pending.top, fn: cue.fn } } },
        ]
      }
      if (pending.order) {
        return [
          {
            role: 'orderAggregate',
            key: `oa${cue.fn}`,
            pending: { order: { ...pending.order, fn: cue.fn } },
          },
        ]
      }
      if (pending.aggregates.includes(cue.fn)) return []
      return [
        {
          role: 'aggregate',
          key: `a${cue.fn}`,
          pending: { aggregates: [...pending.aggregates, cue.fn] },
          features: [[`aggregate.${cue.fn}`, 1]],
        },
      ]
    case 'superlative': {
      const { direction, manner, adjective } = cue
      const top = { direction, manner, adjective, fn: null }
      const waiting: StateChange = {
        role: adjective ? 'topWaits' : `top.${manner}`,
        key: `t${manner}${direction}`,
        pending: { top },
        clause: 'condition',
      }
      return adjective ? [waiting, ...rankByAdjective(context, state, cue.adjective)] : [waiting]
    }
    case 'top':
      if (context.tokens[end]?.number === null || context.tokens[end] === undefined) return []
      return [
        {
          role: 'topN',
          key: 'tn',
          pending: { top: { direction: 'desc', manner: 'column', adjective: null, fn: null } },
        },
      ]
    case 'compare': {
      const { operator, adjective } = cue
      const flipped = pending.not ? negate[operator] : operator
      return [
        {
          role: adjective ? 'compareAdjective' : 'compare',
          key: `cmp${flipped}${adjective?.forms.base ?? ''}`,
          pending: { compare: { operator: flipped, adjective, aggregate: null }, not: false },
          clause: 'condition',
        },
      ]
    }
    case 'compare-after':
      return widenLast(state, cue.operator)
    case 'between':
      return [{ role: 'between', key: 'btw', pending: { between: true }, clause: 'condition' }]
    case 'not':
      return [{ role: 'not', key: 'not', pending: { not: true }, clause: 'condition' }]
    case 'each':
      return [{ role: 'each', key: 'each', pending: { each: true } }]
    case 'by':
      if (pending.order) return [{ role: 'byOrder', key: '' }]
      return [
        { role: 'byEach', key: 'each', pending: { each: true } },
        ...(pending.top ? [{ role: 'byTop', key: '' }] : []),
      ]
    case 'unit':
      return momentColumns(context, state).map(column => ({
        role: 'unit',
        chosen: column,
        key: `u${column.id}${cue.unit}`,
        touch: column.table,
        frame: {
          groups: [...frame.groups, { column, entity: null, unit: cue.unit }],
          outputs: [...frame.outputs, { kind: 'unit' as const, column, unit: cue.unit }],
        },
        features: momentFeatures(context, state, column),
      }))
    case 'order':
      return [
        {
          role: 'order',
          key: `ord${cue.direction}`,
          pending: { order: { direction: cue.direction, fn: null } },
        },
      ]
    case 'direction':
      return applyDirection(state, cue.direction)
    case 'distinct':
      return [{ role: 'distinct', key: 'd', pending: { distinct: true } }]
    case 'and':
      return [{ role: 'and', key: '' }]
    case 'or':
      return [{ role: 'or', key: 'or', pending: { or: true } }]
    case 'both':
      return [{ role: 'both', key: 'both', pending: { both: true } }]
    case 'except':
      return [{ role: 'except', key: 'not', pending: { not: true }, clause: 'condition' }]
    case 'matches':
      return [{ role: 'matches', key: `m${cue.place}`, pending: { matches: cue.place }, clause: 'condition' }]
    case 'condition':
      return [{ role: 'condition', key: '', clause: 'condition' }]
    case 'request':
      return [{ role: 'request', key: '', clause: 'select' }]
    case 'everything':
      return [
        {
          role: 'everything',
          key: 'all',
          frame: { outputs: [...frame.outputs, { kind: 'all', table: null }] },
        },
      ]
    case 'measure':
      return context.columnsOf(cue.adjective).map(({ column }, index) => ({
        role: 'askMeasure',
        chosen: column,
        key: `o${column.id}`,
        touch: column.table,
        frame: { outputs: [...frame.outputs, { kind: 'column' as const, column, grouped: false }] },
        features: [
          ['adjective.first', index === 0 ? 1 : 0],
          ['adjective.tableNamed', context.lattice.mentions[column.table.id]?.strength ?? 0],
        ],
      }))
    case 'measured':
      return applyMeasuringAdjective(context, state, cue.adjective)
    case 'missing': {
      const column = state.focus
      if (!column) return []
      const condition: Condition = {
        column,
        test: { kind: 'missing' },
        negated: cue.negated !== pending.not,
        or: false,
      }
      return [
        {
          role: 'missing',
          key: `null${column.id}`,
          frame: { conditions: [...frame.conditions, condition] },
          focus: null,
          pending: { not: false, compare: null },
        },
      ]
    }
  }
}

const negate = { '=': '<>', '<>': '=', '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const

/** "10 or more": the comparison comes after its number. */
const widenLast = (state: SearchState, operator: string): readonly StateChange[] => {
  const wide = operator === '>=' ? '>=' : '<='
  const { conditions, havings } = state.frame
  const condition = conditions.at(-1)
  const having = havings.at(-1)
  if (state.pending.number !== null) {
    return [
      {
        role: 'widen',
        key: wide,
        pending: { compare: { operator: wide, adjective: null, aggregate: null } },
      },
    ]
  }
  if (condition?.test.kind === 'compare' && typeof condition.test.value === 'number') {
    const changed: Condition = { ...condition, test: { ...condition.test, operator: wide } }
    return [{ role: 'widen', key: wide, frame: { conditions: [...conditions.slice(0, -1), changed] } }]
  }
  if (having) {
    const changed: Having = { ...having, operator: wide }
    return [{ role: 'widen', key: wide, frame: { havings: [...havings.slice(0, -1), changed] } }]
  }
  return []
}

/** A direction belongs to the order before it, or to the pending one; alone it sorts the outputs. */
const applyDirection = (state: SearchState, direction: 'asc' | 'desc'): readonly StateChange[] => {
  const { frame, pending } = state
  if (pending.order) {
    const waiting: StateChange = {
      role: 'direction',
      key: direction,
      pending: { order: { ...pending.order, direction } },
    }
    const last = frame.orders.at(-1)
    return last
      ? [
          waiting,
          {
            role: 'direction',
            key: direction,
            frame: { orders: reverseDirection(frame.orders, direction) },
            pending: { order: null },
          },
        ]
      : [waiting]
  }
  if (frame.orders.length > 0) {
    return [
      { role: 'direction', key: direction, frame: { orders: reverseDirection(frame.orders, direction) } },
    ]
  }
  return [{ role: 'directionFirst', key: direction, pending: { order: { direction, fn: null } } }]
}

const reverseDirection = (
  orders: SearchState['frame']['orders'],
  direction: 'asc' | 'desc',
): SearchState['frame']['orders'] =>
  orders.map((order, index) => (index === orders.length - 1 ? { ...order, direction } : order))
