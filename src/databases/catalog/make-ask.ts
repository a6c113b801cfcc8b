import type { RunQuery } from '../../core/connector.ts'
import type { Dialect } from '../../core/dialect.ts'
import { QuerentError } from '../../core/errors.ts'
import type { Guard } from '../../core/guarded-sql.ts'
import type { Cell } from '../../core/result.ts'

/** Runs a statement that we wrote ourselves. Rejects with `SqlError` as `RunQuery` does. */
export type RunInternalQuery = (sql: string, signal?: AbortSignal) => Promise<readonly (readonly Cell[])[]>

/**
 * Our own statements go through the guard like everybody's. A refusal is a fault of ours, and so is a result that
 * the caps have cut: a half-read answer must not be taken for a measurement.
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
