import { setTimeout as wait } from 'node:timers/promises'
import { SqlError } from '../domain/errors.ts'
import type { RunContext, StatementCaps, StatementRecord } from '../domain/operations/audit.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { DecideReservation, QueryUsageLedger, UsageReservation } from '../domain/operations/usage.ts'
import { makeBatches } from '../lib/concurrency.ts'
import { usageAccountOf } from './check-quota.ts'
import { grantQuota, type QueryQuota, type QuotaClock, type QuotaGrant } from './quota.ts'

/** What a statement was granted. */
export type GrantedUsage = Extract<QuotaGrant, { status: 'granted' }>

/** Reserves for statements what they may read, before they are sent. */
export interface ReserveUsage {
  /**
   * Reserves, and writes the statement down, both at once. Waits where others hold what it needs; rejects with an
   * `SqlError` of the class `over-budget` where nothing is to be had, and as `book` does.
   */
  readonly reserve: (
    record: StatementRecord,
    given: { readonly context: RunContext; readonly caps: StatementCaps; readonly signal?: AbortSignal },
  ) => Promise<GrantedUsage>
  /** Ends have been booked: whoever waits for what these held looks again. */
  readonly settled: (ids: readonly string[]) => void
  /** Whether anybody waits for what a statement holds. */
  readonly isAwaited: () => boolean
  /** Called when somebody begins to wait: statements that have ended give back only once they are settled. */
  readonly onAwaited: (listener: () => void) => void
}

/** Reserves what `decide` gives for each ask, and writes down the statements that it gave something, or nothing at all. */
export type RecordReserved = (
  asks: readonly UsageReservation[],
  decide: DecideReservation,
  given: {
    readonly leaseMs: number
    readonly recordsOf: (ids: ReadonlySet<string>) => readonly StatementRecord[]
  },
) => Promise<void>

/** Statements that are decided on in one go. */
const MAX_BATCH = 200

/** How long a statement waits for all that it might read, before it takes the part that is free. */
const PATIENT_FOR_MS = 5_000

/** How often it looks for what other processes have given back. */
const POLL_MS = 100

/** What a process that died had reserved is free again after this; one that lives renews it. */
const LEASE_MS = 60_000

interface PendingRequest {
  readonly ask: UsageReservation
  readonly record: StatementRecord
  readonly isPatient: boolean
  outcome: QuotaGrant | Error | null
}

/** Makes it. */
export const makeReserveUsage = (
  deps: QuotaClock & {
    readonly limits: readonly QueryQuota[]
    readonly ledger: RecordReserved
    readonly renew: QueryUsageLedger['renew']
    readonly log: Log
  },
): ReserveUsage => {
  const { limits, now, timeZone, log } = deps
  const live = new Set<string>()
  let waiting = 0
  let urgent = (): void => {}
  let wakeUp = Promise.withResolvers<void>()
  let renewing: NodeJS.Timeout | null = null

  const decideOn = (request: PendingRequest, usage: Parameters<DecideReservation>[1]) => {
    try {
      const grant = grantQuota(request.ask.most, usage, {
        ...{ limits, now, timeZone },
        isPatient: request.isPatient,
      })
      request.outcome = grant
      return grant.status === 'granted' ? grant.usage : null
    } catch (error) {
      if (!(error instanceof SqlError)) throw error
      request.outcome = error
      return null
    }
  }

  const decide = makeBatches<PendingRequest>(MAX_BATCH, async requests => {
    const byId = new Map(requests.map(request => [request.ask.id, request]))
    await deps.ledger(
      requests.map(({ ask }) => ask),
      (ask, usage) => {
        const request = byId.get(ask.id)
        return request ? decideOn(request, usage) : null
      },
      {
        leaseMs: LEASE_MS,
        recordsOf: ids => requests.flatMap(({ record }) => (ids.has(record.id) ? [record] : [])),
      },
    )
  })

  const trackLease = (id: string): void => {
    live.add(id)
    renewing ??= setInterval(
      () =>
        deps.renew([...live], { leaseMs: LEASE_MS }).catch((error: unknown) => {
          log.warn({ error }, 'could not renew the quota reserved for running statements')
        }),
      LEASE_MS / 3,
    ).unref()
  }

  /** Until a statement of this process is settled, or it is time to look at what others did. */
  const waitForSettled = async (signal: AbortSignal | undefined): Promise<void> => {
    waiting += 1
    urgent()
    const over = new AbortController()
    try {
      const timer = wait(POLL_MS, undefined, {
        signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
      }).catch(() => {})
      await Promise.race([wakeUp.promise, timer])
    } finally {
      over.abort()
      waiting -= 1
    }
  }

  return {
    reserve: async (record, { context, caps, signal }) => {
      const account = usageAccountOf(context, record.at, timeZone)
      const most = { rows: caps.maxRows, milliseconds: caps.timeoutMs }
      const started = now().getTime()
      for (;;) {
        signal?.throwIfAborted()
        const waited = now().getTime() - started
        const request: PendingRequest = {
          ...{ record, ask: { id: record.id, account, most }, outcome: null },
          isPatient: waited < PATIENT_FOR_MS,
        }
        await decide(request)
        // What was assigned meanwhile is not seen by the compiler.
        const outcome = request.outcome as PendingRequest['outcome']
        if (outcome === null) throw new Error(`no quota decision for statement ${record.id}`)
        if (outcome instanceof Error) throw outcome
        if (outcome.status === 'granted') {
          trackLease(record.id)
          return outcome
        }
        // Others are ended after as long as this one would be.
        if (waited >= caps.timeoutMs + PATIENT_FOR_MS) throw outcome.error
        await waitForSettled(signal)
      }
    },
    settled: ids => {
      for (const id of ids) live.delete(id)
      if (live.size === 0 && renewing !== null) {
        clearInterval(renewing)
        renewing = null
      }
      wakeUp.resolve()
      wakeUp = Promise.withResolvers()
    },
    isAwaited: () => waiting > 0,
    onAwaited: listener => {
      urgent = listener
    },
  }
}
