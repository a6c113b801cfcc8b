import { type Catalog, nameTables, type Table } from '../../domain/catalog.ts'
import type { SkippedItem } from '../../domain/database.ts'
import { type Log, silentLog } from '../../domain/operations/telemetry.ts'
import type { Dialect } from '../../domain/sql.ts'
import { quoteIdentifier } from '../../sql/render/quote.ts'
import {
  chooseSource,
  chunkStatements,
  type RunInternalQuery,
  tableReference,
} from '../catalog/internal-query.ts'
import { asText, textLength } from '../catalog/measure-columns.ts'
import { frequentValueLength } from '../catalog/sample-values.ts'
import type { ColumnValues } from './build-value-index.ts'
import {
  allocateValueQuota,
  bytesOfValue,
  chooseIndexedColumns,
  defaultValueBytes,
  estimateDistinctValues,
  type IndexedColumnChoice,
  maxIndexedValues,
  rowsReadWhole,
} from './indexed-columns.ts'
import type { IndexedColumn } from './value-index-data.ts'

/** How values are read. */
export interface CollectOptions {
  readonly ask: RunInternalQuery
  /** How much memory the index and its texts may take; 256 MB by default. */
  readonly valueBytes?: number
  /** Columns whose values are known already: they keep their quota but are not read again. */
  readonly isKnown?: (column: IndexedColumn) => boolean
  readonly log?: Log
  readonly signal?: AbortSignal
  /** When it fires, columns that have not been read are left out. `ask` must stop by it too. */
  readonly budget?: AbortSignal
  /** Called for each column that does not enter the index with all of its values. */
  readonly onLeftOut?: (leftOut: SkippedItem) => void
}

/**
 * Reads the values for the index with guarded statements. Every column has a quota (`allocateValueQuota`), which its
 * most frequent values fill. A column that cannot be read, or that the time budget does not reach, is logged and
 * reported and does not affect the others. Only `signal` makes this reject.
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
  const onSampled = (table: Table): void =>
    onLeftOut?.({
      what: names.get(table) ?? table.name,
      why: 'the value index holds the values of a sample of its rows',
    })
  // The order of the index: columns that share statements, then those that have their own.
  const ordered = [...wanted.filter(isSmallColumn), ...wanted.filter(one => !isSmallColumn(one))]
  const found = new Map(ordered.map(({ number }) => [number, [] as string[]]))
  let left = maxIndexedValues
  let bytesLeft = valueBytes
  const add = (number: number, text: string): void => {
    if (left <= 0 || bytesLeft <= 0) return
    found.get(number)?.push(text)
    left -= 1
    bytesLeft -= bytesOfValue(Buffer.byteLength(text))
  }
  const unread = ordered.filter(one => {
    const listed = listedValues(one)
    for (const text of listed ?? []) add(one.number, text)
    return listed === null
  })
  const reads = [...(await planValueQueries(unread, { dialect: catalog.dialect, ask, onFailed, onSampled }))]
  for (let statement = reads.shift(); statement !== undefined; statement = reads.shift()) {
    // A profile from a sample may have estimated fewer values than there are.
    if (left <= 0 || bytesLeft <= 0) {
      log.warn({ columns: statement.columns }, 'The value index is full; values of columns are left out.')
      leaveOut(statement.columns, 'the value index is full')
      continue
    }
    try {
      for (const [number, value] of await ask(statement.sql)) {
        if (value !== null && value !== undefined) add(Number(number), String(value))
      }
    } catch (error) {
      // A column that cannot be read must not cost the other columns of its statement their values.
      const isDone = signal?.aborted === true || options.budget?.aborted === true
      if (statement.singly.length > 0 && !isDone) reads.unshift(...statement.singly)
      else onFailed(statement.columns, error)
    }
  }
  return [...found].flatMap(([number, values]) => {
    const column = chosen[number]
    return column === undefined || values.length === 0
      ? []
      : [{ ...placeOf(column), values: [...new Set(values)].sort() }]
  })
}

/**
 * The values of a column that was read whole and has so few that its profile lists them all, so that they are not read
 * twice. Null for every other column, also if the profile cut a value.
 */
