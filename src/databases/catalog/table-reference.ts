import type { Table } from '../../domain/catalog.ts'
import type { Dialect } from '../../domain/sql.ts'
import { quoteIdentifier } from '../../sql/render/quote.ts'
import type { RunInternalQuery } from './internal-query.ts'

/** Tables up to this many rows are read whole; of larger ones about as many are looked at. */
const fullReadRowLimit = 100_000

/** What is measured instead of a table's name: the table itself, or a sample of it. */
interface TableSource {
  /** Goes behind FROM. */
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
 * Decides what to read of a table. Where nobody knows how many rows there are, they are counted up to the bound.
 * Large tables of Postgres are sampled by pages (TABLESAMPLE SYSTEM with a fixed seed: the same pages each time);
 * large views, and large tables elsewhere, by their first rows, which may be the oldest ones.
 */
export const chooseSource = async (
  table: Table,
  { dialect, ask }: { readonly dialect: Dialect; readonly ask: RunInternalQuery },
): Promise<TableSource> => {
  const name = tableReference(table, dialect)
  const rows = table.rowCount ?? (await countUpTo(name, ask))
  if (rows <= fullReadRowLimit) return { from: name, sampled: false }
  if (dialect === 'postgres' && table.type === 'table' && table.rowCount !== null) {
    const percent = Math.max(0.01, (100 * fullReadRowLimit) / rows)
    return { from: `${name} TABLESAMPLE SYSTEM (${percent.toFixed(4)}) REPEATABLE (1)`, sampled: true }
  }
  return { from: `(SELECT * FROM ${name} LIMIT ${fullReadRowLimit}) AS s`, sampled: true }
}

const countUpTo = async (name: string, ask: RunInternalQuery): Promise<number> => {
  const [row] = await ask(`SELECT count(*) FROM (SELECT 1 FROM ${name} LIMIT ${fullReadRowLimit + 1}) AS s`)
  return Number(row?.[0] ?? 0)
}
