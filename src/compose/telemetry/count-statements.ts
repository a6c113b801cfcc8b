import type { Metrics } from '../../core/metrics.ts'
import type { RunContext } from '../../core/run-context.ts'
import { SqlError } from '../../core/sql-error.ts'
import type { StatementAudit, StatementEnd } from '../../core/statement-audit.ts'

/** The same audit, with what became of each statement counted by what it ran for. */
export const withStatementMetrics = (
  audit: StatementAudit,
  deps: {
    readonly metrics: Pick<Metrics, 'statement'>
    readonly currentContext: () => RunContext | null
  },
): StatementAudit => {
  const originOf = (purpose: 'people' | 'index'): string =>
    purpose === 'index' ? 'index' : (deps.currentContext()?.origin ?? 'unattributed')
  return {
    begin: async (statement, options) => {
      const origin = originOf(statement.purpose)
      const begun = await audit.begin(statement, options).catch((error: unknown) => {
        if (error instanceof SqlError && error.errorClass === 'over-budget')
          deps.metrics.statement({ origin, verdict: 'refused', rows: 0, milliseconds: 0 })
        throw error
      })
      const end = (given: StatementEnd): void => {
        begun(given)
        const { verdict, rows, milliseconds } = given
        deps.metrics.statement({ origin, verdict, rows: rows ?? 0, milliseconds })
      }
      return Object.assign(end, begun.allowed && { allowed: begun.allowed })
    },
    refused: (statement, reason) => {
      audit.refused(statement, reason)
      const origin = originOf(statement.purpose)
      deps.metrics.statement({ origin, verdict: 'refused', rows: 0, milliseconds: 0 })
    },
  }
}
