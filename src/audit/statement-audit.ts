import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isMaintenance } from '../budget/quota.ts'
import type { GrantedUsage, ReserveUsage } from '../budget/reserve-usage.ts'
import { QuerentError, SqlError } from '../domain/errors.ts'
import type {
  CommandCaller,
  EndedStatement,
  RunContext,
  StartedStatement,
  StatementAudit,
  StatementCaps,
  StatementEnd,
  StatementRecord,
} from '../domain/operations/audit.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { QueryUsage } from '../domain/operations/usage.ts'
import { makeBatches } from '../lib/concurrency.ts'
import { maintenanceRunContext } from './run-contexts.ts'

/** How a statement ended, when, and on which account; null for maintenance. */
export interface StatementOutcome extends EndedStatement {
  readonly at: Date
  readonly account: RunContext | null
  /** What was reserved for it; null if nothing was. */
  readonly reserved: QueryUsage | null
}

/** A destination for audit records. */
export interface AuditSink {
  readonly insert: (records: readonly StatementRecord[]) => Promise<void>
  readonly finish: (ends: readonly StatementOutcome[]) => Promise<void>
  /** What to check if it cannot be written to. */
  readonly advice: string
  /** Whether it is local, so that profiling statements too wait until they are recorded. */
  readonly isLocal: boolean
}

/** An audit that buffers, and a way to flush it. */
export interface BufferedAudit extends StatementAudit {
  /** Resolves when everything so far is written or was tried. */
  readonly flush: () => Promise<void>
}

/** Records written at once. */
const MAX_BATCH = 200

/** How long ends are collected before they are written; an outdated row for that long does no harm. */
const FLUSH_EVERY_MS = 50

/** Ends that wait for an unavailable store; beyond that the oldest are dropped, and their rows stay `started`. */
const MAX_WAITING = 20_000

/** How long to wait after a failure. */
const RETRY_AFTER_MS = 1_000

/** Refusals remembered, so that a statement checked several times is recorded once. */
const MAX_REFUSALS = 500

/** For this long: a question takes less, and a later attempt is a new one. */
const SAME_ATTEMPT_MS = 15 * 60_000

/**
 * A statement for people is sent only after its start is recorded. Ends are written later in small batches, and so are
 * profiling statements unless the sink is local.
 */
