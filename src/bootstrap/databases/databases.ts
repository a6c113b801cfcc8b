import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { type Connected, connect } from '../../databases/connect.ts'
import { type DatabaseReference, parseDatabaseReference } from '../../databases/database-reference.ts'
import { makeGuard } from '../../databases/guard/guard.ts'
import { deriveHashKey } from '../../databases/guard/rights/hash-key.ts'
import { loadKnowledge } from '../../databases/knowledge/knowledge-files.ts'
import { type OpenDatabase, openDatabase } from '../../databases/open-database.ts'
import type { DataRights } from '../../domain/access/data-rights.ts'
import type { Catalog } from '../../domain/catalog.ts'
import {
  formatDatabaseRef,
  type IndexProgress,
  type IndexReport,
  type OpenDatabaseByName,
  parseDatabaseRef,
  type ReadScope,
  type SharedIndexStore,
} from '../../domain/database.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { StatementAudit } from '../../domain/operations/audit.ts'
import type { InSpan, Log, OnProgress } from '../../domain/operations/telemetry.ts'
import type { Dialect } from '../../domain/sql.ts'
import { type SharedWork, shareWork } from '../../lib/concurrency.ts'
import { projectFolder } from '../../lib/project.ts'
import type { Releasers } from '../../lib/releasers.ts'

/** The name of the sample company. */
export const sampleCompany = 'sample-company'

/** The knowledge file of the sample company. */
const sampleKnowledge = join(projectFolder, 'fixtures/warehouse/knowledge.md')

/** Its semantic layer. */
const sampleLayer = join(projectFolder, 'fixtures/warehouse/semantic.yml')

/** Files of the semantic layer that ship with a database. */
export const shippedLayerFiles = (name: string): readonly string[] =>
  parseDatabaseRef(name).database === sampleCompany ? [sampleLayer] : []

/** Called when a database was profiled again. */
type OnDatabaseMeasured = (name: string, fingerprint: string) => void

/** The databases people can ask about. */
export interface Databases {
  /** The current database. One that has been open for a while is refreshed in the background when due. */
  readonly open: OpenDatabaseByName
  /**
   * Opens a database before anyone asks about it. If another process is indexing it, its index is awaited until a
   * question needs the database here.
   */
  readonly openAhead: (name: string, options?: { signal?: AbortSignal }) => Promise<IndexReport>
  /** The current schema of a database, which may be newer than the index. */
  readonly readSchema: (name: string, options?: { signal?: AbortSignal }) => Promise<Catalog>
  /** Profiles and indexes a database, even if it already has an index, and reports the result. */
  readonly index: (name: string, options?: { signal?: AbortSignal }) => Promise<IndexReport>
  /** Another process profiled a database: if it is open here, it is refreshed in the background. */
  readonly invalidate: (name: string) => void
  /** Subscribes to databases profiled by this process, by name; returns how to unsubscribe. */
  readonly onMeasured: (listener: OnDatabaseMeasured) => () => void
  /** The report of its latest index. */
  readonly report: (name: string, options?: { signal?: AbortSignal }) => Promise<IndexReport>
}

/** A database that is open or being opened. */
interface Opening {
  readonly work: SharedWork<OpenDatabase>
  /** Whether anything but `openAhead` has needed it. */
  isNeeded: boolean
}

/** Views of people with different rights that are open at a time, of all databases. */
const mostViews = 50

const urlFor = (
  { url, credentials }: Config['databases'][string],
  rights: DataRights | null,
): Config['databases'][string]['url'] => {
  const name = rights?.session.credentials ?? null
  if (name === null) return url
  const own = Object.hasOwn(credentials, name) ? credentials[name] : undefined
  if (own === undefined)
    throw new QuerentError(
      'bad-configuration',
      `There are no credentials called “${name}” for this database.`,
    )
  return own
}

