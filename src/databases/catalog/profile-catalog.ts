import { type Catalog, type Column, nameTables, type Table } from '../../domain/catalog.ts'
import type { IndexProgress, RunQuery, SkippedItem } from '../../domain/database.ts'
import { type Log, silentLog } from '../../domain/operations/telemetry.ts'
import type { Guard } from '../../domain/sql.ts'
import { mapInParallel } from '../../lib/concurrency.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { inferForeignKeys, looksLikeKey } from './infer-foreign-keys.ts'
import {
  makeReadWhole,
  makeRunInternalQuery,
  type ReadWhole,
  type RunInternalQuery,
} from './internal-query.ts'
import { profileTable } from './profile-table.ts'

/** What profiling needs, and its time limit. */
interface ProfileOptions {
  readonly catalog: Catalog
  readonly run: RunQuery
  readonly guard: Guard
  readonly log?: Log
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IndexProgress) => void
  /** Milliseconds after which no other table is measured and the running statement is stopped. */
  readonly budgetMs?: number
  /** Tables measured at the same time. */
  readonly concurrency?: number
  /** Tables with earlier profiles, by name, which they keep. */
  readonly measured?: ReadonlyMap<string, Table>
  /** Tables with earlier profiles, by name, for tables that cannot be measured now. */
  readonly earlier?: ReadonlyMap<string, Table>
  /** Called for every table that was measured now, by name. */
  readonly onTable?: (name: string, table: Table) => void
  /** Called for every table that was not measured, with the reason. */
  readonly onLeftOut?: (leftOut: SkippedItem) => void
}

const defaultTimeBudgetMs = 120_000

/** The share of all the time that one table may take, so that a single slow view does not use it up. */
const tableShare = 1 / 4

/**
 * The same catalog with a profile for every column and the inferred keys. Smaller
 * tables come first, so that a spent budget costs the fewest tables. A table that cannot be read, or that the budget
 * does not reach, keeps null profiles and is told of; only `signal` makes this reject.
 */
export const profileCatalog = async (options: ProfileOptions): Promise<Catalog> => {
  const { catalog, log = silentLog, signal, onProgress, onLeftOut, concurrency = 1 } = options
  const { budgetMs = defaultTimeBudgetMs } = options
  const budget = AbortSignal.timeout(budgetMs)
  const stop = signal ? AbortSignal.any([signal, budget]) : budget
  const guarded = makeRunInternalQuery({ ...options, dialect: catalog.dialect })
  const whole = makeReadWhole({ ...options, dialect: catalog.dialect })
  const names = nameTables(catalog)
  const total = catalog.tables.reduce((sum, table) => sum + table.columns.length, 0)
  let done = 0
  let unreached = 0

  const nameOf = (table: Table): string => names.get(table) ?? table.name

  const leaveOut = (table: Table, why: string): Table => {
    const earlier = options.earlier?.get(nameOf(table))
    onLeftOut?.({ what: nameOf(table), why: earlier ? `${why}; earlier measurements are used` : why })
    return earlier ? carryOverProfiles(table, earlier) : table
  }

  const measure = async (table: Table): Promise<Table> => {
    const before = options.measured?.get(nameOf(table))
    if (before) return carryOverProfiles(table, before)
    const own = AbortSignal.timeout(Math.ceil(budgetMs * tableShare))
    const within = AbortSignal.any([stop, own])
    const ask: RunInternalQuery = sql => guarded(sql, within)
    const readWhole: ReadWhole = (sql, limits) => whole(sql, { ...limits, signal: within })
    try {
      if (!budget.aborted) {
        const measured = await profileTable(table, { dialect: catalog.dialect, ask, readWhole })
        options.onTable?.(nameOf(table), measured)
        return measured
      }
    } catch (error) {
      if (signal?.aborted) throw error
      if (!budget.aborted) {
        log.warn({ table: table.name, error }, 'A table could not be profiled.')
        return leaveOut(table, own.aborted ? 'measuring it took too long' : whyOf(error))
      }
    }
    unreached += 1
    return leaveOut(table, 'the time for indexing was spent')
  }

  const bySize = [...catalog.tables].sort(
    (a, b) => (a.rowCount ?? Number.POSITIVE_INFINITY) - (b.rowCount ?? Number.POSITIVE_INFINITY) || 0,
  )
  const profiled = new Map<Table, Table>()
  await mapInParallel(bySize, concurrency, async table => {
    profiled.set(table, await measure(table))
    done += table.columns.length
    onProgress?.({ done, total })
  })
  if (unreached > 0)
    log.warn({ tables: unreached }, 'The time for profiling was spent before every table was measured.')
  const measured = { ...catalog, tables: catalog.tables.map(table => profiled.get(table) ?? table) }
  try {
    const ask: RunInternalQuery = sql => guarded(sql, stop)
    const inferred = await inferForeignKeys(measured, ask)
    return inferPrimaryKeys({ ...measured, foreignKeys: [...catalog.foreignKeys, ...inferred] })
  } catch (error) {
    if (signal?.aborted) throw error
    log.warn({ error }, 'Undeclared keys could not be inferred.')
    onLeftOut?.({ what: 'undeclared keys', why: whyOf(error) })
    return measured
  }
}

const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** A table as it was introspected now, with what was measured of it before. */
const carryOverProfiles = (table: Table, before: Table): Table => {
  const known = new Map(before.columns.map(column => [column.name, column]))
  return {
    ...table,
    rowCount: before.rowCount ?? table.rowCount,
    columns: table.columns.map(column => carryOverProfile(column, known.get(column.name))),
  }
}

const carryOverProfile = (column: Column, before: Column | undefined): Column =>
  before === undefined ? column : { ...column, kind: before.kind, profile: before.profile }

/**
 * The same tables with primary keys that their values show, for engines that declare none (Trino, Spark, ClickHouse): the
 * first column that is named like a key, has another value in every row that was read, and refers to no other table.
 */
export const inferPrimaryKeys = <Described extends Pick<Catalog, 'dialect' | 'tables' | 'foreignKeys'>>(
  catalog: Described,
): Described => {
  if (databaseDialect(catalog.dialect).typing.declaresKeys) return catalog
  const names = nameTables(catalog)
  const referring = new Set(
    catalog.foreignKeys.flatMap(({ from }) =>
      from.columns.map(column => JSON.stringify([from.table, column])),
    ),
  )
  const withKey = (table: Table): Table => {
    if (table.type === 'view' || table.primaryKey.length > 0) return table
    const key = table.columns.find(
      column => looksLikeKey(column) && !referring.has(JSON.stringify([names.get(table), column.name])),
    )
    return key === undefined ? table : { ...table, primaryKey: [key.name] }
  }
  return { ...catalog, tables: catalog.tables.map(withKey) }
}
