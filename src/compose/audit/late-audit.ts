import type { CheckQuota } from '../../app/questions/check-reading.ts'
import type { StatementAudit } from '../../core/statement-audit.ts'

/** An audit that goes on in our store from when that is open, and a check of budgets that begins there. */
export interface DeferredAudit extends StatementAudit {
  readonly checkQuota: CheckQuota
  readonly attach: (audit: StatementAudit, checkReading: CheckQuota) => void
}

/**
 * Makes it. Until one is attached everything is told to `before`: `ask` and `eval` without `--store` open no store, nor do
 * the commands of a shell that keep nothing.
 */
export const makeDeferredAudit = (before: StatementAudit): DeferredAudit => {
  let audit = before
  let checkReading: CheckQuota = async () => {}
  return {
    attach: (given, check) => {
      audit = given
      checkReading = check
    },
    checkQuota: context => checkReading(context),
    begin: (statement, options) => audit.begin(statement, options),
    refused: (statement, reason) => audit.refused(statement, reason),
  }
}