/** Opened databases close with the releasers. */
export const makeDatabases = (deps: {
  readonly config: Config
  /** The rights of a key; throws if they are not known. */
  readonly findRights: (key: string) => DataRights
  readonly sampleCompanyUrl: () => Promise<string>
  /** Its data identifies it: another day is another database, while the server's port means nothing. */
  readonly sampleCompanyVersion: string
  readonly releasers: Releasers
  readonly onProgress: OnProgress
  readonly sharedIndexes: SharedIndexStore
  readonly readMaskSecret: () => Promise<Uint8Array>
  readonly audit: StatementAudit
  readonly inSpan?: InSpan
  readonly log: Log
}): Databases => {
  const { config, log } = deps
  const opened = new Map<string, Opening>()
  const connections = new Map<string, Promise<Connected>>()
  const listeners = new Set<OnDatabaseMeasured>()

  const referenceOf = async (
    name: string,
    rights: DataRights | null,
  ): Promise<{
    reference: DatabaseReference
    allow: readonly string[]
    heavyRows: number | null
    scope?: ReadScope
    keptFromModels?: Pick<Config['databases'][string], 'hidesValues' | 'personal'>
  }> => {
    const baseFolder = config.workingFolder
    const named = Object.hasOwn(config.databases, name) ? config.databases[name] : undefined
    if (named) {
      return {
        reference: parseDatabaseReference(urlFor(named, rights).reveal(), { baseFolder }),
        allow: named.allowFunctions,
        heavyRows: named.heavyRows,
        scope: named.scope,
        keptFromModels: named,
      }
    }
    const text = name === sampleCompany ? await deps.sampleCompanyUrl() : name
    return { reference: parseReference(text, config), allow: [], heavyRows: config.heavyRows }
  }

  const progressOf =
    (name: string) =>
    ({ done, total }: IndexProgress): void =>
      deps.onProgress({ doing: `Indexing ${name}`, share: total === 0 ? 1 : done / total })

  /** All views of a database that connect as the same user share a connection, with its limits on load. */
  const connectOnce = (
    name: string,
    reference: DatabaseReference,
    shownName: string,
    credentials: string | null,
  ): Promise<Connected> => {
    const key = JSON.stringify([name, credentials])
    const known = connections.get(key)
    if (known) return known
    const connecting = connect(reference, {
      audit: deps.audit,
      name: shownName,
      timeZone: config.timeZone,
      ...(deps.inSpan && { inSpan: deps.inSpan }),
      log,
    })
    connections.set(key, connecting)
    connecting.then(
      connection => deps.releasers.push(() => connection.close()),
      () => connections.delete(key),
    )
    return connecting
  }

  const open = async (
    ref: string,
    { signal, waitsForOthers }: { readonly signal: AbortSignal; readonly waitsForOthers: () => boolean },
  ): Promise<OpenDatabase> => {
    const { rights: key, ...plain } = parseDatabaseRef(ref)
    const name = formatDatabaseRef({ ...plain, rights: null })
    const rights = key === null ? null : deps.findRights(key)
    const { reference, allow, heavyRows, scope, keptFromModels } = await referenceOf(name, rights)
    const shownName = name === reference.name || name.includes('://') ? reference.name : name
    const knowledge = await loadKnowledge(config.knowledgeFolder, {
      database: shownName,
      ...(name === sampleCompany && { more: [sampleKnowledge] }),
    })
    const connection = await connectOnce(name, reference, shownName, rights?.session.credentials ?? null)
    const database = await openDatabase(reference, {
      name: shownName,
      connection,
      ...(rights && { rights }),
      ...(rights !== null &&
        rights.columnMasks.length > 0 && {
          hashKey: deriveHashKey(await deps.readMaskSecret(), name),
        }),
      knowledge,
      guard: makeGuard({ allowFunctions: allow }),
      ...(scope && { scope }),
      ...(keptFromModels && { keptFromModels }),
      limits: config.limits,
      exportLimits: { ...config.limits, ...config.export },
      ...(heavyRows !== null && { heavyRows }),
      timeZone: config.timeZone,
      timeBudgetMs: config.index.timeBudgetMs,
      maxAgeMs: config.index.maxAgeHours * 3_600_000,
      valueBytes: config.index.valueBytes,
      cacheFolder: `${config.home}/cache`,
      sharedIndexes: deps.sharedIndexes,
      ...(name === sampleCompany ? { cacheName: `${sampleCompany} ${deps.sampleCompanyVersion}` } : {}),
      audit: deps.audit,
      ...(deps.inSpan && { inSpan: deps.inSpan }),
      log,
      onProgress: progressOf(reference.name),
      onMeasured: fingerprint => {
        for (const listener of listeners) listener(ref, fingerprint)
      },
      signal,
      waitsForOthers,
    })
    if (signal.aborted) {
      // Nobody waits for it any more, and the next to need it opens it again.
      await database.close()
      signal.throwIfAborted()
    }
    deps.releasers.push(database.close)
    return database
  }

  const begin = (name: string, isNeeded: boolean): Opening => {
    const opening: Opening = {
      work: shareWork(signal =>
        open(name, { signal, waitsForOthers: () => !opening.isNeeded }).catch((error: unknown) => {
          // After the last caller left, another may have begun again.
          if (opened.get(name) === opening) opened.delete(name)
          throw error
        }),
      ),
      isNeeded,
    }
    return opening
  }

  const openOnce = (
    name: string,
    signal: AbortSignal | undefined,
    { isNeeded = true }: { readonly isNeeded?: boolean } = {},
  ): Promise<OpenDatabase> => {
    const known = opened.get(name)
    const isUsable = known !== undefined && !known.work.isLeft
    const opening = isUsable ? known : begin(name, isNeeded)
    opening.isNeeded ||= isNeeded
    // The most recently used is last.
    opened.delete(name)
    opened.set(name, opening)
    if (!isUsable && parseDatabaseRef(name).rights !== null) dropOldViews()
    return opening.work.join(signal)
  }

  /** Each view has an index of its own in memory. One that is dropped is opened again from where it was stored. */
  const dropOldViews = (): void => {
    const views = [...opened.keys()].filter(name => parseDatabaseRef(name).rights !== null)
    for (const name of views.slice(0, Math.max(0, views.length - mostViews))) {
      const view = opened.get(name)
      opened.delete(name)
      view?.work.result.then(
        database => database.close(),
        // It was never open.
        () => {},
      )
    }
  }

  return {
    open: async (name, { signal } = {}) => {
      const database = await openOnce(name, signal)
      database.refreshIfStale()
      return database.database
    },
    openAhead: async (name, { signal } = {}) => (await openOnce(name, signal, { isNeeded: false })).report(),
    readSchema: async (name, { signal } = {}) =>
      (await openOnce(name, signal)).readSchema(signal ? { signal } : {}),
    invalidate: name => {
      for (const [ref, view] of opened)
        if (ref === name || parseDatabaseRef(ref).database === name)
          view.work.result.then(
            database => database.invalidate(),
            // Opening it again will find the new index.
            () => {},
          )
    },
    onMeasured: listener => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    report: async (name, { signal } = {}) => (await openOnce(name, signal)).report(),
    index: async (name, { signal } = {}) => {
      const wasOpen = opened.has(name)
      const database = await openOnce(name, signal)
      const report = database.report()
      // Opening it for the first time has just profiled it.
      if (!wasOpen && report.isNew) return report
      return database.refresh({
        onProgress: progressOf(database.database.name),
        ...(signal ? { signal } : {}),
      })
    },
  }
}

