import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import { type DatabaseReference, parseDatabaseReference } from '../../databases/database-reference.ts'
import { makeGuard } from '../../databases/guard/guard.ts'
import { loadKnowledge } from '../../databases/knowledge/knowledge-files.ts'
import { type OpenDatabase, openDatabase } from '../../databases/open-database.ts'
import type { Catalog } from '../../domain/catalog.ts'
import type {
  Database,
  IndexProgress,
  IndexReport,
  ReadScope,
  SharedIndexStore,
} from '../../domain/database.ts'
import { QuerentError } from '../../domain/errors.ts'
import type { StatementAudit } from '../../domain/operations/audit.ts'
import type { InSpan, Log } from '../../domain/operations/telemetry.ts'
import type { Releasers } from '../../lib/releasers.ts'
import type { OnProgress } from '../resources.ts'

/** The name under which the sample company is asked. */
export const sampleCompany = 'sample-company'

/** What its staff would tell a newcomer. */
const sampleKnowledge = join(import.meta.dirname, '../../../fixtures/warehouse/knowledge.md')

/** Opens a database by its name in querent.yml, as the sample company, or by a reference; each once. */
export type OpenDatabaseByName = (name: string, options?: { signal?: AbortSignal }) => Promise<Database>

/** Hears that a database was measured anew. */
type OnDatabaseMeasured = (name: string, fingerprint: string) => void

/** The databases that people may ask about. */
export interface Databases {
  /** The database as it is now. One that has been open for a while is brought up to date behind, when it is time. */
  readonly open: OpenDatabaseByName
  /** The schema of a database as it is this moment, which the index may not know of yet. */
  readonly readSchema: (name: string, options?: { signal?: AbortSignal }) => Promise<Catalog>
  /** Measures and indexes a database, whatever is known of it already, and tells what it came to. */
  readonly index: (name: string, options?: { signal?: AbortSignal }) => Promise<IndexReport>
  /** Another process has measured a database anew: where it is open here, it is brought up to date behind. */
  readonly invalidate: (name: string) => void
  /** Told of every database that this process measures anew, by its name; returns how to hear no more. */
  readonly onMeasured: (hear: OnDatabaseMeasured) => () => void
  /** What its index came to, whenever that was. */
  readonly report: (name: string, options?: { signal?: AbortSignal }) => Promise<IndexReport>
}

/** Makes them. Opened databases close with the releasers. */
export const makeDatabases = (deps: {
  readonly config: Config
  readonly sampleCompanyUrl: () => Promise<string>
  /** What its books hold: another day's are another database, and its server's port says nothing. */
  readonly sampleCompanyVersion: string
  readonly releasers: Releasers
  readonly onProgress: OnProgress
  readonly sharedIndexes: SharedIndexStore
  readonly audit: StatementAudit
  readonly inSpan?: InSpan
  readonly log: Log
}): Databases => {
  const { config, log } = deps
  const opened = new Map<string, Promise<OpenDatabase>>()
  const hearers = new Set<OnDatabaseMeasured>()

  const referenceOf = async (
    name: string,
  ): Promise<{
    reference: DatabaseReference
    allow: readonly string[]
    heavyRows: number | null
    scope?: ReadScope
  }> => {
    const baseFolder = config.workingFolder
    const named = Object.hasOwn(config.databases, name) ? config.databases[name] : undefined
    if (named) {
      return {
        reference: parseDatabaseReference(named.url.reveal(), { baseFolder }),
        allow: named.allowFunctions,
        heavyRows: named.heavyRows,
        scope: named.scope,
      }
    }
    const text = name === sampleCompany ? await deps.sampleCompanyUrl() : name
    return { reference: parseReference(text, config), allow: [], heavyRows: config.heavyRows }
  }

  const progressOf =
    (name: string) =>
    ({ done, total }: IndexProgress): void =>
      deps.onProgress({ doing: `Indexing ${name}`, share: total === 0 ? 1 : done / total })

  const open = async (name: string, signal: AbortSignal | undefined): Promise<OpenDatabase> => {
    const { reference, allow, heavyRows, scope } = await referenceOf(name)
    const shownName = name === reference.name || name.includes('://') ? reference.name : name
    const knowledge = await loadKnowledge(config.knowledgeFolder, {
      database: shownName,
      ...(name === sampleCompany && { more: [sampleKnowledge] }),
    })
    const database = await openDatabase(reference, {
      name: shownName,
      knowledge,
      guard: makeGuard({ allowFunctions: allow }),
      ...(scope && { scope }),
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
        for (const hear of hearers) hear(name, fingerprint)
      },
      ...(signal ? { signal } : {}),
    })
    deps.releasers.push(database.close)
    return database
  }

  const openOnce = (name: string, signal: AbortSignal | undefined): Promise<OpenDatabase> => {
    const known = opened.get(name)
    if (known) return known
    const opening = open(name, signal).catch((error: unknown) => {
      opened.delete(name)
      throw error
    })
    opened.set(name, opening)
    return opening
  }

  return {
    open: async (name, { signal } = {}) => {
      const database = await openOnce(name, signal)
      database.refreshIfStale()
      return database.database
    },
    readSchema: async (name, { signal } = {}) =>
      (await openOnce(name, signal)).readSchema(signal ? { signal } : {}),
    invalidate: name => {
      opened.get(name)?.then(
        database => database.invalidate(),
        // Opening it again will find what there is now.
        () => {},
      )
    },
    onMeasured: hear => {
      hearers.add(hear)
      return () => void hearers.delete(hear)
    },
    report: async (name, { signal } = {}) => (await openOnce(name, signal)).report(),
    index: async (name, { signal } = {}) => {
      const wasOpen = opened.has(name)
      const database = await openOnce(name, signal)
      const report = database.report()
      // Opening it for the first time has just measured it.
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

/** Shared indexes from when the store is open; until then nothing is shared, and everybody builds for themselves. */
interface DeferredSharedIndexes extends SharedIndexStore {
  /** The store is open: from now on indexes are shared there. */
  begin(indexes: SharedIndexStore): void
}

/** Makes them. A command that opens no store shares nothing, and leaves no server behind for it. */
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
