import type { PlannedBytes, PlannedRead } from '../../../sql/sql-dialect.ts'
import { unreadablePlan } from '../standard-sql.ts'

/** What a dry run tells of a statement, and what a TiB costs. It is what `explain` of this connector gives, as JSON. */
export interface BigqueryPlan {
  readonly statementType: string
  /** Null if the service cannot say at most how many: of external tables, it may say 0. */
  readonly bytes: number | null
  readonly pricePerTiB: number | null
  /** `project.dataset.table`. */
  readonly tables: readonly string[]
}

/** A value of most types takes this many bytes. */
const bytesOfValue = 8

const tebibyte = 2 ** 40

const parse = (plan: string): BigqueryPlan | null => {
  try {
    return JSON.parse(plan) as BigqueryPlan
  } catch {
    return null
  }
}

/**
 * The tables that a dry run names, with their sizes. The bytes are a bound and know of partitions, which row counts do
 * not: so there cannot be more rows than values of the usual size in them.
 */
export const readBigqueryPlan = (
  plan: string,
  rowsOf: (table: string) => number | null,
): readonly PlannedRead[] => {
  const read = parse(plan)
  if (read === null) return unreadablePlan
  if (read.bytes === null)
    return read.tables.map(name => ({ table: name.slice(name.lastIndexOf('.') + 1), rows: rowsOf(name) }))
  const most = Math.ceil(read.bytes / bytesOfValue)
  const sizes = read.tables.map(name => ({
    table: name.slice(name.lastIndexOf('.') + 1),
    rows: rowsOf(name) ?? most,
  }))
  const sum = sizes.reduce((total, { rows }) => total + rows, 0)
  const share = sum > most ? most / sum : 1
  return sizes.map(({ table, rows }) => ({ table, rows: Math.round(rows * share) }))
}

/** The bytes that would be read, and the price in dollars if the address says what a TiB costs. */
export const readBigqueryBytes = (plan: string): PlannedBytes | null => {
  const read = parse(plan)
  if (read === null || read.bytes === null) return null
  const { bytes, pricePerTiB } = read
  return { bytes, dollars: pricePerTiB === null ? null : (bytes / tebibyte) * pricePerTiB }
}