const parseReference = (text: string, config: Config): DatabaseReference => {
  try {
    return parseDatabaseReference(text, { baseFolder: config.workingFolder })
  } catch (error) {
    if (!(error instanceof QuerentError) || error.code !== 'unknown-database') throw error
    const names = [sampleCompany, ...Object.keys(config.databases)].join(', ')
    throw new QuerentError('unknown-database', `${error.message} Databases by name: ${names}.`, {
      cause: error,
    })
  }
}

/** Shared indexes once the store is open; until then nothing is shared and every process builds its own. */
interface DeferredSharedIndexes extends SharedIndexStore {
  /** The store is open: share indexes from now on. */
  begin(indexes: SharedIndexStore): void
}

/** A command that opens no store shares nothing, and starts no server for it. */
export const makeDeferredSharedIndexes = (): DeferredSharedIndexes => {
  let shared: SharedIndexStore | null = null
  return {
    begin: indexes => {
      shared = indexes
    },
    savedAt: async key => (await shared?.savedAt(key)) ?? null,
    read: async key => (await shared?.read(key)) ?? null,
    write: async (key, index) => shared?.write(key, index),
    lockBuild: async key => (shared === null ? async () => {} : shared.lockBuild(key)),
  }
}

/** Finds the dialect of a database by its address, without opening it; null for one that has none. */
export const makeDialectOf =
  ({ databases, workingFolder }: Pick<Config, 'databases' | 'workingFolder'>) =>
  (ref: string): Dialect | null => {
    const { database } = parseDatabaseRef(ref)
    const url = Object.hasOwn(databases, database) ? databases[database]?.url.reveal() : undefined
    try {
      return parseDatabaseReference(url ?? database, { baseFolder: workingFolder }).dialect
    } catch {
      return null
    }
  }
