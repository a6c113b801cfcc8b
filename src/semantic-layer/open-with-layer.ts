import { parse } from 'yaml'
import { type SeesValue, seesEveryValue, seesValuesOf } from '../domain/access/sees-value.ts'
import { type Database, type OpenDatabaseByName, parseDatabaseRef } from '../domain/database.ts'
import type { LayerDecision, ListLayerDecisions } from '../domain/metrics/layer-decision.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { Dialect } from '../domain/sql.ts'
import { hideValues } from '../sql/rewrite/hide-values.ts'
import type { BuiltLayer } from './build/build-layer.ts'
import { findLayerFiles, type LayerFiles } from './files/read-layer-files.ts'

/** A question opens its database at every step; a changed file or decision applies within this time. */
const SOURCES_FRESH_MS = 5_000

/** What a layer is made of besides terms and catalog. `stamp` changes when any of it does. */
interface Sources extends LayerFiles {
  readonly decisions: readonly LayerDecision[]
}

/** Opens databases with their semantic layer. */
export interface SemanticLayers {
  /** Adds the layer to databases that are opened. One without files and terms keeps none of its own. */
  readonly withLayers: (open: OpenDatabaseByName) => OpenDatabaseByName
  /** The layer of an open database, with its problems; null without files and terms. Rejects if a file cannot be read. */
  readonly read: (name: string, database: Database) => Promise<BuiltLayer | null>
  /** Looks at files and decisions about a database, or all, again when it is opened next, instead of within seconds. */
  readonly invalidate: (name?: string) => void
}

/**
 * Makes the layers of databases from the files of a folder, the terms of their glossary, decisions of admins and their
 * catalog: once for each catalog, and again when a file or decision changes. While nothing changes, the same object is returned.
 */
export const makeSemanticLayers = (deps: {
  readonly folder: string
  /** Files of a database besides those of the folder. */
  readonly moreFiles: (name: string) => readonly string[]
  /** What admins decided. If it rejects, layers are made without. */
  readonly listDecisions: ListLayerDecisions
  /** Names of all databases. */
  readonly databases: readonly string[]
  /** Today, for conditions on the last days. */
  readonly today: () => string
  readonly timeZone: string
  readonly now: () => number
  readonly log: Log
}): SemanticLayers => {
  const { today, timeZone, now, log } = deps
  const readSources = async (name: string, database: string): Promise<Sources> => {
    const [{ stamp, read }, decisions] = await Promise.all([
      findLayerFiles(deps.folder, deps.moreFiles(name)),
      deps.listDecisions(database).catch((error: unknown) => {
        log.warn({ error, database }, 'could not read decisions about proposals; answering without them')
        return []
      }),
    ])
    return { stamp: [stamp, ...decisions.map(({ id }) => id)].join(' '), read, decisions }
  }
  const found = new Map<string, { readonly at: number; readonly sources: Promise<Sources> }>()
  const sourcesOf = (name: string, database: string): Promise<Sources> => {
    const known = found.get(name)
    if (known && now() - known.at < SOURCES_FRESH_MS) return known.sources
    const sources = readSources(name, database)
    found.set(name, { at: now(), sources })
    sources.catch(() => found.delete(name))
    return sources
  }

  const layers = new WeakMap<
    Database,
    { readonly stamp: string; readonly built: Promise<BuiltLayer | null> }
  >()
  const build = async (database: Database, { read, decisions }: Sources): Promise<BuiltLayer | null> => {
    const files = await read(database.name, deps.databases)
    const terms = database.knowledge?.terms ?? []
    if (files.length + decisions.length === 0 && terms.every(({ sql }) => sql === null)) return null
    // Most databases have no files yet: the compiler is loaded when it is needed.
    const { buildPlannedLayer } = await import('./build/plan-layer.ts')
    const sees = seesValuesOf(database)
    const readable = readableDecisions(decisions, { dialect: database.dialect, sees })
    const built = await buildPlannedLayer({ files, terms, decisions: readable }, database, {
      today: today(),
      timeZone,
    })
    for (const { at, message } of built.problems) log.warn({ at: `${at.file}:${at.line}` }, message)
    return built
  }
  const read = async (name: string, database: Database): Promise<BuiltLayer | null> => {
    const sources = await sourcesOf(name, database.name)
    const known = layers.get(database)
    if (known?.stamp === sources.stamp) return known.built
    const built = build(database, sources)
    layers.set(database, { stamp: sources.stamp, built })
    built.catch(() => layers.delete(database))
    return built
  }

  /** Databases that have got their layer here already, by the layer. */
  const done = new WeakMap<Database, BuiltLayer>()
  const origins = new WeakMap<Database, Database>()
  const joined = new WeakMap<Database, Database>()
  const withLayer = async (name: string, given: Database): Promise<Database> => {
    const database = origins.get(given) ?? given
    const built = await read(name, database)
    if (built === null) return database
    const before = joined.get(database)
    if (before && done.get(before) === built) return before
    const layered: Database = { ...database, semanticLayer: built.layer }
    done.set(layered, built)
    origins.set(layered, database)
    joined.set(database, layered)
    return layered
  }

  return {
    invalidate: name => {
      // A channel's view of the database has a name of its own.
      for (const known of [...found.keys()])
        if (name === undefined || parseDatabaseRef(known).database === name) found.delete(known)
    },
    read: (name, database) => read(name, origins.get(database) ?? database),
    withLayers: open => async (name, options) => {
      const database = await open(name, options)
      try {
        return await withLayer(name, database)
      } catch (error) {
        log.warn(
          { error, database: database.name },
          'could not read the semantic layer; answering without it',
        )
        return database
      }
    },
  }
}

/**
 * The decisions that a reader may know of. What was proposed to an admin came from the admin's rows: a metric or segment
 * whose condition names a value that the reader does not see is none of theirs.
 */
export const readableDecisions = (
  decisions: readonly LayerDecision[],
  { dialect, sees }: { readonly dialect: Dialect; readonly sees: SeesValue },
): readonly LayerDecision[] =>
  sees === seesEveryValue
    ? decisions
    : decisions.filter(
        ({ status, definition }) =>
          status === 'rejected' ||
          textsIn(parse(definition)).every(sql => hideValues({ sql, dialect, words: '' }, sees).isOpen),
      )

/** All texts of a definition; its labels have no literals. */
const textsIn = (part: unknown): readonly string[] => {
  if (typeof part === 'string') return [part]
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(textsIn) : []
}
