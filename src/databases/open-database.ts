import type { DataRights, HashKey } from '../domain/access/data-rights.ts'
import type { Catalog } from '../domain/catalog.ts'
import {
  type Connector,
  type Database,
  type IndexProgress,
  type IndexReport,
  isUnrestrictedScope,
  mergeScopes,
  type ReadScope,
  type SharedIndexStore,
  unrestrictedScope,
} from '../domain/database.ts'
import { type KnowledgeProblem, noKnowledge } from '../domain/knowledge.ts'
import type { StatementAudit } from '../domain/operations/audit.ts'
import { type InSpan, type Log, silentLog } from '../domain/operations/telemetry.ts'
import type { RunLimits } from '../domain/result.ts'
import type { Guard, GuardedSql } from '../domain/sql.ts'
import { databaseDialect } from '../sql/dialects.ts'
import { type Connected, connect } from './connect.ts'
import type { DatabaseReference } from './database-reference.ts'
import { makeCheckCost, makeEstimateQuery, type UnknownCost } from './estimate-cost.ts'
import { makeLimitRows } from './guard/limit-rows.ts'
import { type AppliedScope, applyScope } from './guard/scope/apply-scope.ts'
import { matchesColumn } from './guard/scope/scoped-tables.ts'
import { withholdMessages } from './guard/scope/withhold-messages.ts'
import { indexPath } from './index-store/index-file.ts'
import { sharedIndexKey } from './index-store/index-store.ts'
import { type LoadedIndex, type ManagedIndex, openManagedIndex } from './index-store/managed-index.ts'
import { applyKnowledge, checkKnowledge, withGlossaryTerms } from './knowledge/apply-knowledge.ts'
import type { LoadedKnowledge } from './knowledge/knowledge-files.ts'
import { restrictConnection } from './restrict-connection.ts'
import { makeRunQuery } from './run-query.ts'
import { makeLookUpValues } from './value-index/look-up-values.ts'
import type { ValueIndex } from './value-index/value-index.ts'

/** How a database is opened. */
export interface OpenOptions {
  readonly guard: Guard
  /** What may be asked about; everything without it. */
  readonly scope?: ReadScope
  /** What the person sees it is opened for, on top of the scope; the same for everyone without it. */
  readonly rights?: DataRights
  /** The key of masks that hash. Rights with masks need one. */
  readonly hashKey?: HashKey
  /** What models may not see of it; without it, they see values of columns that are not personal. */
  readonly keptFromModels?: {
    readonly hidesValues: boolean
    readonly personal: { readonly columns: readonly string[]; readonly not: readonly string[] }
  }
  /** A connection that views share, and that stays open when one of them closes; without it, a new one is made. */
  readonly connection?: Connected
  /** Caps on the statements of questions. Measuring has wider ones of its own. */
  readonly limits: RunLimits
  /** Wider caps on statements whose rows go into a file. */
  readonly exportLimits?: RunLimits
  /** Rows that a statement may read without anybody being asked; any number without it. */
  readonly heavyRows?: number
  /** What the database is called in answers; the reference's own name by default. */
  readonly name?: string
  readonly timeZone?: string
  /** Folder in which catalogs and value indexes are kept from one process to the next; nothing is kept without it. */
  readonly cacheFolder?: string
  /** Where the index of a server is shared with processes on other machines; a file on this one is not theirs. */
  readonly sharedIndexes?: SharedIndexStore
  /**
   * Asked while another process makes the first index: whether to wait for that one. Without it, this process makes one
   * of its own at once.
   */
  readonly waitsForOthers?: () => boolean
  /** Under which name it is kept, where the reference says too little or too much: an address that changes, say. */
  readonly cacheName?: string
  /** How long measuring may take. What it does not reach is left out, and tried again later. */
  readonly timeBudgetMs?: number
  /** What the value index and its texts may take in memory, in bytes. */
  readonly valueBytes?: number
  /** A server's index older than this is measured again while it stays in use. */
  readonly maxAgeMs?: number
  /** What the team knows of it, as it was read. */
  readonly knowledge?: LoadedKnowledge
  /** Is told of every statement that is sent, or refused. */
  readonly audit: StatementAudit
  /** Where spans of statements go; nowhere when left out. */
  readonly inSpan?: InSpan
  readonly log?: Log
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: IndexProgress) => void
  /** Called when the index was measured again after it was opened. */
  readonly onMeasured?: (fingerprint: string) => void
  readonly now?: () => Date
}

