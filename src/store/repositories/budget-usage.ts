import { z } from 'zod'
import { type DailyUsagePeaks, noUsagePeaks, type RecordedUsage } from '../../core/reading-ledger.ts'
import type { Tx } from '../../core/tx.ts'
import { usageScopesOf } from '../tally-reading.ts'
import { toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const BUDGET_USAGE = 'querent.budget_usage'

const Peak = z.object({
  scope: z.enum(['person', 'channel', 'all']),
  ...{ rows: z.coerce.number(), milliseconds: z.coerce.number() },
  ...{ tokens: z.coerce.number(), money: z.coerce.number() },
})

/** Makes the queries over what is counted against the budgets of a day. */
export const makeBudgetUsage = (within: Within) => ({
  /** Adds what statements have read to their person, their channel, their question and the day, each in one row. */
  addUsage: async (readings: readonly RecordedUsage[], tx?: Tx): Promise<void> => {
    const parts = readings.flatMap(({ rows, milliseconds, ...account }) =>
      usageScopesOf(account).map(scope => ({ ...scope, rows, milliseconds })),
    )
    if (parts.length === 0) return
    // In one order, so that two processes never wait for each other's rows.
    await within(tx).raw(
      `insert into ${BUDGET_USAGE} as used (day, scope, name, rows, milliseconds)
       select day, scope, name, sum(rows), sum(milliseconds)
       from jsonb_to_recordset(?::jsonb) as part (day date, scope text, name text, rows bigint, milliseconds double precision)
       group by day, scope, name order by day, scope, name
       on conflict (day, scope, name) do update set
         rows = used.rows + excluded.rows,
         milliseconds = used.milliseconds + excluded.milliseconds`,
      [toJsonb(parts)],
    )
  },

  /** How near anybody came to a limit on a day. */
  peaksOn: async (day: string): Promise<DailyUsagePeaks> => {
    const { rows } = await within().raw<{ rows: unknown[] }>(
      `select scope, max(tokens) as tokens, max(money) as money, max(rows) as rows, max(milliseconds) as milliseconds
       from ${BUDGET_USAGE} where day = ? and scope <> 'question' group by scope`,
      [day],
    )
    const peaks = rows.map(row => Peak.parse(row))
    const of = (scope: 'person' | 'channel' | 'all') =>
      peaks.find(peak => peak.scope === scope) ?? noUsagePeaks.ofChannel
    return { ofAll: of('all'), ofPerson: of('person'), ofChannel: of('channel') }
  },
})
