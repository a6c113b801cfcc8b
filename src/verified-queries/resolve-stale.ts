import type { Catalog } from '../domain/catalog.ts'
import type { Database } from '../domain/database.ts'
import { QuerentError } from '../domain/errors.ts'
import type { JobData } from '../domain/operations/jobs.ts'
import type { ReferencedTable, StatementSchema } from '../domain/schema-drift.ts'
import type {
  AskOwner,
  ResolveStaleVerified,
  StoredVerifiedQuery,
  TryVerified,
} from '../domain/verified-query.ts'
import { nextRecheck } from './recheck-verified.ts'

interface Decision {
  readonly by: string | null
  readonly at: Date
}

interface StaleQuery {
  readonly id: string
  readonly since: Date
}

/**
 * To keep a query, it is run first and then depends on the current schema; one that does not run cannot be kept. The
 * first of two decisions counts.
 */
export const makeResolveStaleVerified =
  (deps: {
    readonly find: (id: string) => Promise<StoredVerifiedQuery | null>
    readonly openDatabase: (name: string, options: { signal?: AbortSignal }) => Promise<Database>
    readonly tryVerified: TryVerified
    /** Reads the current schema: the catalog of an open database may be a while old. */
    readonly readSchema: (name: string, options: { signal?: AbortSignal }) => Promise<Catalog>
    readonly touchedTables: (sql: string, schema: StatementSchema) => readonly ReferencedTable[] | null
    readonly confirm: (
      stale: StaleQuery,
      given: Decision & Pick<StoredVerifiedQuery, 'touches' | 'lastRun' | 'dueAt'>,
    ) => Promise<StoredVerifiedQuery | 'taken' | null>
    readonly dismiss: (stale: StaleQuery, decision: Decision) => Promise<StoredVerifiedQuery | null>
    readonly everyHours: number
    readonly now: () => Date
  }): ResolveStaleVerified =>
  async ({ key, decision, by, ownerOnly, signal }) => {
    const query = await deps.find(key.queryId)
    if (query === null) return { status: 'settled', query }
    if (ownerOnly && (by === null || query.savedBy !== by)) return { status: 'not-theirs' }
    if (query.staleness?.since.getTime() !== key.since.getTime()) return { status: 'settled', query }
    const stale = { id: key.queryId, since: key.since }
    if (decision === 'remove') {
      const removed = await deps.dismiss(stale, { by, at: deps.now() })
      return removed === null
        ? { status: 'settled', query: await deps.find(key.queryId) }
        : { status: 'removed', query: removed }
    }
    const options = signal ? { signal } : {}
    let database: Database
    let catalog: Catalog
    try {
      database = await deps.openDatabase(query.database, options)
      catalog = await deps.readSchema(query.database, options)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof QuerentError)) throw error
      return { status: 'unfit', query, reason: error.message }
    }
    const trial = await deps.tryVerified(query, database, options)
    if (trial.status !== 'ran') return { status: 'unfit', query, reason: trial.reason }
    const at = deps.now()
    const kept = await deps.confirm(stale, {
      by,
      at,
      touches: deps.touchedTables(query.sql, { catalog, dialect: database.dialect }),
      lastRun: { ...trial, at },
      dueAt: nextRecheck(trial.status, at, deps.everyHours),
    })
    if (kept === 'taken') return { status: 'taken', query }
    return kept === null
      ? { status: 'settled', query: await deps.find(key.queryId) }
      : { status: 'kept', query: kept }
  }

/** Asks the owner, unless the query was resolved or ran again in the meantime. */
export const makeAskVerifiedOwner =
  (deps: {
    readonly find: (id: string) => Promise<StoredVerifiedQuery | null>
    readonly askOwner: AskOwner
  }): ((data: JobData['ask-verified-owner']) => Promise<void>) =>
  async ({ queryId, since }) => {
    const query = await deps.find(queryId)
    const at = new Date(since)
    const isAbout = (moment: Date | undefined): boolean => moment?.getTime() === at.getTime()
    if (query === null || !(isAbout(query.staleness?.since) || isAbout(query.lastRun?.heavySince))) return
    await deps.askOwner(query, at)
  }
