import type { PlannedRead, RowsOf } from './planned-read.ts'

/**
 * Where a plan of DuckDB reads: every scan is of a whole table, once, since it joins by hashing. A product of two tables
 * is looked at row by row, and the plan says how many those are. Names that were too long for their box are unknown.
 */
export const readDuckdbPlan = (plan: string, rowsOf: RowsOf): readonly PlannedRead[] => [
  ...[...plan.matchAll(/Table: ([^\s│]+)/g)].map(([, name = '']) => {
    const table = name.split('.').at(-1) ?? name
    return { table, rows: rowsOf(table) }
  }),
  ...(/CROSS_PRODUCT|NESTED_LOOP_JOIN/.test(plan)
    ? [
        {
          table: null,
          rows: Math.max(
            0,
            ...[...plan.matchAll(/~([\d,]+) rows/g)].map(([, n = '0']) => Number(n.replaceAll(',', ''))),
          ),
        },
      ]
    : []),
]
