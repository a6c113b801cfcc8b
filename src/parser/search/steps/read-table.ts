import type { Measure } from '../../frame.ts'
import type { LinkedSpanOf } from '../../link/linked-span.ts'
import type { TableEntry } from '../../schema/schema-index.ts'
import { advanceState, amountColumns, continuesGrouping, type StateChange } from '../advance.ts'
import type { SearchStep } from '../search-context.ts'
import type { SearchState } from '../state.ts'

/**
 * A named table is counted, ranked by, grouped by or excluded if that is pending; otherwise it is what the question
 * is about.
 */
export const readTable: SearchStep<LinkedSpanOf<'table'>> = (context, state, item) =>
  (item.calledBy ? showFullName(state, item.table) : changesOf(state, item.table)).map(change =>
    advanceState(context, state, item, { touch: item.table, lastTable: item.table, ...change }),
  )

const showFullName = ({ frame }: SearchState, table: TableEntry): readonly StateChange[] => [
  {
    role: 'fullName',
    key: `fn${table.id}`,
    frame: {
      outputs: [
        ...frame.outputs,
        ...table.display.map(column => ({ kind: 'column', column, grouped: false }) as const),
      ],
    },
    lastTable: null,
  },
]

const changesOf = (state: SearchState, table: TableEntry): readonly StateChange[] => {
  const { pending, frame } = state
  const tables = frame.tables.includes(table) ? frame.tables : [...frame.tables, table]
  const rows: Measure = { fn: 'count', column: null, table, distinct: false }
  const changes: StateChange[] = []
  if (pending.count) {
    changes.push({
      role: 'countTable',
      key: `ct${table.id}`,
      frame: { tables, outputs: [...frame.outputs, { kind: 'measure', measure: rows }] },
      pending: { count: false, distinct: false },
    })
  }
  if (pending.top?.manner === 'most') {
    changes.push({
      role: 'mostOfTable',
      key: `mt${table.id}${pending.top.direction}`,
      frame: {
        tables,
        orders: [{ by: rows, direction: pending.top.direction }],
        limit: pending.number ?? frame.limit ?? 1,
      },
      pending: { top: null, number: null },
    })
  }
  if (pending.number !== null && !pending.top) {
    changes.push({
      role: pending.compare ? 'havingTable' : 'havingTableExactly',
      key: `ht${table.id}${pending.compare?.operator ?? '='}${pending.number}`,
      frame: {
        tables,
        havings: [
          ...frame.havings,
          {
            measure: rows,
            operator: pending.compare?.operator ?? '=',
            number: pending.number,
            high: pending.between ? pending.high : null,
          },
        ],
      },
      pending: { compare: null, number: null, high: null, between: false, count: false },
    })
  }
  if (pending.not) {
    changes.push({
      role: 'absentTable',
      key: `at${table.id}`,
      frame: { absent: [...frame.absent, table] },
      pending: { not: false },
      lastTable: table,
    })
  }
  if (pending.aggregates.length > 0) {
    for (const column of amountColumns(table)) {
      changes.push({
        role: 'aggregateTable',
        key: `${pending.aggregates.join()}${column.id}`,
        frame: {
          tables,
          outputs: [
            ...frame.outputs,
            ...pending.aggregates.map(
              fn => ({ kind: 'measure', measure: { fn, column, table, distinct: false } }) as const,
            ),
          ],
        },
        pending: { aggregates: [] },
      })
    }
  }
  const shown = table.display.filter(
    column => !frame.outputs.some(output => output.kind === 'column' && output.column === column),
  )
  if (pending.each || continuesGrouping(state)) {
    changes.push({
      role: pending.each ? 'groupTable' : 'regroupTable',
      key: `gt${table.id}`,
      frame: {
        tables,
        groups: [...frame.groups, ...table.display.map(column => ({ column, entity: table, unit: null }))],
        outputs: [
          ...frame.outputs,
          ...shown.map(column => ({ kind: 'column', column, grouped: true }) as const),
        ],
      },
      pending: { each: false, regroup: true, distinct: false },
    })
    changes.push({
      role: pending.each ? 'groupTableOnly' : 'regroupTableOnly',
      key: `gto${table.id}`,
      frame: {
        tables,
        groups: [...frame.groups, ...table.display.map(column => ({ column, entity: table, unit: null }))],
      },
      pending: { each: false, regroup: true, distinct: false },
    })
  }
  if (pending.order) {
    changes.push({
      role: pending.order.fn === 'count' ? 'orderCountTable' : 'orderTable',
      key: `ot${table.id}`,
      frame: {
        tables,
        orders:
          pending.order.fn === 'count'
            ? [...frame.orders, { by: rows, direction: pending.order.direction ?? 'asc' }]
            : [
                ...frame.orders,
                ...table.display.map(by => ({ by, direction: pending.order?.direction ?? 'asc' }) as const),
              ],
      },
      pending: { order: null },
    })
  }
  const again = frame.tables.includes(table)
  changes.push({
    role: again ? 'mentionAgain' : frame.tables.length === 0 ? 'mentionFirst' : 'mention',
    key: again ? '' : `t${table.id}`,
    frame: { tables, distinct: frame.distinct || pending.distinct },
    pending: { distinct: false },
    features: [['drop.not', pending.not ? 1 : 0]],
  })
  const waits = pending.count || pending.top !== null || pending.each || pending.compare !== null
  if (!waits && pending.aggregates.length === 0 && shown.length > 0) {
    changes.push({
      role: `${frame.outputs.length === 0 ? 'showTable' : 'showTableToo'}${shown.some(column => column.traits.name) ? '' : 'Unnamed'}`,
      key: `st${table.id}`,
      frame: {
        tables,
        outputs: [
          ...frame.outputs,
          ...shown.map(column => ({ kind: 'column', column, grouped: false }) as const),
        ],
        distinct: frame.distinct || pending.distinct,
      },
      pending: { distinct: false },
    })
  }
  return changes
}
