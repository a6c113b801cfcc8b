import type { CheckReading } from '../../app/questions/check-reading.ts'
import type { StatementAudit } from '../../core/statement-audit.ts'

/** An audit that goes on in our store from when that is open, and a check of budgets that begins there. */
export interface LateAudit extends StatementAudit {
  readonly checkReading: CheckReading
  readonly attach: (audit: StatementAudit, checkReading: CheckReading) => void
}

/**
 * Makes it. Until one is attached everything is told to `before`: `ask` and `eval` without `--store` open no store, nor do
 * the commands of a shell that keep nothing.
 */
export const makeLateAudit = (before: StatementAudit): LateAudit => {
  let audit = before
  let checkReading: CheckReading = async () => {}
  return {
    attach: (given, check) => {
      audit = given
      checkReading = check
    },
    checkReading: context => checkReading(context),
    begin: (statement, options) => audit.begin(statement, options),
    refused: (statement, reason) => audit.refused(statement, reason),
  }
}
