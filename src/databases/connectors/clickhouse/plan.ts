import type { PlannedRead, TableRowCount } from '../../../sql/sql-dialect.ts'
import { unreadablePlan } from '../standard-sql.ts'

/** Where a statement reads rows, from the lines `table=NAME rows=COUNT` that the connector makes of its plan. */
export const readClickhousePlan = (plan: string, rowsOf: TableRowCount): readonly PlannedRead[] => {
  if (plan === noReads) return []
  const reads = [...plan.matchAll(/^table=(.*) rows=(\d+|\?)$/gm)].map(([, table = '', rows]) => ({
    table,
    rows: rows === '?' ? rowsOf(table) : Number(rows),
  }))
  return reads.length === 0 ? unreadablePlan : reads
}

/** A plan that reads no table. */
export const noReads = 'no table is read'

/** One line of a plan. `rows` is null where the server does not say. */
export const planLine = (table: string, rows: number | null): string => `table=${table} rows=${rows ?? '?'}`
