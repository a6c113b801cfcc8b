import type { ResultTable } from '../../../domain/result.ts'
import type { PlannedRead } from '../../../sql/sql-dialect.ts'
import { unreadablePlan } from '../standard-sql.ts'

/**
 * Where a plan of MySQL or MariaDB reads, from EXPLAIN's table: a line a table, in the order of the loops, with the rows
 * that are looked at for each row of the lines before it. A dependent subquery is read for each row of the statement.
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
    // What was put together on the way was read where it comes from.
    return table.startsWith('<') ? [] : [{ table, rows: looked }]
  })
}

/**
 * A plan as lines of text. Both servers give one row for each table read, with columns that differ; MySQL can be set to
 * give a tree in a single one.
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