/** An open database, and what its index came to. */
export interface OpenDatabase {
  /** As it is at this moment: after a refresh, a later look finds another catalog. */
  readonly database: Database
  readonly index: Pick<ValueIndex, 'size' | 'bytes'>
  readonly report: () => IndexReport
  /** Looks whether the index is still good, at most every so often, and brings it up to date behind. */
  readonly refreshIfStale: () => void
  /** Another process has measured it again: updates the index in the background, now. */
  readonly invalidate: () => void
  /** Reads tables, columns and keys as they are now, without profiles. What is asked goes on with the index. */
  readonly readSchema: (options?: { readonly signal?: AbortSignal }) => Promise<Catalog>
  /** Measures everything again and waits for it. Rejects if that fails; the old index stays in use. */
  readonly refresh: (options?: {
    readonly signal?: AbortSignal
    readonly onProgress?: (progress: IndexProgress) => void
  }) => Promise<IndexReport>
  readonly close: () => Promise<void>
}

const defaultTimeBudgetMs = 120_000

/** What a server holds changes without our knowing; a day later its profiles and values are read again. */
const defaultMaxAgeMs = 24 * 60 * 60 * 1000

/** What could not be measured, perhaps because the server was busy, is soon tried again. */
const retryMs = 10 * 60 * 1000

/** How often a process that stays looks whether a schema has changed. */
const checkIntervalMs = 60_000

/**
 * Opens a database for questions: connects, reads the catalog, profiles it and indexes its values, or takes all that
 * from where it was stored. What has changed since then is measured before anything is asked; what is only old is
 * used, and measured again in the background (`openManagedIndex`). Rejects with `QuerentError` when there is no such database or it
 * cannot be reached, or when `signal` fires.
 */
export const openDatabase = async (
  reference: DatabaseReference,
  options: OpenOptions,
): Promise<OpenDatabase> => {
  const started = performance.now()
  const { timeZone, signal, onProgress } = options
  const connection =
    options.connection ??
    (await connect(reference, {
      audit: options.audit,
      ...(options.name !== undefined && { name: options.name }),
      ...(options.inSpan && { inSpan: options.inSpan }),
      ...(timeZone !== undefined && { timeZone }),
      ...(options.log && { log: options.log }),
    }))
  const disconnect = async (): Promise<void> => {
    if (options.connection === undefined) await connection.close()
  }
  const { rights } = options
  const restricted =
    rights === undefined && !hasLists(options)
      ? null
      : restrictConnection(connection, {
          scope: scopeOf(options),
          rights: rights ?? null,
          hashKey: options.hashKey ?? null,
        })
  const connector = restricted?.connection ?? connection
  const { measuring } = connector
  try {
    const work = { ...(signal && { signal }), ...(onProgress && { onProgress }) }
    const lists = await readScoped(measuring, options, restricted?.wholeCatalog)
    const scoped = {
      ...lists,
      guard: restricted?.guard({ plain: options.guard, lists: lists.guard }) ?? lists.guard,
    }
    const kept = await openIndex(measuring, scoped, reference, options, work)
    // Messages of the database quote values.
    const hidesMessages = hasLists(options) || options.keptFromModels?.hidesValues === true
    const asked = hidesMessages ? withholdMessages(connector) : connector
    const view = makeDatabaseView(asked, scoped, reference, options, performance.now() - started)
    let milliseconds = performance.now() - started
    return {
      get database() {
        return view(kept.current()).database
      },
      get index() {
        return kept.current().values
      },
      report: () => indexReport(kept.current(), milliseconds, view(kept.current()).problems),
      refreshIfStale: kept.refreshIfStale,
      invalidate: kept.invalidate,
      readSchema: ({ signal } = {}) => scoped.introspect(signal),
      refresh: async work => {
        const began = performance.now()
        await kept.refresh(work)
        milliseconds = performance.now() - began
        return indexReport(kept.current(), milliseconds, view(kept.current()).problems)
      },
      close: async () => {
        await kept.stop()
        await disconnect()
      },
    }
  } catch (error) {
    await disconnect()
    throw error
  }
}

