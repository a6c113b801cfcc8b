import type { DataRights, HashKey, SessionRights } from './access/data-rights.ts'
import type { Catalog, ForeignKey } from './catalog.ts'
import type { Knowledge, KnowledgeProblem } from './knowledge.ts'
import type { SemanticLayer } from './metrics/semantic-layer.ts'
import type { FindValues, LookUpValues } from './question-context.ts'
import type { ResultTable, RunLimits } from './result.ts'
import type { Dialect, EstimateQuery, GuardedSql, GuardVerdict } from './sql.ts'

/** A database that people ask about: opened, read and indexed. Read-only. */
export interface Database {
  /** The name in querent.yml, or the reference it was opened with, without a password. */
  readonly name: string
  readonly dialect: Dialect
  readonly catalog: Catalog
  readonly findValues: FindValues
  /** Looks up what `findValues` cannot know, since the index leaves it out; left out if nothing is. */
  readonly lookUpValues?: LookUpValues
  /** What its business words mean, as files and admins say; left out if only its catalog says so. */
  readonly semanticLayer?: SemanticLayer
  /** The team's knowledge of it, checked against its catalog. Descriptions and joins are already in the catalog. */
  readonly knowledge?: Knowledge
  /** True if lists of tables and columns restrict what may be asked. Then `guard` knows every name itself. */
  readonly hasLists?: true
  /** No row and no value of it goes to a model; left out if they may. */
  readonly hidesValues?: true
  /** The rights of the person that it was opened for; left out if everyone sees the same. */
  readonly rights?: DataRights
  /** Turns SQL text into `GuardedSql` or a refusal, under this database's dialect and allow lists. */
  readonly guard: (sql: string) => GuardVerdict
  readonly run: RunQuery
  /** As `run`, under the wider caps for files; left out if there are none. */
  readonly runWhole?: RunQuery
  /** Estimates what a statement would read; left out if plans are not used. */
  readonly estimate?: EstimateQuery
  /** Rows a statement may read without confirmation; left out if there is no limit. */
  readonly heavyRows?: number
  readonly indexMilliseconds: number
}

/** Progress of opening a database: `done` of `total` columns are profiled. */
export interface IndexProgress {
  readonly done: number
  readonly total: number
}

/** Options of one statement: the caps, and a signal that cancels it in the database too. */
export interface RunOptions extends RunLimits {
  readonly signal?: AbortSignal
  /** The role and variables of the person it runs for; those of the connection if left out. */
  readonly session?: SessionRights
  /** What the marks for a hash key in the statement stand for; the statement has none if left out. */
  readonly hashKey?: HashKey
  /** What it is run for, as a database that bills by statement shows it; for people if left out. */
  readonly purpose?: 'people' | 'index'
}

/**
 * Connects to one kind of database. Every implementation is a folder of the same shape and passes
 * `test/contracts/connector.ts`. All statements run read-only; failures throw `SqlError`.
 */
export interface Connector {
  readonly dialect: Dialect
  /** Reads tables, columns, comments and keys. Profiles are null; the catalog adds them. */
  introspect(options?: { signal?: AbortSignal; session?: SessionRights }): Promise<Catalog>
  /** Returns the plan as the database prints it. Throws `SqlError` if the statement does not plan. */
  explain(sql: GuardedSql, options: RunOptions): Promise<string>
  /** Streams rows until done or a cap is reached. Duplicate column names and big integers are preserved. */
  run(sql: GuardedSql, options: RunOptions): Promise<ResultTable>
  /** Checks, without the guard, that a write fails, the time limit works and canceling frees the server. */
  checkSafeguards(options?: { signal?: AbortSignal }): Promise<SafeguardResults>
  close(): Promise<void>
}

/**
 * Runs one guarded statement under the configured caps, or under lower ones in `atMost`. `evenIfHeavy`: a person
 * confirmed it. Otherwise a statement that would read too much rejects with `ExpensiveQueryError`.
 */
export type RunQuery = (
  sql: GuardedSql,
  options?: {
    readonly signal?: AbortSignal
    readonly evenIfHeavy?: boolean
    readonly atMost?: Partial<RunLimits>
  },
) => Promise<ResultTable>

/**
 * Results of checking the safeguards that a database has besides the guard. Each was tried, not read from a setting.
 * `roleCanWrite` says whether the login role has permission to change anything, which the read-only transactions then
 * have to prevent; null if a database has no users.
 */
export interface SafeguardResults {
  /** The database refused a write on the connector's read-only path. */
  readonly refusesWrites: boolean
  /** The time limit stopped an endless statement, and the database stopped working on it. */
  readonly stopsAtTimeout: boolean
  /** Canceling an endless statement that was running removed it from the database. */
  readonly cancelFreesServer: boolean
  readonly roleCanWrite: boolean | null
}

/**
 * A database, the glossary of a channel, which is read beside the team's knowledge, and the key of the rights under
 * which it is seen (`DataRights`). Null for no glossary, and for everything that the connection sees.
 */
interface DatabaseRef {
  readonly database: string
  readonly glossary: string | null
  readonly rights: string | null
}

