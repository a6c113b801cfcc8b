import type { LinkedSpanOf } from '../../link/linked-span.ts'
import type { Features } from '../../rank/model.ts'
import type { ColumnEntry } from '../../schema/schema-index.ts'
import { advanceState } from '../advance.ts'
import type { SearchContext, SearchStep } from '../search-context.ts'
import type { SearchState } from '../state.ts'

/** A period limits a date column: that of the current condition, else each that may be meant. */
export const readPeriod: SearchStep<LinkedSpanOf<'period'>> = (context, state, item) => {
  const { frame, focus, pending } = state
  const columns = focus?.traits.moment ? [focus] : momentColumns(context, state)
  return columns.map(column =>
    advanceState(context, state, item, {
      role: column === focus ? 'periodInFocus' : 'period',
      key: `p${column.id}${item.span.phrase}`,
      touch: column.table,
      chosen: column,
      frame: {
        conditions: [
          ...frame.conditions,
          { column, test: { kind: 'period', span: item.span }, negated: pending.not, or: pending.or },
        ],
      },
      pending: { not: false, or: false, compare: null },
      focus: null,
      features: column === focus ? [] : momentFeatures(context, state, column),
    }),
  )
}

const MAX_CHOICES = 6

/** Date columns that a period or unit of time may mean: those of tables at most one join from those used. */
export const momentColumns = (context: SearchContext, state: SearchState): readonly ColumnEntry[] => {
  const { touched } = state
  if (touched.length === 0) return context.momentColumns.slice(0, MAX_CHOICES)
  const distance = (column: ColumnEntry): number =>
    Math.min(
      ...touched.map(table => context.schema.distance[table]?.[column.table.id] ?? Number.POSITIVE_INFINITY),
    )
  return context.momentColumns
    .filter(column => distance(column) <= 1)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, MAX_CHOICES)
}

/** How well a date column fits the state. */
export const momentFeatures = (context: SearchContext, state: SearchState, column: ColumnEntry): Features => {
  const { conditions, groups } = state.frame
  const others = [
    ...groups.flatMap(group => (group.unit ? [group.column] : [])),
    ...conditions.flatMap(condition => (condition.test.kind === 'period' ? [condition.column] : [])),
  ]
  const firstOfTable = column.table.columns.find(other => other.traits.moment) === column
  const ofSubject = state.touched[0] === column.table.id
  return [
    ['moment', 1],
    ['moment.tableNamed', context.lattice.mentions[column.table.id]?.strength ?? 0],
    ['moment.spoken', context.spoken(column) ? 1 : 0],
    ['moment.nullable', column.column.nullable ? 1 : 0],
    ['moment.firstOfTable', firstOfTable ? 1 : 0],
    ['moment.ofSubject', ofSubject ? 1 : 0],
    ['moment.asBefore', others.includes(column) ? 1 : 0],
    ['moment.unlikeBefore', others.length > 0 && !others.includes(column) ? 1 : 0],
  ]
}