/** How the catalog is read and statements are guarded, within the scope if there is one. */
const readScoped = async (
  connector: Connector,
  options: OpenOptions,
  wholeCatalog: (() => Catalog | null) | undefined,
): Promise<AppliedScope> => {
  const introspect = (signal?: AbortSignal): Promise<Catalog> =>
    connector.introspect(signal ? { signal } : {})
  const { guard, signal, rights } = options
  const all: AppliedScope = { introspect, guard }
  if (!hasLists(options)) return all
  return applyScope(all, scopeOf(options), {
    restricts: rights !== undefined && hasRules(rights),
    ...(signal && { signal }),
    ...(wholeCatalog && { wholeCatalog }),
  })
}

const scopeOf = ({ scope = unrestrictedScope, rights }: Pick<OpenOptions, 'scope' | 'rights'>): ReadScope =>
  rights === undefined ? scope : mergeScopes(scope, rights.scope)

/** Rules about rows need the guard of lists too: it knows what every name of a statement means. */
const hasLists = (options: Pick<OpenOptions, 'scope' | 'rights'>): boolean =>
  !isUnrestrictedScope(scopeOf(options)) || (options.rights !== undefined && hasRules(options.rights))

const hasRules = ({ rowRules, columnMasks }: DataRights): boolean => rowRules.length + columnMasks.length > 0

const openIndex = (
  connector: Connector,
  { introspect }: AppliedScope,
  reference: DatabaseReference,
  options: OpenOptions,
  work: Parameters<typeof openManagedIndex>[1],
): Promise<ManagedIndex> => {
  const { cacheFolder, sharedIndexes: indexes, timeZone = '', log = silentLog } = options
  const { now = () => new Date() } = options
  const key = cacheKey(reference, timeZone, options)
  const isShared = indexes !== undefined && localPath(reference) === null
  return openManagedIndex(
    {
      connector,
      introspect,
      guard: options.guard,
      log,
      now,
      file: localPath(reference),
      scopeStamp: options.scope === undefined ? '' : JSON.stringify(options.scope),
      path: cacheFolder === undefined ? null : indexPath(cacheFolder, key),
      ...(isShared && { shared: { indexes, key: sharedIndexKey(key) } }),
      timeBudgetMs: options.timeBudgetMs ?? defaultTimeBudgetMs,
      ...(options.valueBytes !== undefined && { valueBytes: options.valueBytes }),
      ...(options.waitsForOthers && { waitsForOthers: options.waitsForOthers }),
      ages: { maxAgeMs: options.maxAgeMs ?? defaultMaxAgeMs, retryMs },
      checkIntervalMs,
      ...(options.onMeasured && { onMeasured: options.onMeasured }),
    },
    work,
  )
}

/** Without the password; with the time zone, since the texts of moments in the profile depend on it. */
const cacheKey = (
  reference: DatabaseReference,
  timeZone: string,
  { cacheName, rights }: Pick<OpenOptions, 'cacheName' | 'rights'>,
): string => {
  const place = cacheName ?? localPath(reference) ?? reference.name
  return JSON.stringify([reference.dialect, place, timeZone, ...(rights ? [rights.key] : [])])
}

/** The file or folder that a database is in; null for a server. */
const localPath = ({ dialect, location }: DatabaseReference): string | null =>
  databaseDialect(dialect).address.kind === 'file' ? location : null

/** The database that questions see of an index, and what of the team's knowledge does not fit it. */
interface DatabaseView {
  readonly database: Database
  readonly problems: readonly KnowledgeProblem[]
}

