import type { PlannedRead, TableRowCount } from '../../../sql/sql-dialect.ts'
import { unreadablePlan } from '../standard-sql.ts'

/** The statement whose output `readSparkPlan` reads. */
export const explainSpark = (sql: string): string => `EXPLAIN COST ${sql}`

/** `Relation spark_catalog.default.orders[id#1,...] parquet, Statistics(sizeInBytes=8.0 KiB, rowCount=1.0E+3)`. */
const relation =
  /^[\s:+|-]*(?:Relation|HiveTableRelation|SubqueryAlias)?.*?(?:Relation |HiveTableRelation \[?)`?([\w.`]+)`?[[,].*?Statistics\((.*?)\)/

/** Bytes of a row on disk, for a table that was not analyzed: a guess that is too low rather than too high. */
const bytesPerRow = 100

const units: Readonly<Record<string, number>> = {
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  PiB: 2 ** 50,
}

const rowsBySize = (statistics: string): number | null => {
  const [, size, unit = ''] = /sizeInBytes=([\d.]+) (\w+)/.exec(statistics) ?? []
  const factor = units[unit]
  return size === undefined || factor === undefined ? null : Math.round((Number(size) * factor) / bytesPerRow)
}

/**
 * Where a Spark plan reads rows, from the optimized plan of `EXPLAIN COST`: its relations, each with the rows that
 * ANALYZE TABLE has counted; else those of the catalog.
 */
export const readSparkPlan = (plan: string, rowsOf: TableRowCount): readonly PlannedRead[] => {
  const optimized = /== Optimized Logical Plan ==\n([\s\S]*?)(?:\n== |$)/.exec(plan)?.[1]
  if (optimized === undefined) return unreadablePlan
  return optimized.split('\n').flatMap((line): readonly PlannedRead[] => {
    const [, named, statistics = ''] = relation.exec(line) ?? []
    if (named === undefined) return []
    const table = named.replaceAll('`', '').split('.').at(-1) ?? named
    const counted = /rowCount=([\d.]+(?:E\+?\d+)?)/.exec(statistics)?.[1]
    return [
      { table, rows: counted === undefined ? (rowsOf(table) ?? rowsBySize(statistics)) : Number(counted) },
    ]
  })
}
