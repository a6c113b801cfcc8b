import { setTimeout as wait } from 'node:timers/promises'
import { SqlError } from '../domain/errors.ts'
import type { RunContext, StatementCaps, StatementRecord } from '../domain/operations/audit.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { DecideReservation, QueryUsageLedger, UsageReservation } from '../domain/operations/usage.ts'
import { makeBatches } from '../lib/concurrency.ts'
import { grantQuota, type QueryQuota, type QuotaClock, type QuotaGrant, usageAccountOf } from './quota.ts'

/** What a statement was granted. */
export type GrantedUsage = Extract<QuotaGrant, { status: 'granted' }>

/** Reserves what statements may read, before they are sent. */
export interface ReserveUsage {
  /**
   * Reserves and records the statement atomically. Waits if others have reserved what it needs; rejects with an
   * `SqlError` of class `over-budget` if nothing is available, and as the ledger does.
   */
  readonly reserve: (
    record: StatementRecord,
    given: { readonly context: RunContext; readonly caps: StatementCaps; readonly signal?: AbortSignal },
  ) => Promise<GrantedUsage>
  /** Ended statements were settled: waiting requests check again. */
  readonly settled: (ids: readonly string[]) => void
  /** Whether a request is waiting. */
  readonly isAwaited: () => boolean
  /** Called when a request starts to wait: ended statements release their reservations only when settled. */
  readonly onAwaited: (listener: () => void) => void
}

/** Reserves what `decide` grants each request, and records the statements that got something. */
export type RecordReserved = (
  asks: readonly UsageReservation[],
  decide: DecideReservation,
  given: {
    readonly leaseMs: number
    readonly recordsOf: (ids: ReadonlySet<string>) => readonly StatementRecord[]
  },
) => Promise<void>

/** Statements decided on at once. */
const MAX_BATCH = 200

/** How long a statement waits for everything it might read before it accepts less. */
const PATIENT_FOR_MS = 5_000

/** How often to check what other processes have released. */
const POLL_MS = 100

/** A dead process's reservations expire after this; a live one renews them. */
const LEASE_MS = 60_000

interface PendingRequest {
  readonly ask: UsageReservation
  readonly record: StatementRecord
  readonly isPatient: boolean
  outcome: QuotaGrant | Error | null
}

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

  /** Waits until a statement of this process is settled, or it is time to check other processes. */
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
        // The compiler does not see the assignment in the callback.
        const outcome = request.outcome as PendingRequest['outcome']
        if (outcome === null) throw new Error(`no quota decision for statement ${record.id}`)
        if (outcome instanceof Error) throw outcome
        if (outcome.status === 'granted') {
          trackLease(record.id)
          return outcome
        }
        // Other statements end within this one's time limit.
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
