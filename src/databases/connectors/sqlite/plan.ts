import type { ResultTable } from '../../../domain/result.ts'
import type { PlannedRead, TableRowCount } from '../../../sql/sql-dialect.ts'

/**
 * Where a SQLite plan reads rows. The plan says in which order tables are looped over and how each is looked up,
 * without numbers: a scan counts as the whole table, once for each row of the loops around it, and a search as one
 * row.
 */
export const readSqlitePlan = (plan: string, rowsOf: TableRowCount): readonly PlannedRead[] => {
  const reads: PlannedRead[] = []
  // The loops around each depth of the tree.
  const around: number[] = [1]
  let depthBefore = 0
  for (const line of plan.split('\n').slice(1)) {
    const found = /^([\s|]*)[|`]--(.*)$/.exec(line)
    if (!found) continue
    const [, indent = '', what = ''] = found
    const depth = indent.length / 3
    const isInner = depth > depthBefore
    if (isInner) around[depth] ??= 1
    around.length = depth + 1
    depthBefore = depth
    const loops = around[depth] ?? 1
    if (/^CORRELATED /.test(what)) around[depth + 1] = loops
    const read = /^(SCAN|SEARCH) (?:TABLE )?(\S+)/.exec(what)
    if (!read || what === 'SCAN CONSTANT ROW') continue
    const [, how, table = ''] = read
    if (how === 'SEARCH') {
      reads.push({ table, rows: loops })
      continue
    }
    const rows = rowsOf(table)
    reads.push({ table, rows: rows === null ? null : rows * loops })
    around[depth] = loops * Math.max(1, rows ?? 1)
  }
  return reads
}

/** EXPLAIN QUERY PLAN's rows (id, parent, unused, detail) as the tree that the sqlite3 shell prints. */
export const renderPlan = (plan: ResultTable): string => {
  const lines = ['QUERY PLAN']
  const addChildren = (parent: unknown, indent: string): void => {
    const children = plan.rows.filter(row => row[1] === parent)
    for (const [index, row] of children.entries()) {
      const last = index === children.length - 1
      lines.push(`${indent}${last ? '`--' : '|--'}${String(row[3])}`)
      addChildren(row[0], `${indent}${last ? '   ' : '|  '}`)
    }
  }
  addChildren(0, '')
  return lines.join('\n')
}
