import { z } from 'zod'
import type { Tx } from '../../domain/operations/jobs.ts'
import {
  type DailyUsagePeaks,
  noUsagePeaks,
  type QueryUsage,
  type RecordedUsage,
  type UsageAccount,
} from '../../domain/operations/usage.ts'
import { toJsonb } from '../stored/json.ts'
import type { Within } from '../transactions.ts'
import { type UsageScope, usageScopesOf } from '../usage-ledger.ts'

const RESERVATIONS = 'querent.reading_reservations'

const USAGE = 'querent.budget_usage'

/** Held while deciding what may be reserved. */
const DECISION_LOCK = 7_203_115_940

const amounts = { rows: z.coerce.number(), milliseconds: z.coerce.number() }

const UsageRow = z.object({
  scope: z.enum(['person', 'channel', 'question', 'all']),
  ...{ day: z.string(), name: z.string() },
  ...amounts,
})

const ReservationRow = z.object({
  ...{ day: z.string(), person: z.string().nullable(), channel: z.string().nullable() },
  question_id: z.string().nullable(),
  ...amounts,
})

const FoundRow = z.union([
  z.object({ what: z.literal('booked'), found: UsageRow }),
  z.object({ what: z.literal('reserved'), found: ReservationRow }),
])

/** For this transaction only, so that a connection pooler passes nothing on. */
const endAfter = (silentMs: number): string =>
  `set local idle_in_transaction_session_timeout = ${Math.round(silentMs)}`

/** What counts for some accounts: what was read, and every active reservation. */
export interface FoundUsage {
  readonly booked: readonly (UsageScope & QueryUsage)[]
  readonly reserved: readonly RecordedUsage[]
}

/** Queries on reservations of running statements. Times are those of the database's clock. */
export const makeUsageReservations = (within: Within) => ({
  /** Serializes transactions that decide, in one round trip with `endWhenSilent`. */
  lockDecisions: async (tx: Tx, silentMs: number): Promise<void> => {
    await within(tx).raw(`${endAfter(silentMs)}; select pg_advisory_xact_lock(${DECISION_LOCK})`)
  },

  /**
   * Lets the database end a transaction that is silent for this long: a hanging process or lost machine would otherwise
   * block the others until TCP times out.
   */
  endWhenSilent: async (tx: Tx, silentMs: number): Promise<void> => {
    await within(tx).raw(endAfter(silentMs))
  },

  /**
   * What counts for accounts: for their days, and for their questions on all days. One statement, so that usage settled
   * meanwhile is seen either as reserved or as used.
   */
  find: async (accounts: readonly UsageAccount[], tx?: Tx): Promise<FoundUsage> => {
    const scopes = accounts.flatMap(usageScopesOf)
    const questions = scopes.flatMap(({ scope, name }) => (scope === 'question' ? [name] : []))
    const { rows } = await within(tx).raw<{ rows: unknown[] }>(
      `select 'booked' as what, to_jsonb(used) as found from ${USAGE} as used
       where (day, scope, name) in (
         select day, scope, name from jsonb_to_recordset(?::jsonb) as asked (day date, scope text, name text)
       ) or (scope = 'question' and name = any(?))
       union all
       select 'reserved', to_jsonb(reserved) from ${RESERVATIONS} as reserved where expires_at > clock_timestamp()`,
      [toJsonb(scopes.filter(({ scope }) => scope !== 'question')), questions],
    )
    const found = rows.map(row => FoundRow.parse(row))
    return {
      booked: found.flatMap(({ what, found }) => (what === 'booked' ? [found] : [])),
      reserved: found.flatMap(one => {
        if (one.what === 'booked') return []
        const { question_id, ...reserved } = one.found
        return [{ ...reserved, questionId: question_id }]
      }),
    }
  },

  /** Adds reservations, and deletes expired ones. */
  insert: async (
    reserved: readonly (RecordedUsage & { readonly id: string })[],
    leaseMs: number,
    tx: Tx,
  ): Promise<void> => {
    if (reserved.length === 0) return
    const rows = reserved.map(({ questionId, ...row }) => ({ ...row, question_id: questionId }))
    // Reservations being settled right now are locked and need no deletion.
    await within(tx).raw(
      `with expired as (
         delete from ${RESERVATIONS} where id in (
           select id from ${RESERVATIONS} where expires_at <= clock_timestamp() for update skip locked
         )
       )
       insert into ${RESERVATIONS} (id, day, person, channel, question_id, rows, milliseconds, expires_at)
       select id, day, person, channel, question_id, rows, milliseconds, clock_timestamp() + ? * interval '1 millisecond'
       from jsonb_populate_recordset(null::${RESERVATIONS}, ?::jsonb)`,
      [leaseMs, toJsonb(rows)],
    )
  },

  /** Extends active reservations. */
  renew: async (ids: readonly string[], leaseMs: number): Promise<void> => {
    await within().raw(
      `update ${RESERVATIONS} set expires_at = clock_timestamp() + ? * interval '1 millisecond'
       where id = any(?) and expires_at > clock_timestamp()`,
      [leaseMs, [...ids]],
    )
  },

  /** Ends reservations; missing ones are ignored. */
  delete: async (ids: readonly string[], tx: Tx): Promise<void> => {
    if (ids.length > 0) await within(tx).raw(`delete from ${RESERVATIONS} where id = any(?)`, [[...ids]])
  },
})

const BUDGET_USAGE = 'querent.budget_usage'

const Peak = z.object({
  scope: z.enum(['person', 'channel', 'all']),
  ...{ rows: z.coerce.number(), milliseconds: z.coerce.number() },
  ...{ tokens: z.coerce.number(), money: z.coerce.number() },
})

/** Queries on the usage that counts against daily quotas. */
export const makeBudgetUsage = (within: Within) => ({
  /** Adds what statements read to their person, channel, question and day, each in one row. */
  addUsage: async (readings: readonly RecordedUsage[], tx?: Tx): Promise<void> => {
    const parts = readings.flatMap(({ rows, milliseconds, ...account }) =>
      usageScopesOf(account).map(scope => ({ ...scope, rows, milliseconds })),
    )
    if (parts.length === 0) return
    // In a fixed order, so that two processes never deadlock.
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

  /** The highest usage of a day. */
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
