import { usageAccountOf } from '../../app/questions/check-reading.ts'
import type { QueryUsageLedger, SettledUsage } from '../../core/reading-ledger.ts'
import type { StatementRecord } from '../../core/statement-audit.ts'
import type { Tx } from '../../core/tx.ts'
import type { RecordReserved } from './reserve-reading.ts'
import type { StatementOutcome } from './statement-audit.ts'

/** Reserves in a ledger, and has what was granted written down by `insert`: in `tx`, where both keep to one. */
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
    (ask, standing) => {
      const reading = decide(ask, standing)
      if (reading !== null) granted.add(ask.id)
      return reading
    },
    { leaseMs },
    to.tx,
  )
  if (granted.size > 0) await to.insert(recordsOf(granted), to.tx)
}

/** Of statements that ended on an account what is counted: no more than each might use, whatever ending it took. */
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
