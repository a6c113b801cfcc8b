import { z } from 'zod'
import {
  type BookedReading,
  type DayPeaks,
  type DayReading,
  noPeaks,
  noReading,
} from '../../core/reading-ledger.ts'
import type { Tx } from '../../core/tx.ts'
import { toJsonb } from '../to-jsonb.ts'
import type { Within } from '../transactions.ts'

const TABLE = 'querent.budget_usage'

const Row = z.object({
  scope: z.enum(['person', 'channel', 'all']),
  rows: z.coerce.number(),
  milliseconds: z.coerce.number(),
})

const Peak = Row.extend({ tokens: z.coerce.number(), money: z.coerce.number() })

/** Makes the queries over what is counted against the budgets of a day. */
export const makeBudgetUsage = (within: Within) => ({
  /** Adds what statements have read to their person, their channel and the day, each in one row. */
  addReadings: async (readings: readonly BookedReading[], tx?: Tx): Promise<void> => {
    const parts = readings.flatMap(({ day, person, channel, rows, milliseconds }) => [
      { day, scope: 'all', name: '', rows, milliseconds },
      ...(person === null ? [] : [{ day, scope: 'person', name: person, rows, milliseconds }]),
      ...(channel === null ? [] : [{ day, scope: 'channel', name: channel, rows, milliseconds }]),
    ])
    if (parts.length === 0) return
    // In one order, so that two processes never wait for each other's rows.
    await within(tx).raw(
      `insert into ${TABLE} as used (day, scope, name, rows, milliseconds)
       select day, scope, name, sum(rows), sum(milliseconds)
       from jsonb_to_recordset(?::jsonb) as part (day date, scope text, name text, rows bigint, milliseconds double precision)
       group by day, scope, name order by day, scope, name
       on conflict (day, scope, name) do update set
         rows = used.rows + excluded.rows,
         milliseconds = used.milliseconds + excluded.milliseconds`,
      [toJsonb(parts)],
    )
  },

  /** What was read on a day: in all, for one person and for one channel. */
  readingOn: async (
    day: string,
    { person, channel }: { readonly person: string | null; readonly channel: string | null },
  ): Promise<DayReading> => {
    const { rows } = await within().raw<{ rows: unknown[] }>(
      `select scope, rows, milliseconds from ${TABLE}
       where day = ? and (scope, name) in (('all', ''), ('person', ?), ('channel', ?))`,
      [day, person ?? '', channel ?? ''],
    )
    const of = (scope: 'person' | 'channel' | 'all') => {
      const found = rows.map(row => Row.parse(row)).find(row => row.scope === scope)
      return found ? { rows: found.rows, milliseconds: found.milliseconds } : noReading
    }
    return { ofAll: of('all'), ofPerson: of('person'), ofChannel: of('channel') }
  },

  /** How near anybody came to a limit on a day. */
  peaksOn: async (day: string): Promise<DayPeaks> => {
    const { rows } = await within().raw<{ rows: unknown[] }>(
      `select scope, max(tokens) as tokens, max(money) as money, max(rows) as rows, max(milliseconds) as milliseconds
       from ${TABLE} where day = ? group by scope`,
      [day],
    )
    const peaks = rows.map(row => Peak.parse(row))
    const of = (scope: 'person' | 'channel' | 'all') =>
      peaks.find(peak => peak.scope === scope) ?? noPeaks.ofChannel
    return { ofAll: of('all'), ofPerson: of('person'), ofChannel: of('channel') }
  },
})
