import type { PlannedRead, TableRowCount } from '../../../sql/sql-dialect.ts'
import { unreadablePlan } from '../standard-sql.ts'

/** One operation of a plan, of those that we look at. */
interface Operation {
  readonly operation?: string
  readonly objects?: readonly string[]
  readonly partitionsTotal?: number
  readonly partitionsAssigned?: number
}

/**
 * The statement whose output `readSnowflakePlan` reads. It compiles only around a query, since nothing else can stand
 * in FROM, and it needs no warehouse.
 */
export const explainSnowflake = (sql: string): string => `EXPLAIN USING JSON SELECT * FROM (\n${sql}\n)`

/** `SHOP.PUBLIC.ORDERS` without its database, where no part is quoted. */
const nameOf = (object: string): string => object.split('.').at(-1)?.replaceAll('"', '') ?? object

/**
 * Where a plan reads rows. Snowflake tells the partitions that are left when filters are applied, but no rows: so many
 * of the table's rows are counted as it has partitions of all.
 */
export const readSnowflakePlan = (plan: string, rowsOf: TableRowCount): readonly PlannedRead[] => {
  const operations = parse(plan)
  if (operations === null) return unreadablePlan
  return operations.flatMap(
    ({ operation, objects, partitionsTotal = 0, partitionsAssigned = 0 }): readonly PlannedRead[] => {
      const object = objects?.[0]
      if (operation === undefined || !/Scan$/.test(operation) || object === undefined) return []
      const all = rowsOf(object)
      const share = partitionsTotal > 0 ? partitionsAssigned / partitionsTotal : 1
      return [{ table: nameOf(object), rows: all === null ? null : Math.ceil(all * share) }]
    },
  )
}

/** The operations of all steps; null if the text is no plan. */
const parse = (plan: string): readonly Operation[] | null => {
  try {
    const { Operations } = JSON.parse(plan) as { readonly Operations?: readonly (readonly Operation[])[] }
    return Array.isArray(Operations) ? Operations.flat() : null
  } catch {
    return null
  }
}
