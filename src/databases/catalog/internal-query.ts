import type { Table } from '../../domain/catalog.ts'
import type { RunQuery } from '../../domain/database.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { Cell, ResultTable, RunLimits } from '../../domain/result.ts'
import type { Dialect, Guard } from '../../domain/sql.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { quoteIdentifier, quoteSchema } from '../../sql/render/quote.ts'

/** Runs a statement of our own. Rejects with `SqlError` as `RunQuery` does. */
export type RunInternalQuery = (sql: string, signal?: AbortSignal) => Promise<readonly (readonly Cell[])[]>

/**
 * Reads a statement of our own whole, with the kinds of its columns; null if it gives more than `atMost`. Rejects with
 * `SqlError` as `RunQuery` does.
 */
export type ReadWhole = (
  sql: string,
  options: { readonly atMost: Partial<RunLimits>; readonly signal?: AbortSignal },
) => Promise<ResultTable | null>

interface InternalQueryOptions {
  readonly run: RunQuery
  readonly guard: Guard
  readonly dialect: Dialect
}

/** Our own statements go through the guard like all others. A refusal is our bug. */
const runGuarded = async (
  sql: string,
  { run, guard, dialect }: InternalQueryOptions,
  options: Parameters<RunQuery>[1],
): Promise<ResultTable> => {
  const verdict = guard(sql, dialect)
  if (verdict.verdict === 'refuse')
    throw new QuerentError('internal', `The guard refused a statement of the catalog: ${verdict.reason}`)
  return await run(verdict.guarded, options)
}

/** A result that the caps have cut is an error: an incomplete answer must not count as a measurement. */
export const makeRunInternalQuery =
  (options: InternalQueryOptions): RunInternalQuery =>
  async (sql, signal) => {
    const { rows, truncated } = await runGuarded(sql, options, signal ? { signal } : {})
    if (truncated !== null)
      throw new QuerentError(
        'internal',
        `A statement of the catalog gave more ${truncated} than may be read.`,
      )
    return rows
  }

export const makeReadWhole =
  (options: InternalQueryOptions): ReadWhole =>
  async (sql, limits) => {
    const result = await runGuarded(sql, options, limits)
    return result.truncated === null ? result : null
  }

/** Keeps statements far below the guard's 20,000 characters, and quick to parse. */
const maxStatementLength = 8_000

/**
 * Groups pieces of SQL so that each group fits into one statement. A piece that is too long is alone in its group.
 */
export const chunkStatements = <Item>(items: readonly Item[], sqlOf: (item: Item) => string): Item[][] => {
  const chunks: Item[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const item of items) {
    const more = sqlOf(item).length + 2
    if (length + more > maxStatementLength) {
      chunks.push([])
      length = 0
    }
    chunks.at(-1)!.push(item)
    length += more
  }
  return chunks
}

/** Tables up to this many rows are read whole. Of larger ones the dialect says how many rows are sampled. */
const fullReadRowLimit = 100_000

/** What is measured: the table itself, or a sample of it. */
interface TableSource {
  /** Follows FROM. */
  readonly from: string
  readonly sampled: boolean
}

/** A table as SQL names it. */
export const tableReference = (table: Table, dialect: Dialect): string =>
  [
    ...(table.schema === null ? [] : [quoteSchema(table.schema, dialect)]),
    quoteIdentifier(table.name, dialect),
  ].join('.')

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
  const rows = table.rowCount ?? (await countUpTo(table, { dialect, ask }))
  if (rows <= fullReadRowLimit) return { from: name, sampled: false }
  const { tableSample, sampledRows } = databaseDialect(dialect).measuring
  if (tableSample !== null && table.type === 'table' && table.rowCount !== null) {
    const percent = Math.max(0.01, (100 * sampledRows) / rows)
    return { from: `${name} ${tableSample(percent.toFixed(4))}`, sampled: true }
  }
  return { from: `(SELECT * FROM ${name} LIMIT ${sampledRows}) AS s`, sampled: true }
}

/** A column is read with the rows: an engine of columns can take a whole part of a table for rows without any. */
const countUpTo = async (
  table: Table,
  { dialect, ask }: { readonly dialect: Dialect; readonly ask: RunInternalQuery },
): Promise<number> => {
  const column = quoteIdentifier(table.columns[0]?.name ?? '', dialect)
  const some = `SELECT ${column} FROM ${tableReference(table, dialect)} LIMIT ${fullReadRowLimit + 1}`
  const [row] = await ask(`SELECT count(*), count(${column}) FROM (${some}) AS s`)
  return Number(row?.[0] ?? 0)
}
