import type { PlannedRead } from '../../../sql/sql-dialect.ts'
import { unreadablePlan } from '../standard-sql.ts'

interface IoPlan {
  readonly inputTableColumnInfos?: readonly {
    readonly table?: {
      readonly catalog?: string
      readonly schemaTable?: { readonly schema?: string; readonly table?: string }
    }
    readonly estimate?: { readonly outputRowCount?: number | string }
  }[]
}

/** The statement whose output `readTrinoPlan` reads. */
export const explainTrino = (sql: string): string => `EXPLAIN (TYPE IO, FORMAT JSON) ${sql}`

/**
 * Where a Trino plan reads rows, from `EXPLAIN (TYPE IO, FORMAT JSON)`: a table with the rows that are left when its
 * connector has pushed filters down. A connector without statistics gives no number.
 */
export const readTrinoPlan = (
  plan: string,
  rowsOf: (table: string) => number | null,
): readonly PlannedRead[] => {
  const read = parse(plan)
  if (read === null) return unreadablePlan
  return (read.inputTableColumnInfos ?? []).map(({ table, estimate }) => {
    const name = table?.schemaTable?.table ?? null
    const rows = Number(estimate?.outputRowCount ?? Number.NaN)
    if (name === null || Number.isFinite(rows))
      return { table: name, rows: Number.isFinite(rows) ? rows : null }
    const full = [table?.catalog, table?.schemaTable?.schema, name]
      .filter(part => part !== undefined)
      .join('.')
    return { table: name, rows: rowsOf(full) }
  })
}

const parse = (plan: string): IoPlan | null => {
  try {
    return JSON.parse(plan) as IoPlan
  } catch {
    return null
  }
}
