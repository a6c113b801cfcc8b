import type { Catalog } from '../../core/catalog.ts'
import type { SkippedItem } from '../../core/index-report.ts'
import { type Log, silentLog } from '../../core/log.ts'
import type { RunInternalQuery } from '../catalog/make-ask.ts'
import { nameTables } from '../catalog/name-tables.ts'
import type { ColumnValues } from './build-value-index.ts'
import { chooseIndexedColumns, type IndexedColumnChoice } from './choose-columns.ts'
import { planValueQueries } from './plan-reads.ts'
import {
  allocateValueQuota,
  bytesOfValue,
  defaultValueBytes,
  estimateDistinctValues,
  maxIndexedValues,
} from './share-places.ts'
import type { IndexedColumn } from './value-index-data.ts'

/** How values are read. */
export interface CollectOptions {
  readonly ask: RunInternalQuery
  /** What the index and its texts may take in memory; 256 MB by default. */
  readonly valueBytes?: number
  /** Columns whose values are known already: they have their places, but are not read again. */
  readonly isKnown?: (column: IndexedColumn) => boolean
  readonly log?: Log
  readonly signal?: AbortSignal
  /** When it fires, what has not been read is left out. `ask` knows of it too. */
  readonly budget?: AbortSignal
  /** Hears which columns do not enter with all of their values. */
  readonly onLeftOut?: (leftOut: SkippedItem) => void
}

/**
 * Reads the values that go into the index, by guarded statements. Every column has a number of places
 * (`allocateValueQuota`), which its most frequent values take. A column that cannot be read, or that the budget does not reach,
 * is left out, logged and told of, and costs no other its values; only `signal` makes this reject.
 */
export const collectValues = async (
  catalog: Catalog,
  options: CollectOptions,
): Promise<readonly ColumnValues[]> => {
  const { ask, valueBytes = defaultValueBytes, log = silentLog, signal, onLeftOut } = options
  const names = nameTables(catalog)
  const placeOf = ({ table, column }: IndexedColumnChoice): IndexedColumn => ({
    table: names.get(table) ?? table.name,
    column: column.name,
  })
  const chosen = chooseIndexedColumns(catalog)
  const places = allocateValueQuota(chosen, valueBytes)
  const wanted = chosen
    .map((one, number) => ({ ...one, number, most: places.get(one) ?? 0 }))
    .filter(one => one.most > 0 && !options.isKnown?.(placeOf(one)))
  for (const one of chosen) {
    const [most, likely] = [places.get(one) ?? 0, estimateDistinctValues(one)]
    if (likely > most) onLeftOut?.({ what: pathOf(placeOf(one)), why: whyNotAll(most, likely) })
  }
  const leaveOut = (columns: readonly string[], why: string): void => {
    for (const what of columns) onLeftOut?.({ what, why })
  }
  const onFailed = (columns: readonly string[], error: unknown): void => {
    if (signal?.aborted) throw error
    if (!options.budget?.aborted)
      log.warn({ columns, error }, 'Values could not be read for the value index.')
    leaveOut(columns, options.budget?.aborted ? 'the time for indexing was spent' : whyOf(error))
  }
  const reads = [...(await planValueQueries(wanted, { dialect: catalog.dialect, ask, onFailed }))]
  const found = new Map<IndexedColumnChoice, string[]>()
  let left = maxIndexedValues
  let bytesLeft = valueBytes
  for (let statement = reads.shift(); statement !== undefined; statement = reads.shift()) {
    // A profile of a sample may have promised fewer values than there are.
    if (left <= 0 || bytesLeft <= 0) {
      log.warn({ columns: statement.columns }, 'The value index is full; values of columns are left out.')
      leaveOut(statement.columns, 'the value index is full')
      continue
    }
    try {
      for (const [number, value] of await ask(statement.sql)) {
        const column = chosen[Number(number)]
        if (column === undefined || value === null || value === undefined) continue
        if (left <= 0 || bytesLeft <= 0) continue
        const text = String(value)
        const values = found.get(column) ?? []
        found.set(column, values)
        values.push(text)
        left -= 1
        bytesLeft -= bytesOfValue(Buffer.byteLength(text))
      }
    } catch (error) {
      // One column that cannot be read must not cost those their values that share its statement.
      const isDone = signal?.aborted === true || options.budget?.aborted === true
      if (statement.singly.length > 0 && !isDone) reads.unshift(...statement.singly)
      else onFailed(statement.columns, error)
    }
  }
  return [...found].map(([column, values]) => ({ ...placeOf(column), values: [...new Set(values)].sort() }))
}

const whyOf = (error: unknown): string =>
  `its values could not be read: ${error instanceof Error ? error.message : String(error)}`

const pathOf = ({ table, column }: IndexedColumn): string => `${table}.${column}`

const whyNotAll = (most: number, likely: number): string =>
  most === 0
    ? 'none of its values fit into the value index'
    : `the value index holds its ${most} most frequent values, of about ${likely}`
