import type { ResultTable } from '../../../core/result.ts'

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
