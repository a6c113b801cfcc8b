import type { Connector, RunQuery } from '../domain/database.ts'
import { SqlError } from '../domain/errors.ts'
import type { RunLimits } from '../domain/result.ts'
import type { CheckCost } from './estimate-cost.ts'
import type { LimitRows } from './guard/limit-rows.ts'

/**
 * The way to run a statement: guarded, under the house's limits, and only in the dialect that it was checked as.
 * What is harmless in one dialect need not be in another. With `limitRows` the server itself stops after one row more
 * than is read, so that it is still seen that there were more. Rejects with `SqlError`.
 */
export const makeRunQuery =
  ({
    connector,
    limits,
    limitRows,
    checkCost,
  }: {
    readonly connector: Connector
    readonly limits: RunLimits
    readonly limitRows?: LimitRows
    /** Checks what a statement would read before it runs; left out, nothing is checked. */
    readonly checkCost?: CheckCost
  }): RunQuery =>
  async (sql, options = {}) => {
    if (sql.dialect !== connector.dialect)
      throw new SqlError(
        'refused',
        `The statement was checked as ${sql.dialect}, but the database speaks ${connector.dialect}.`,
      )
    if (!options.evenIfHeavy) await checkCost?.(sql, options.signal ? { signal: options.signal } : {})
    const caps = lowerOf(limits, options.atMost)
    const limited = limitRows === undefined ? sql : limitRows(sql, caps.maxRows + 1)
    return connector.run(limited, { ...caps, ...(options.signal && { signal: options.signal }) })
  }

const lowerOf = (limits: RunLimits, atMost: Partial<RunLimits> = {}): RunLimits => ({
  timeoutMs: Math.min(limits.timeoutMs, atMost.timeoutMs ?? limits.timeoutMs),
  maxRows: Math.min(limits.maxRows, atMost.maxRows ?? limits.maxRows),
  maxBytes: Math.min(limits.maxBytes, atMost.maxBytes ?? limits.maxBytes),
})
