import type { Table } from '../../domain/catalog.ts'
import type { Dialect } from '../../domain/sql.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { quoteIdentifier } from '../../sql/render/quote.ts'
import type { RunInternalQuery } from './internal-query.ts'

/** Tables up to this many rows are read whole. Of larger ones about as many rows are sampled. */
const fullReadRowLimit = 100_000

/** What is measured: the table itself, or a sample of it. */
interface TableSource {
  /** Follows FROM. */
  readonly from: string
  readonly sampled: boolean
}

/** A table as SQL names it. */
export const tableReference = (table: Table, dialect: Dialect): string =>
  [table.schema, table.name]
    .filter(part => part !== null)
    .map(part => quoteIdentifier(part, dialect))
    .join('.')

/**
 * Decides what to read of a table. If its row count is not known, rows are counted up to the limit. Large tables are
 * sampled if the dialect can sample them; otherwise, and for large views, the first rows are read, which may be the
 * oldest.
 */
export const chooseSource = async (
  table: Table,
  { dialect, ask }: { readonly dialect: Dialect; readonly ask: RunInternalQuery },
): Promise<TableSource> => {
  const name = tableReference(table, dialect)
  const rows = table.rowCount ?? (await countUpTo(name, ask))
  if (rows <= fullReadRowLimit) return { from: name, sampled: false }
  const { tableSample } = databaseDialect(dialect).measuring
  if (tableSample !== null && table.type === 'table' && table.rowCount !== null) {
    const percent = Math.max(0.01, (100 * fullReadRowLimit) / rows)
    return { from: `${name} ${tableSample(percent.toFixed(4))}`, sampled: true }
  }
  return { from: `(SELECT * FROM ${name} LIMIT ${fullReadRowLimit}) AS s`, sampled: true }
}

const countUpTo = async (name: string, ask: RunInternalQuery): Promise<number> => {
  const [row] = await ask(`SELECT count(*) FROM (SELECT 1 FROM ${name} LIMIT ${fullReadRowLimit + 1}) AS s`)
  return Number(row?.[0] ?? 0)
}
