import type { Catalog, Table } from '../../core/catalog.ts'
import type { RunQuery } from '../../core/connector.ts'
import type { IndexProgress } from '../../core/database.ts'
import type { Guard } from '../../core/guarded-sql.ts'
import { type Log, silentLog } from '../../core/log.ts'
import { mapInParallel } from '../../lib/map-in-parallel.ts'
import { deriveForeignKeys } from './derive-foreign-keys.ts'
import { type Ask, makeAsk } from './make-ask.ts'
import { profileTable } from './profile-table.ts'

/** What profiling needs, and how long it may take. */
export interface ProfileOptions {
  readonly catalog: Catalog
  readonly run: RunQuery
  readonly guard: Guard
  readonly log?: Log
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IndexProgress) => void
  /** Milliseconds after which no further table is measured and the statement under way is stopped. */
  readonly budgetMs?: number
  /** Tables measured at the same time. */
  readonly concurrency?: number
}

const usualBudgetMs = 120_000

/**
 * The same catalog with a profile for every column and the keys that nobody declared (design/pipeline.md 3). Smaller
 * tables come first, so that a spent budget costs the fewest tables. A table that cannot be read, or that the budget
 * does not reach, keeps null profiles and is logged; only `signal` makes this reject.
 */
export const profileCatalog = async (options: ProfileOptions): Promise<Catalog> => {
  const { catalog, log = silentLog, signal, onProgress, concurrency = 1 } = options
  const budget = AbortSignal.timeout(options.budgetMs ?? usualBudgetMs)
  const stop = signal ? AbortSignal.any([signal, budget]) : budget
  const guarded = makeAsk({ ...options, dialect: catalog.dialect })
  const ask: Ask = sql => guarded(sql, stop)
  const total = catalog.tables.reduce((sum, table) => sum + table.columns.length, 0)
  let done = 0

  const measure = async (table: Table): Promise<Table> => {
    try {
      return budget.aborted ? table : await profileTable(table, { dialect: catalog.dialect, ask })
    } catch (error) {
      if (signal?.aborted) throw error
      if (!budget.aborted) log.warn({ table: table.name, error }, 'A table could not be profiled.')
      return table
    } finally {
      done += table.columns.length
      onProgress?.({ done, total })
    }
  }

  const bySize = [...catalog.tables].sort(
    (a, b) => (a.rowCount ?? Number.POSITIVE_INFINITY) - (b.rowCount ?? Number.POSITIVE_INFINITY) || 0,
  )
  const profiled = new Map<Table, Table>()
  await mapInParallel(bySize, concurrency, async table => {
    profiled.set(table, await measure(table))
  })
  const tables = catalog.tables.map(table => profiled.get(table) ?? table)
  if (budget.aborted) {
    const left = tables.filter(table => table.columns.every(column => column.profile === null)).length
    log.warn({ tables: left }, 'The time for profiling was spent before every table was measured.')
  }
  const measured = { ...catalog, tables }
  try {
    return { ...measured, foreignKeys: [...catalog.foreignKeys, ...(await deriveForeignKeys(measured, ask))] }
  } catch (error) {
    if (signal?.aborted) throw error
    log.warn({ error }, 'Keys that nobody declared could not be looked for.')
    return measured
  }
}
