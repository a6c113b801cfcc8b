import type { RunQuery } from '../../domain/database.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { Cell } from '../../domain/result.ts'
import type { Dialect, Guard } from '../../domain/sql.ts'

/** Runs a statement of our own. Rejects with `SqlError` as `RunQuery` does. */
export type RunInternalQuery = (sql: string, signal?: AbortSignal) => Promise<readonly (readonly Cell[])[]>

/**
 * Our own statements go through the guard like all others. A refusal is our bug, and so is a result that the caps
 * have cut: an incomplete answer must not count as a measurement.
 */
export const makeRunInternalQuery =
  ({
    run,
    guard,
    dialect,
  }: {
    readonly run: RunQuery
    readonly guard: Guard
    readonly dialect: Dialect
  }): RunInternalQuery =>
  async (sql, signal) => {
    const verdict = guard(sql, dialect)
    if (verdict.verdict === 'refuse')
      throw new QuerentError('internal', `The guard refused a statement of the catalog: ${verdict.reason}`)
    const { rows, truncated } = await run(verdict.guarded, signal ? { signal } : {})
    if (truncated !== null)
      throw new QuerentError(
        'internal',
        `A statement of the catalog gave more ${truncated} than may be read.`,
      )
    return rows
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
