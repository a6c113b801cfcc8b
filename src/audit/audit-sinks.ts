import { type CheckQuota, usageAccountOf } from '../budget/quota.ts'
import type { RecordReserved } from '../budget/reserve-usage.ts'
import type { StatementAudit, StatementRecord } from '../domain/operations/audit.ts'
import type { Tx } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { QueryUsageLedger, SettledUsage } from '../domain/operations/usage.ts'
import type { AuditSink, StatementOutcome } from './statement-audit.ts'

/** Reserves in a ledger and lets `insert` record what was granted, in `tx` if both use the same store. */
export const reserveAndRecord = async (
  [asks, decide, { leaseMs, recordsOf }]: Parameters<RecordReserved>,
  to: {
    readonly ledger: Pick<QueryUsageLedger, 'reserve'>
    readonly insert: (records: readonly StatementRecord[], tx?: Tx) => Promise<void>
    readonly tx?: Tx
  },
): Promise<void> => {
  const granted = new Set<string>()
  await to.ledger.reserve(
    asks,
    (ask, usage) => {
      const reading = decide(ask, usage)
      if (reading !== null) granted.add(ask.id)
      return reading
    },
    { leaseMs },
    to.tx,
  )
  if (granted.size > 0) await to.insert(recordsOf(granted), to.tx)
}

/** The usage to count for ended statements: never more than each could use, however long stopping it took. */
export const settledUsage = (ends: readonly StatementOutcome[], timeZone: string): readonly SettledUsage[] =>
  ends.flatMap(({ id, at, account, reserved, rows, milliseconds }) => {
    if (account === null) return []
    const most = reserved ?? { rows: Number.POSITIVE_INFINITY, milliseconds: Number.POSITIVE_INFINITY }
    return [
      {
        id: reserved === null ? null : id,
        ...usageAccountOf(account, at, timeZone),
        rows: Math.min(rows ?? 0, most.rows),
        milliseconds: Math.min(milliseconds, most.milliseconds),
      },
    ]
  })

/** Whether it can be recorded later: profiling statements and refusals. */
const canBeWrittenLater = ({ origin, verdict }: StatementRecord): boolean =>
  origin === 'index' || verdict === 'refused'

/**
 * Adds a file that records what can wait while the sink is unavailable; otherwise it would be lost. People's statements
 * are not sent then. The end of a statement goes where its start is.
 */
export const withFileFallback = (
  sink: Pick<AuditSink, 'insert' | 'finish'>,
  file: Pick<AuditSink, 'insert' | 'finish'>,
  log: Log,
): Pick<AuditSink, 'insert' | 'finish'> => {
  const inFile = new Set<string>()
  return {
    insert: async records => {
      try {
        await sink.insert(records)
      } catch (error) {
        const rest = records.filter(canBeWrittenLater)
        if (rest.length === 0) throw error
        await file.insert(rest)
        for (const { id, verdict } of rest) if (verdict === 'started') inFile.add(id)
        log.warn(
          { error, statements: rest.length },
          'the store is unreachable, so statements go to the audit log files',
        )
        // Callers waiting for the other records get the error.
        if (rest.length < records.length) throw error
      }
    },
    finish: async ends => {
      const byTarget = Map.groupBy(ends, ({ id }) => inFile.has(id))
      const written = byTarget.get(true) ?? []
      if (written.length > 0) await file.finish(written)
      // Written before the sink, which may fail repeatedly: the file would get the same lines each time. When retried,
      // the sink ignores ends it has no start for.
      for (const { id } of written) inFile.delete(id)
      const rest = byTarget.get(false) ?? []
      if (rest.length > 0) await sink.finish(rest)
    },
  }
}

/** An audit that switches to the store once that is open, and a quota check that starts then. */
export interface DeferredAudit extends StatementAudit {
  readonly checkQuota: CheckQuota
  readonly attach: (audit: StatementAudit, checkReading: CheckQuota) => void
}

/**
 * Until a sink is attached, statements go to `before`: `ask` and `eval` without `--store` open no store, nor do shell
 * commands that store nothing.
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
