import type { ResultTable } from '../../../domain/result.ts'
import type { PlannedRead } from '../../../sql/sql-dialect.ts'
import { unreadablePlan } from '../standard-sql.ts'

/**
 * Where a MySQL or MariaDB plan reads rows, from EXPLAIN's table: one line for each table, in the order of the
 * loops, with the rows read for each row of the lines before it. A dependent subquery is read for each row of the
 * statement.
 */
export const readMysqlPlan = (plan: string): readonly PlannedRead[] => {
  if (!/^id=/m.test(plan)) return unreadablePlan
  const loops = new Map<string, number>()
  return plan.split('\n').flatMap(line => {
    const fields = new Map(
      [...line.matchAll(/(\w+)=(.*?)(?= \w+=|$)/g)].map(([, key, value]) => [key, value]),
    )
    const [id, table, rows] = [fields.get('id'), fields.get('table'), fields.get('rows')]
    if (id === undefined || table === undefined || rows === undefined) return []
    const isDependent = /^DEPENDENT/.test(fields.get('select_type') ?? '')
    const before = loops.get(id) ?? (isDependent ? (loops.get('1') ?? 1) : 1)
    const looked = before * Number(rows)
    loops.set(id, Math.max(1, looked * (Number(fields.get('filtered') ?? 100) / 100)))
    // A derived table counts where its rows come from.
    return table.startsWith('<') ? [] : [{ table, rows: looked }]
  })
}

/**
 * A plan as lines of text. Both servers return a row for each table, with different columns; MySQL can be set to
 * return a tree in a single row.
 */
export const renderPlan = ({ columns, rows }: ResultTable): string =>
  rows
    .map(row =>
      columns.length === 1
        ? String(row[0])
        : columns
            .map(({ name }, index) => ({ name, cell: row[index] }))
            .filter(({ cell }) => cell !== null && cell !== '')
            .map(({ name, cell }) => `${name}=${String(cell)}`)
            .join(' '),
    )
    .join('\n')
