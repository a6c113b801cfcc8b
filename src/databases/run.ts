import type { Connector, RunQuery } from '../core/connector.ts'
import type { RunLimits } from '../core/result.ts'
import { SqlError } from '../core/sql-error.ts'

/**
 * The way to run a statement: guarded, under the house's limits, and only in the dialect that it was checked as.
 * What is harmless in one dialect need not be in another. Rejects with `SqlError`.
 */
export const makeRunQuery =
  ({ connector, limits }: { readonly connector: Connector; readonly limits: RunLimits }): RunQuery =>
  async (sql, options = {}) => {
    if (sql.dialect !== connector.dialect)
      throw new SqlError(
        'refused',
        `The statement was checked as ${sql.dialect}, but the database speaks ${connector.dialect}.`,
      )
    return connector.run(sql, { ...limits, ...(options.signal && { signal: options.signal }) })
  }