export const makeStatementAudit = (deps: {
  readonly sink: AuditSink
  readonly currentContext: () => RunContext | null
  /** The shell command; null in a bot. */
  readonly shell: CommandCaller | null
  /** Reserves what people's statements may read; without it there are no limits. */
  readonly reserveUsage?: ReserveUsage
  readonly now: () => Date
  readonly log: Log
}): BufferedAudit => {
  const { sink, log, now, shell, reserveUsage: reserveReading } = deps
  const write = makeBatches<StatementRecord>(MAX_BATCH, sink.insert)
  const behind = new Set<Promise<void>>()
  /** When a refusal was last recorded, in milliseconds. */
  const refusals = new Map<string, number>()
  let ends: StatementOutcome[] = []
  let ending: Promise<void> | null = null
  let writingEnds: Promise<boolean> | null = null
  let flushNow = new AbortController()
  reserveReading?.onAwaited(() => flushNow.abort())

  const contextOf = (purpose: 'people' | 'index'): RunContext | null => {
    const context = deps.currentContext()
    return purpose === 'index' && context?.origin !== 'index' ? maintenanceRunContext('index', null) : context
  }

  /**
   * The person and location. A shell statement is recorded for the shell's user if no other person is known; it counts
   * against no quota of theirs.
   */
  const whoAndWhere = (context: RunContext | null): Pick<StatementRecord, keyof RunContext | 'command'> => ({
    ...(context ?? unattributed),
    origin: context?.origin ?? (shell === null ? 'unattributed' : 'command'),
    person: context?.person ?? shell?.person ?? null,
    command: shell?.command ?? null,
  })

  const auditFailed = (cause: unknown): never => {
    throw new QuerentError(
      'store-unavailable',
      `I didn't run the query because it could not be written to the audit log. ${sink.advice}`,
      { cause },
    )
  }

  const writeBehind = (record: StatementRecord): Promise<void> => {
    const writing = write(record)
      .catch((error: unknown) =>
        log.error({ error, statement: record.id }, 'could not write a statement to the audit log'),
      )
      .finally(() => behind.delete(writing))
    behind.add(writing)
    return writing
  }

  /** Stops renewing their reservations: they were released, or expire on their own if the ends were dropped. */
  const release = (of: readonly StatementOutcome[]): void =>
    reserveReading?.settled(of.flatMap(({ id, reserved }) => (reserved === null ? [] : [id])))

  const writeAll = async (): Promise<boolean> => {
    while (ends.length > 0) {
      const batch = ends.slice(0, MAX_BATCH)
      try {
        await sink.finish(batch)
        ends = ends.slice(batch.length)
        release(batch)
      } catch (error) {
        log.error({ error, waiting: ends.length }, 'could not write statement outcomes to the audit log')
        release(ends.slice(0, -MAX_WAITING))
        ends = ends.slice(-MAX_WAITING)
        return false
      }
    }
    return true
  }

  /** Whether all of them are written. One batch at a time: writing one twice would count it twice. */
  const writeEnds = (): Promise<boolean> => {
    writingEnds ??= writeAll().finally(() => {
      writingEnds = null
    })
    return writingEnds
  }

  const endLater = (afterMs: number): void => {
    if (ending !== null) return
    flushNow = new AbortController()
    // A process with nothing else to do does not wait for an unavailable store.
    ending = wait(afterMs, undefined, { signal: flushNow.signal, ref: afterMs < RETRY_AFTER_MS })
      .catch(() => {})
      .then(writeEnds)
      .then(areWritten => {
        ending = null
        if (ends.length > 0) endLater(areWritten ? FLUSH_EVERY_MS : RETRY_AFTER_MS)
      })
  }

  /** Null if there is nothing to reserve. What is granted is recorded too. */
  const reserve = async (
    record: StatementRecord,
    context: RunContext | null,
    given: { readonly caps: StatementCaps | undefined; readonly signal: AbortSignal | undefined },
  ): Promise<GrantedUsage | null> => {
    const { caps, signal } = given
    if (!reserveReading || context === null || caps === undefined) return null
    try {
      return await reserveReading.reserve(record, { context, caps, ...(signal && { signal }) })
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof SqlError)) return auditFailed(error)
      const { message: reason, errorClass } = error
      void writeBehind({ ...record, verdict: 'refused', errorClass, reason })
      throw error
    }
  }

  return {
    begin: async ({ purpose, caps, ...statement }, { signal } = {}) => {
      const context = contextOf(purpose)
      signal?.throwIfAborted()
      const record: StatementRecord = {
        ...whoAndWhere(context),
        ...statement,
        id: randomUUID(),
        at: now(),
        ...noOutcome,
        verdict: 'started',
      }
      const account = purpose === 'people' && context !== null && !isMaintenance(context) ? context : null
      const granted = await reserve(record, account, { caps, signal })
      // Nothing waits for the record of a profiling statement, and there are many.
      const isAwaited = purpose === 'people' || sink.isLocal
      const writing =
        granted !== null
          ? Promise.resolve()
          : isAwaited
            ? write(record).catch(auditFailed)
            : writeBehind(record)
      const end = (given: StatementEnd): void => {
        // Not before the row itself, which may still be in flight.
        void writing.then(() => {
          const { id, at } = record
          ends.push({ ...given, id, at, account, reserved: granted?.usage ?? null })
          if (reserveReading?.isAwaited()) flushNow.abort()
          endLater(reserveReading?.isAwaited() ? 0 : FLUSH_EVERY_MS)
        })
      }
      if (isAwaited) await writing
      if (signal?.aborted) {
        // Stopped while it was being recorded: it is not sent, and the log must not suggest that it was.
        end(cancelledBeforeSending)
        signal.throwIfAborted()
      }
      const allowed = granted && caps && narrowedCaps(granted, caps)
      return Object.assign(end, allowed && { allowed })
    },
    refused: ({ purpose, ...statement }, reason) => {
      const context = contextOf(purpose)
      const { questionId, digestId, person } = context ?? unattributed
      const key = JSON.stringify([questionId, digestId, person, statement.database, statement.sql])
      const at = now()
      const lastRefusal = refusals.get(key)
      if (lastRefusal !== undefined && at.getTime() - lastRefusal < SAME_ATTEMPT_MS) return
      refusals.delete(key)
      refusals.set(key, at.getTime())
      const [oldest] = refusals.keys()
      if (refusals.size > MAX_REFUSALS && oldest !== undefined) refusals.delete(oldest)
      void writeBehind({
        ...whoAndWhere(context),
        ...statement,
        ...noOutcome,
        kind: 'run',
        id: randomUUID(),
        at,
        verdict: 'refused',
        reason,
      })
    },
    flush: async () => {
      await Promise.all(behind)
      // Ends are pushed one turn after their rows exist.
      await Promise.resolve()
      flushNow.abort()
      await ending
      await writeEnds()
    },
  }
}

/** Null if nothing was narrowed. */
const narrowedCaps = (
  { usage: reading, timeoutError: tooShort }: GrantedUsage,
  caps: StatementCaps,
): StartedStatement['allowed'] | null =>
  reading.rows < caps.maxRows || reading.milliseconds < caps.timeoutMs
    ? { maxRows: reading.rows, timeoutMs: reading.milliseconds, timeoutError: tooShort }
    : null

const unattributed: Omit<RunContext, 'origin'> = {
  person: null,
  team: null,
  channel: null,
  questionId: null,
  digestId: null,
}

const cancelledBeforeSending: StatementEnd = {
  ...{ verdict: 'cancelled', errorClass: 'cancelled', rows: null, bytes: null, milliseconds: 0 },
}

const noOutcome = { errorClass: null, reason: null, rows: null, bytes: null, milliseconds: null }
