import type { CheckReading } from '../../app/questions/check-reading.ts'
import type { StatementAudit } from '../../core/statement-audit.ts'

/** An audit, and a check of budgets, that begin when there is a store to write to. */
export interface LateAudit extends StatementAudit {
  readonly checkReading: CheckReading
  readonly attach: (audit: StatementAudit, checkReading: CheckReading) => void
}

/**
 * Makes it. Until one is attached nothing is told: `ask` and `eval` without `--store` have nowhere to write. Everything
 * that keeps questions opens the store before any database.
 */
export const makeLateAudit = (): LateAudit => {
  let audit: StatementAudit | null = null
  let checkReading: CheckReading = async () => {}
  return {
    attach: (given, check) => {
      audit = given
      checkReading = check
    },
    checkReading: context => checkReading(context),
    begin: async (statement, options) => (await audit?.begin(statement, options)) ?? (() => {}),
    refused: (statement, reason) => audit?.refused(statement, reason),
  }
}
