import type { Catalog } from '../../core/catalog.ts'
import type { Database } from '../../core/database.ts'
import { QuerentError } from '../../core/errors.ts'
import type { SendJob } from '../../core/job.ts'
import type { Log } from '../../core/log.ts'
import type { ReferencedTable, StatementSchema } from '../../core/touched-table.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'
import type {
  Staleness,
  StoredVerifiedQuery,
  TryVerified,
  VerifiedRun,
  VerifiedTrial,
} from '../../core/verified-recheck.ts'
import { findSchemaChanges } from './find-schema-changes.ts'
import { nextRecheck } from './next-recheck.ts'

/** Runs one accepted query again, if it is due. */
export type RecheckVerified = (queryId: string, options?: { readonly signal?: AbortSignal }) => Promise<void>

/** What running again needs. */
export interface RecheckDeps {
  readonly find: (id: string) => Promise<StoredVerifiedQuery | null>
  readonly openDatabase: (name: string, options: { signal?: AbortSignal }) => Promise<Database>
  readonly tryVerified: TryVerified
  /** The schema as it is now: the catalog of an open database may be a while old. */
  readonly readSchema: (name: string, options: { signal?: AbortSignal }) => Promise<Catalog>
  readonly touchedTables: (sql: string, schema: StatementSchema) => readonly ReferencedTable[] | null
  readonly recordRun: (
    known: { readonly id: string; readonly lastRunAt: Date | null },
    given: {
      readonly run: VerifiedRun
      readonly touches: readonly ReferencedTable[] | null
      readonly dueAt: Date | null
      readonly staleness: Staleness | null
    },
    tx: Tx,
  ) => Promise<boolean>
  readonly inTransaction: InTransaction
  readonly sendJob: SendJob
  readonly everyHours: number
  readonly now: () => Date
  readonly log: Log
}

/**
 * Makes the use case. A query goes stale when it does not run any more, or when a table or column that it touches is
 * not as it was when it was saved or last confirmed; that and the job that asks its owner are one transaction. A
 * database that is away or slow makes nothing stale: the query is tried again within the hour. Nor does one that reads too
 * much to be run unasked: its owner is told once, and it is tried again as often as any other.
 */
export const makeRecheckVerified =
  (deps: RecheckDeps): RecheckVerified =>
  async (queryId, options = {}) => {
    const query = await deps.find(queryId)
    if (query?.status !== 'accepted' || (query.dueAt !== null && query.dueAt > deps.now())) return
    const { trial, changes, touches } = await inspect(query, deps, options)
    const at = deps.now()
    const reasons = [
      ...(trial.status === 'broken' ? [`it does not run any more: ${withoutPeriod(trial.reason)}`] : []),
      ...changes,
    ]
    const staleness = reasons.length === 0 ? null : { since: at, reasons }
    const dueAt = nextRecheck(staleness === null ? trial.status : 'stale', at, deps.everyHours)
    const known = { id: query.id, lastRunAt: query.lastRun?.at ?? null }
    const heavySince = expensiveSince(trial, query.lastRun, at)
    const run = { ...trial, at, ...(heavySince && { heavySince }) }
    const toldSince = staleness !== null || heavySince?.getTime() === at.getTime() ? at : null
    await deps.inTransaction(async tx => {
      const isRecorded = await deps.recordRun(known, { run, touches, dueAt, staleness }, tx)
      if (isRecorded && toldSince !== null)
        await deps.sendJob('ask-verified-owner', { queryId, since: toldSince.toISOString() }, { tx })
    })
    if (staleness !== null) deps.log.warn({ queryId, reasons }, 'a verified query went stale')
  }

/** Since when it is too heavy. A database that is away meanwhile does not make it news again. */
const expensiveSince = (trial: VerifiedTrial, last: VerifiedRun | null, at: Date): Date | undefined => {
  if (trial.status === 'too-heavy') return last?.heavySince ?? at
  return trial.status === 'unreachable' ? last?.heavySince : undefined
}

interface Inspection {
  readonly trial: VerifiedTrial
  readonly changes: readonly string[]
  /** As they were when it was saved; as they are now where that was not kept. */
  readonly touches: readonly ReferencedTable[] | null
}

const inspect = async (
  query: StoredVerifiedQuery,
  { openDatabase, readSchema, tryVerified, touchedTables, log }: RecheckDeps,
  options: { readonly signal?: AbortSignal },
): Promise<Inspection> => {
  const { touches } = query
  try {
    const database = await openDatabase(query.database, options)
    const catalog = await readSchema(query.database, options)
    const trial = await tryVerified(query, database, options)
    return touches === null
      ? { trial, changes: [], touches: touchedTables(query.sql, { catalog, dialect: database.dialect }) }
      : { trial, changes: findSchemaChanges(touches, catalog), touches }
  } catch (error) {
    options.signal?.throwIfAborted()
    // Whatever it was, the next look is in an hour, not at once.
    log.warn({ queryId: query.id, error }, 'a verified query could not be run again')
    const reason = error instanceof QuerentError ? error.message : 'something broke; the log says more'
    return { trial: { status: 'unreachable', reason }, changes: [], touches }
  }
}

const withoutPeriod = (text: string): string => text.trim().replace(/\.$/, '')
