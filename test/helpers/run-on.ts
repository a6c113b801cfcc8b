import type { Connector } from '../../src/domain/database.ts'
import type { ResultTable, RunLimits } from '../../src/domain/result.ts'
import { forgeGuardedSql } from './forge-guarded-sql.ts'

/** Enough for any statement of a test that is not about limits. */
export const wideLimits: RunLimits = { timeoutMs: 20_000, maxRows: 1000, maxBytes: 1_000_000 }

/** Runs a statement on a connector, past the guard. */
export const runOn = (
  connector: Connector,
  sql: string,
  options: Partial<RunLimits> & { readonly signal?: AbortSignal } = {},
): Promise<ResultTable> =>
  connector.run(forgeGuardedSql(sql, connector.dialect), { ...wideLimits, ...options })