const listedValues = ({
  table,
  column: { kind, profile },
}: IndexedColumnChoice): readonly string[] | null => {
  if (kind !== 'text' || profile === null || table.rowCount === null) return null
  const { mostFrequent, distinctCount, rowsRead = 0 } = profile
  if (rowsRead < table.rowCount || mostFrequent.length !== distinctCount) return null
  const values = mostFrequent.map(({ value }) => value)
  return values.every(value => typeof value === 'string' && value.length < frequentValueLength)
    ? values.map(String)
    : null
}

const whyOf = (error: unknown): string =>
  `its values could not be read: ${error instanceof Error ? error.message : String(error)}`

const pathOf = ({ table, column }: IndexedColumn): string => `${table}.${column}`

const whyNotAll = (most: number, likely: number): string =>
  most === 0
    ? 'none of its values fit into the value index'
    : `the value index holds its ${most} most frequent values, of about ${likely}`

/** Longer values are sentences. */
const longestValue = 120

/** Columns with fewer distinct values than this share a statement. */
const fewValues = 2_000

/** One statement and the columns that it reads, for the log. Its rows are a column's number and a value. */
interface PlannedValueQuery {
  readonly sql: string
  readonly columns: readonly string[]
  /** The same with one statement per column, if there are several. */
  readonly singly: readonly PlannedValueQuery[]
}

/** A column, its number in the rows of the statements, and how many of its values are wanted. */
interface WantedColumn extends IndexedColumnChoice {
  readonly number: number
  readonly most: number
}

const isSmallColumn = ({ column, most }: WantedColumn): boolean =>
  (column.profile?.distinctCount ?? 0) <= Math.min(fewValues, most)

/**
 * Columns with few values share statements; a column with many has its own. `onFailed` is called for columns that
 * could not be read.
 */
const planValueQueries = async (
  wanted: readonly WantedColumn[],
  options: {
    readonly dialect: Dialect
    readonly ask: RunInternalQuery
    readonly onFailed: (columns: readonly string[], error: unknown) => void
    /** Called once for a table of which only some rows are read. */
    readonly onSampled: (table: Table) => void
  },
): Promise<readonly PlannedValueQuery[]> => {
  // To choose may take a statement, so it is done once for all columns of a table.
  const sources = new Map<Table, Promise<string>>()
  const sourceOf = async (table: Table): Promise<string> => {
    if ((table.rowCount ?? Number.POSITIVE_INFINITY) <= rowsReadWhole)
      return tableReference(table, options.dialect)
    const { from, sampled } = await chooseSource(table, options)
    if (sampled) options.onSampled(table)
    return from
  }
  const parts: { readonly sql: string; readonly name: string; readonly isSmall: boolean }[] = []
  for (const one of wanted) {
    const { table, column } = one
    const name = `${table.name}.${column.name}`
    try {
      const choosing = sources.get(table) ?? sourceOf(table)
      sources.set(table, choosing)
      const from = await choosing
      const isSmall = isSmallColumn(one)
      parts.push({ name, isSmall, sql: readSql(one, { from, dialect: options.dialect, isSmall }) })
    } catch (error) {
      options.onFailed([name], error)
    }
  }
  const together = chunkStatements(
    parts.filter(part => part.isSmall),
    ({ sql }) => sql,
  )
  return [...together, ...parts.filter(part => !part.isSmall).map(part => [part])].map(group => ({
    sql: group.map(({ sql }) => sql).join(' UNION ALL '),
    columns: group.map(({ name }) => name),
    singly: group.length === 1 ? [] : group.map(({ sql, name }) => ({ sql, columns: [name], singly: [] })),
  }))
}

const readSql = (
  { number, column, most }: WantedColumn,
  { from, dialect, isSmall }: { readonly from: string; readonly dialect: Dialect; readonly isSmall: boolean },
): string => {
  const name = quoteIdentifier(column.name, dialect)
  const text = asText(column, dialect)
  const wanted = `FROM ${from} WHERE ${name} IS NOT NULL AND ${textLength(text, dialect)} <= ${longestValue}`
  if (isSmall) return `SELECT DISTINCT ${number}, ${text} ${wanted}`
  return `SELECT ${number}, ${text} ${wanted} GROUP BY ${text} ORDER BY count(*) DESC, ${text} LIMIT ${most}`
}