/** Neither database names in querent.yml, nor glossary folders, nor keys of rights contain these characters. */
const separators = { glossary: '/', rights: '@' } as const

const DATABASE_REF = /^([a-z][a-z0-9_-]*)(?:\/([a-z0-9][a-z0-9_-]*))?(?:@([0-9a-f]{16}))?$/i

/** The name that questions use: `shop`, `shop/finance` with a glossary, `shop@0123456789abcdef` under rights. */
export const formatDatabaseRef = ({ database, glossary, rights }: DatabaseRef): string =>
  [
    database,
    ...(glossary === null ? [] : [separators.glossary, glossary]),
    ...(rights === null ? [] : [separators.rights, rights]),
  ].join('')

/** Reads such a name. A reference like `sqlite:PATH` is a database without a glossary and without rights. */
export const parseDatabaseRef = (name: string): DatabaseRef => {
  const [, database, glossary = null, rights = null] = DATABASE_REF.exec(name) ?? []
  return database === undefined
    ? { database: name, glossary: null, rights: null }
    : { database, glossary, rights }
}

/** The name without rights: what a location asks, whoever asks it there. */
export const withoutRights = (name: string): string =>
  formatDatabaseRef({ ...parseDatabaseRef(name), rights: null })

/**
 * Whether rows that were read as `read` can be shown to someone who sees the database as `seen`: under the same rights,
 * or without restrictions.
 */
export const coversRef = (seen: string, read: string): boolean =>
  seen === read || (parseDatabaseRef(seen).rights === null && seen === withoutRights(read))

/**
 * The part of a database that can be asked about. Patterns name tables (`orders`, `hr.*`) and columns
 * (`customers.email`, `*.ssn`, `hr.salaries.*`) in any case; `*` stands for any part of a name. A pattern without a
 * schema matches the table in every schema.
 */
export interface ReadScope {
  readonly tables: {
    /** Only these tables; all of them if the list is empty. A view named here in full is always open. */
    readonly include: readonly string[]
    readonly exclude: readonly string[]
    /** Of those, only these; all of them if it is empty or left out. A view is always open if both lists name it. */
    readonly within?: readonly string[]
  }
  readonly columns: {
    /** Columns hidden from everyone. */
    readonly exclude: readonly string[]
    /** Columns whose name and type are visible but whose values are not. */
    readonly mask: readonly string[]
  }
}

/** No restrictions. */
export const unrestrictedScope: ReadScope = {
  tables: { include: [], exclude: [] },
  columns: { exclude: [], mask: [] },
}

/** True if nothing is restricted. */
export const isUnrestrictedScope = ({ tables, columns }: ReadScope): boolean =>
  [tables.include, tables.exclude, tables.within ?? [], columns.exclude, columns.mask].every(
    list => list.length === 0,
  )

/** What both scopes leave open: that of a database, and that of a person. */
export const mergeScopes = (base: ReadScope, own: ReadScope): ReadScope => {
  if (isUnrestrictedScope(base)) return own
  if (isUnrestrictedScope(own)) return base
  return {
    tables: {
      include: base.tables.include,
      exclude: [...base.tables.exclude, ...own.tables.exclude],
      within: own.tables.include,
    },
    columns: {
      exclude: [...base.columns.exclude, ...own.columns.exclude],
      mask: [...base.columns.mask, ...own.columns.mask],
    },
  }
}

/** Something indexing left out, and the reason in words. */
export interface SkippedItem {
  /** `orders`, or `orders.note`. */
  readonly what: string
  readonly why: string
}

/** Report on indexing a database. `bytes` is the memory of the value index, including its texts. */
export interface IndexReport {
  readonly tables: number
  readonly columns: number
  readonly values: number
  readonly milliseconds: number
  readonly bytes: number
  /** Whether this process profiled all of it, without reusing an earlier index. */
  readonly isNew: boolean
  /** When the oldest profile was made. */
  readonly measuredAt: Date
  readonly leftOut: readonly SkippedItem[]
  readonly derivedKeys: readonly ForeignKey[]
  /** Knowledge entries that could not be read or that name something the database does not have. */
  readonly knowledgeProblems: readonly KnowledgeProblem[]
}

/**
 * Database indexes shared by all processes on all machines, and the lock for building one. An index is opaque bytes
 * here. Every call rejects while the store is unavailable.
 */
export interface SharedIndexStore {
  /** When the index of a key was last updated; null if there is none. */
  savedAt(key: string): Promise<Date | null>
  /** The index of a key; null if there is none, or while it is being replaced. */
  read(key: string): Promise<Buffer | null>
  /** Stores an index unless a newer one is already stored. */
  write(key: string, index: { readonly savedAt: Date; readonly bytes: Buffer }): Promise<void>
  /**
   * Locks building the index of a key; null while another process holds the lock. The result releases it. A dead
   * process loses the lock after a while.
   */
  lockBuild(key: string): Promise<(() => Promise<void>) | null>
}

/** Opens a database by its name in querent.yml, as the sample company, or by a reference; each once. */
export type OpenDatabaseByName = (name: string, options?: { signal?: AbortSignal }) => Promise<Database>
