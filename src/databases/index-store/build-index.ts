import { type Catalog, nameTables, type Table } from '../../domain/catalog.ts'
import type { Connector, IndexProgress, RunQuery, SkippedItem } from '../../domain/database.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import type { RunLimits } from '../../domain/result.ts'
import type { Guard } from '../../domain/sql.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { makeRunInternalQuery } from '../catalog/internal-query.ts'
import { profileCatalog } from '../catalog/profile-catalog.ts'
import { makeSemaphore } from '../connectors/semaphore.ts'
import { makeRunQuery } from '../run-query.ts'
import { collectValues } from '../value-index/collect-values.ts'
import { indexValues, refreshValues } from '../value-index/index-values.ts'
import { chooseIndexedColumns } from '../value-index/indexed-columns.ts'
import type { ValueIndex } from '../value-index/value-index.ts'
import type { IndexedColumn } from '../value-index/value-index-data.ts'

/** Caps on measuring statements: a column can have many values, but no one waits for them. */
const profilingLimits: RunLimits = { timeoutMs: 60_000, maxRows: 200_000, maxBytes: 64 * 1024 * 1024 }

/** The result of indexing. */
export interface BuiltIndex {
  readonly catalog: Catalog
  readonly values: ValueIndex
  readonly leftOut: readonly SkippedItem[]
}

/** How a database is indexed. */
export interface BuildOptions {
  readonly guard: Guard
  readonly log: Log
  readonly timeBudgetMs: number
  /** The most bytes of the value index and its texts. */
  readonly valueBytes?: number
  /** Tables with earlier profiles, by name, which are not measured again. */
  readonly measured?: ReadonlyMap<string, Table>
  /** If there is such an index, values of the tables in `measured` are not read again. */
  readonly values?: ValueIndex
  /** Tables with earlier profiles, for those that cannot be measured now. */
  readonly earlier?: ReadonlyMap<string, Table>
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IndexProgress) => void
  /** Called for every table that was measured now, by name. */
  readonly onTable?: (name: string, table: Table) => void
}

/** Measures a catalog's tables and indexes their values. Rejects only if `signal` fires. */
export const buildIndex = async (
  connector: Connector,
  introspected: Catalog,
  options: BuildOptions,
): Promise<BuiltIndex> => {
  const { guard, signal, log } = options
  const { measuring, address } = databaseDialect(connector.dialect)
  const run = runAtMost(measuring.concurrency, makeRunQuery({ connector, limits: profilingLimits }))
  const leftOut: SkippedItem[] = []
  const shared = { guard, log, ...(signal && { signal }) }
  const catalog = await profileCatalog({
    catalog: introspected,
    run,
    ...shared,
    budgetMs: options.timeBudgetMs,
    // A file is read by one process; meanwhile the next table is prepared here.
    concurrency: measuring.concurrency + (address.kind === 'file' ? 1 : 0),
    onLeftOut: one => leftOut.push(one),
    ...(options.measured && { measured: options.measured }),
    ...(options.earlier && { earlier: options.earlier }),
    ...(options.onProgress && { onProgress: options.onProgress }),
    ...(options.onTable && { onTable: options.onTable }),
  })
  const ask = makeRunInternalQuery({ run, guard, dialect: catalog.dialect })
  // The same time again as for measuring: otherwise a database that used all of it would have no values.
  const budget = AbortSignal.timeout(options.timeBudgetMs)
  const stop = signal ? AbortSignal.any([signal, budget]) : budget
  const old = options.measured && options.values
  const chosen = new Set(columnKeys(catalog))
  const inOld = new Set(old?.data.columns.map(columnKey))
  const isKnown = (column: IndexedColumn): boolean =>
    options.measured?.has(column.table) === true &&
    inOld.has(columnKey(column)) &&
    chosen.has(columnKey(column))
  const changed = await collectValues(catalog, {
    ...shared,
    ask: sql => ask(sql, stop),
    budget,
    ...(old && { isKnown }),
    ...(options.valueBytes !== undefined && { valueBytes: options.valueBytes }),
    onLeftOut: one => leftOut.push(one),
  })
  const values = old
    ? await refreshValues(old, { keeps: isKnown, changed }, signal && { signal })
    : await indexValues(changed, signal && { signal })
  return { catalog, values, leftOut }
}

/** Statements beyond `most` wait. */
const runAtMost = (most: number, run: RunQuery): RunQuery => {
  const slots = makeSemaphore(most)
  return async (sql, options = {}) => {
    const release = await slots.acquire(options.signal)
    try {
      return await run(sql, options)
    } finally {
      release()
    }
  }
}

const columnKey = ({ table, column }: IndexedColumn): string => JSON.stringify([table, column])

/** The columns whose values belong in the index of this catalog. */
const columnKeys = (catalog: Catalog): readonly string[] => {
  const names = nameTables(catalog)
  return chooseIndexedColumns(catalog).map(({ table, column }) =>
    columnKey({ table: names.get(table) ?? table.name, column: column.name }),
  )
}
