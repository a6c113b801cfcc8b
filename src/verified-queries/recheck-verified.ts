import type { Catalog, Table } from '../domain/catalog.ts'
import type { Database } from '../domain/database.ts'
import { QuerentError, SqlError, type SqlErrorClass } from '../domain/errors.ts'
import type { InTransaction, JobData, SendJob, Tx } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { ResultKey } from '../domain/result.ts'
import type { ReferencedTable, StatementSchema } from '../domain/schema-drift.ts'
import type {
  Staleness,
  StoredVerifiedQuery,
  TryVerified,
  VerifiedRun,
  VerifiedTrial,
} from '../domain/verified-query.ts'

/** Rechecks one accepted query, if it is due. */
type RecheckVerified = (queryId: string, options?: { readonly signal?: AbortSignal }) => Promise<void>

interface RecheckDeps {
  readonly find: (id: string) => Promise<StoredVerifiedQuery | null>
  readonly openDatabase: (name: string, options: { signal?: AbortSignal }) => Promise<Database>
  readonly tryVerified: TryVerified
  /** Reads the current schema: the catalog of an open database may be a while old. */
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
 * A query goes stale if it no longer runs, or if a table or column it uses has changed since it was saved or last
 * confirmed; that and the job that asks its owner are one transaction. If the database is unavailable or slow, nothing
 * goes stale and the query is tried again within the hour. A query that became too expensive does not go stale either:
 * its owner is told once, and it is rechecked as usual.
 */
export const makeRecheckVerified =
  (deps: RecheckDeps): RecheckVerified =>
  async (queryId, options = {}) => {
    const query = await deps.find(queryId)
    if (query?.status !== 'accepted' || (query.dueAt !== null && query.dueAt > deps.now())) return
    const { trial, changes, touches } = await inspect(query, deps, options)
    const at = deps.now()
    const reasons = [
      ...(trial.status === 'broken' ? [`it no longer runs: ${withoutPeriod(trial.reason)}`] : []),
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
    if (staleness !== null)
      deps.log.warn({ queryId, trial: trial.status, changes }, 'a verified query went stale')
  }

/** Since when it has been too expensive. A database outage in between does not restart it. */
const expensiveSince = (trial: VerifiedTrial, last: VerifiedRun | null, at: Date): Date | undefined => {
  if (trial.status === 'too-heavy') return last?.heavySince ?? at
  return trial.status === 'unreachable' ? last?.heavySince : undefined
}

interface Inspection {
  readonly trial: VerifiedTrial
  readonly changes: readonly string[]
  /** The tables when it was saved; the current ones if that was not stored. */
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
    // Whatever failed, the next recheck is in an hour, not at once.
    log.warn({ queryId: query.id, error }, 'could not recheck a verified query')
    const reason =
      error instanceof QuerentError
        ? error.message
        : 'something went wrong; an admin can find the cause in the log'
    return { trial: { status: 'unreachable', reason }, changes: [], touches }
  }
}

const withoutPeriod = (text: string): string => text.trim().replace(/\.$/, '')

/**
 * What has changed in the tables a statement uses, as sentences without a final period; empty if nothing relevant
 * changed. A table now found in another schema is another table.
 */
export const findSchemaChanges = (
  touched: readonly ReferencedTable[],
  catalog: Pick<Catalog, 'tables'>,
): readonly string[] =>
  touched.flatMap(before => {
    const now = catalog.tables.find(({ schema, name }) => schema === before.schema && name === before.name)
    return now === undefined ? [`the table ${qualifiedTableName(before)} is gone`] : changesOf(before, now)
  })

const changesOf = (before: ReferencedTable, now: Table): readonly string[] => {
  const table = qualifiedTableName(before)
  const changed = before.columns.flatMap(({ name, type }) => {
    const column = now.columns.find(column => column.name === name)
    if (column === undefined) return [`the column ${table}.${name} is gone`]
    return column.type === type
      ? []
      : [`${table}.${name} changed from ${formatType(type)} to ${formatType(column.type)}`]
  })
  const known = new Set(before.columns.map(({ name }) => name))
  const added = before.whole ? now.columns.filter(({ name }) => !known.has(name)) : []
  const isRedefined =
    before.definition !== null && now.definition !== undefined && before.definition !== now.definition
  return [
    ...changed,
    ...added.map(({ name }) => `${table} has a new column ${name}, and the query reads all columns`),
    ...(isRedefined ? [`the view ${table} has a new definition`] : []),
  ]
}

const qualifiedTableName = ({ schema, name }: ReferencedTable): string =>
  schema === null ? name : `${schema}.${name}`

const formatType = (type: string): string => (type === '' ? 'no type' : type)

const HOUR_MS = 60 * 60 * 1000

/** The longest wait before an unavailable database is tried again. */
const UNREACHABLE_RETRY_HOURS = 1

/** When to recheck a query that ended this way; null for never, because it waits for its owner. */
export const nextRecheck = (
  status: VerifiedTrial['status'] | 'stale',
  at: Date,
  everyHours: number,
): Date | null => {
  switch (status) {
    case 'ran':
    // It will be as expensive in an hour.
    case 'too-heavy':
      return new Date(at.getTime() + everyHours * HOUR_MS)
    case 'unreachable':
      return new Date(at.getTime() + Math.min(everyHours, UNREACHABLE_RETRY_HOURS) * HOUR_MS)
    case 'broken':
    case 'stale':
      return null
    default: {
      const never: never = status
      return never
    }
  }
}

/** Jobs queued per check; the next check finds the rest. */
const MAX_JOBS = 200

/** Queues a job for each accepted query that is due. One that is queued or running is not queued again. */
export const makeSendDueRechecks =
  (deps: {
    readonly due: (now: Date, most: number) => Promise<readonly string[]>
    readonly send: (data: JobData['recheck-verified']) => Promise<void>
    readonly now: () => Date
  }): (() => Promise<void>) =>
  async () => {
    for (const queryId of await deps.due(deps.now(), MAX_JOBS)) await deps.send({ queryId })
  }

/** Errors of the server or the moment, not of the statement. */
const transientErrors: ReadonlySet<SqlErrorClass> = new Set([
  'connection',
  'timeout',
  'over-budget',
  'cancelled',
])

/** Runs a query guarded, read-only and under the database's caps. */
export const makeTryVerified =
  (deps: { readonly resultKey: ResultKey }): TryVerified =>
  async ({ sql }, database, { signal } = {}) => {
    const verdict = database.guard(sql)
    if (verdict.verdict === 'refuse') return { status: 'broken', reason: verdict.reason }
    try {
      const table = await database.run(verdict.guarded, signal ? { signal } : {})
      const resultHash = table.truncated === null ? deps.resultKey(table, { ordered: false }) : null
      return { status: 'ran', rowCount: table.rows.length, resultHash }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof QuerentError)) throw error
      if (error instanceof SqlError && error.errorClass === 'too-heavy')
        return { status: 'too-heavy', reason: error.message }
      const isPassing = !(error instanceof SqlError) || transientErrors.has(error.errorClass)
      return { status: isPassing ? 'unreachable' : 'broken', reason: error.message }
    }
  }