/** Makes the view of an index: one for each index, so that what is derived of its catalog can be kept. */
const makeDatabaseView = (
  connector: Connector,
  { guard }: AppliedScope,
  { name }: DatabaseReference,
  options: OpenOptions,
  indexMilliseconds: number,
): ((index: LoadedIndex) => DatabaseView) => {
  const { knowledge: read = { knowledge: noKnowledge, problems: [] }, log = silentLog, audit } = options
  const { dialect } = connector
  const database = options.name ?? name
  const views = new WeakMap<LoadedIndex, DatabaseView>()
  const limitRows = makeLimitRows(guard)
  const { exportLimits } = options
  return index => {
    const known = views.get(index)
    if (known) return known
    const catalog = () => index.catalog
    const estimate = makeEstimateQuery({ connector, limitRows, maxRows: options.limits.maxRows, catalog })
    const { heavyRows: limit } = options
    const onHeavy = ({ sql }: GuardedSql, { message }: Error): void =>
      audit.refused({ database, dialect, purpose: 'people', sql }, message)
    const onUnknown = (_: GuardedSql, why: UnknownCost): void =>
      log.info(
        { database, ...why },
        'the cost of a statement is not known: it runs under the caps, without approval',
      )
    const weighed = {
      ...{ connector, limitRows },
      ...(limit !== undefined && {
        checkCost: makeCheckCost({ estimate, catalog, limit, onHeavy, onUnknown }),
      }),
    }
    const { knowledge, problems } = checkKnowledge(read.knowledge, index.catalog)
    const run = makeRunQuery({ ...weighed, limits: options.limits })
    const view: DatabaseView = {
      database: {
        name: database,
        dialect,
        catalog: markPersonal(applyKnowledge(index.catalog, knowledge), options),
        ...(hasLists(options) && { hasLists: true as const }),
        ...(options.rights && { rights: options.rights }),
        ...(options.keptFromModels?.hidesValues && { hidesValues: true as const }),
        findValues: withGlossaryTerms(index.values.find, knowledge.terms),
        lookUpValues: makeLookUpValues({ catalog: index.catalog, values: index.values, guard, run, log }),
        knowledge,
        guard: sql => {
          const verdict = guard(sql, dialect)
          if (verdict.verdict === 'refuse')
            audit.refused({ database, dialect, purpose: 'people', sql }, verdict.reason)
          return verdict
        },
        run,
        ...(exportLimits && { runWhole: makeRunQuery({ ...weighed, limits: exportLimits }) }),
        estimate,
        ...(limit !== undefined && { heavyRows: limit }),
        indexMilliseconds,
      },
      problems: [...read.problems, ...problems],
    }
    for (const { at, message } of view.problems) log.warn({ at: `${at.file}:${at.line}` }, message)
    views.set(index, view)
    return view
  }
}

/** Marks the columns whose values models may not see, whatever they look like. */
const markPersonal = (catalog: Catalog, { keptFromModels }: Pick<OpenOptions, 'keptFromModels'>): Catalog => {
  if (keptFromModels === undefined) return catalog
  const { hidesValues, personal } = keptFromModels
  if (!hidesValues && personal.columns.length + personal.not.length === 0) return catalog
  const { dialect } = catalog
  return {
    ...catalog,
    tables: catalog.tables.map(table => ({
      ...table,
      columns: table.columns.map(column => {
        const isIn = (list: readonly string[]): boolean =>
          list.some(pattern => matchesColumn(pattern, table, column, dialect))
        if (hidesValues || isIn(personal.columns)) return { ...column, personal: true }
        return isIn(personal.not) ? { ...column, personal: false } : column
      }),
    })),
  }
}

const indexReport = (
  { catalog, values, leftOut, measuredAt, isNew }: LoadedIndex,
  milliseconds: number,
  knowledgeProblems: readonly KnowledgeProblem[],
): IndexReport => ({
  tables: catalog.tables.length,
  columns: catalog.tables.reduce((sum, table) => sum + table.columns.length, 0),
  values: values.size,
  milliseconds: Math.round(milliseconds),
  bytes: values.bytes + values.data.textBytes.byteLength,
  isNew,
  measuredAt,
  leftOut,
  derivedKeys: catalog.foreignKeys.filter(({ source }) => source === 'derived'),
  knowledgeProblems,
})
