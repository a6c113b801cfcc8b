import type { Catalog, ForeignKey } from './catalog.ts'
import type { Knowledge, KnowledgeProblem } from './knowledge.ts'
import type { FindValues } from './question-context.ts'
import type { ResultTable, RunLimits } from './result.ts'
import type { Dialect, EstimateQuery, GuardedSql, GuardVerdict } from './sql.ts'

/** A database that people ask about, opened, read and indexed: all that a question needs of it. Read-only. */
export interface Database {
  /** The name in querent.yml, or the reference it was opened by, without a password. */
  readonly name: string
  readonly dialect: Dialect
  readonly catalog: Catalog
  readonly findValues: FindValues
  /** What the team knows of it, held to its catalog. Descriptions and joins are in the catalog already. */
  readonly knowledge?: Knowledge
  /** SQL text to `GuardedSql` or a refusal, under this database's dialect and lists. */
  readonly guard: (sql: string) => GuardVerdict
  readonly run: RunQuery
  /** As `run`, under the wider caps of files; left out where there are none. */
  readonly runWhole?: RunQuery
  /** What a statement would read; left out where nobody asks for plans. */
  readonly estimate?: EstimateQuery
  /** Rows that a statement may read unasked; left out where any number may. */
  readonly heavyRows?: number
  readonly indexMilliseconds: number
}

/** How far the opening of a database has come; `done` of `total` columns are measured. */
export interface IndexProgress {
  readonly done: number
  readonly total: number
}

/** Options of one statement: the caps, and the signal that cancels it in the database, not only here. */
export interface RunOptions extends RunLimits {
  readonly signal?: AbortSignal
}

/**
 * One kind of database behind one small contract. Every implementation is a folder of the same shape and passes
 * `test/contracts/connector.ts`. All statements run read-only; failures throw `SqlError`.
 */
export interface Connector {
  readonly dialect: Dialect
  /** Reads tables, columns, comments and keys. Profiles are null: measuring is the catalog's work. */
  introspect(options?: { signal?: AbortSignal }): Promise<Catalog>
  /** The plan as the database prints it. Throws `SqlError` where the statement does not plan. */
  explain(sql: GuardedSql, options: RunOptions): Promise<string>
  /** Streams rows until done or a cap is reached; duplicate column names and big integers stay intact. */
  run(sql: GuardedSql, options: RunOptions): Promise<ResultTable>
  /** Tries, with the guard out of the way, whether a write fails, the time limit fires and cancelling frees the server. */
  checkSafeguards(options?: { signal?: AbortSignal }): Promise<SafeguardResults>
  close(): Promise<void>
}

/**
 * Runs one guarded statement under the house's caps. `evenIfHeavy`: somebody has said that it may read as much as it does;
 * else one that would read too much rejects with `ExpensiveQueryError`.
 */
export type RunQuery = (
  sql: GuardedSql,
  options?: { readonly signal?: AbortSignal; readonly evenIfHeavy?: boolean },
) => Promise<ResultTable>

/**
 * What came of trying the walls of a database that stand without the guard: each was really tried, none is read off a
 * setting. `roleCanWrite` tells of the user whom the connector logs in as: whether it has rights to change anything
 * at all, which our read-only transactions then have to hold back. Null where a database knows no users.
 */
export interface SafeguardResults {
  /** A write on the connector's own read-only path was refused by the database. */
  readonly refusesWrites: boolean
  /** A statement without end was stopped by its time limit, and the database was no longer at work on it. */
  readonly stopsAtTimeout: boolean
  /** A statement without end was seen at work, cancelled by signal, and then was gone from the database. */
  readonly cancelFreesServer: boolean
  readonly roleCanWrite: boolean | null
}

/** A database, and the glossary of a channel that is read beside what the whole team knows of it; null without one. */
interface DatabaseRef {
  readonly database: string
  readonly glossary: string | null
}

/** Names of databases in querent.yml have no such sign, and neither has a folder of a glossary. */
const GLOSSARY_SEPARATOR = '/'

const DATABASE_REF = /^([a-z][a-z0-9_-]*)\/([a-z0-9][a-z0-9_-]*)$/i

/** The name under which questions are asked of it: `shop`, or `shop/finance` with a glossary. */
export const formatDatabaseRef = ({ database, glossary }: DatabaseRef): string =>
  glossary === null ? database : `${database}${GLOSSARY_SEPARATOR}${glossary}`

/** Reads such a name. A reference such as `sqlite:PATH` is a database without a glossary. */
export const parseDatabaseRef = (name: string): DatabaseRef => {
  const [, database, glossary] = DATABASE_REF.exec(name) ?? []
  return database === undefined || glossary === undefined
    ? { database: name, glossary: null }
    : { database, glossary }
}

/**
 * What of a database may be asked about. Patterns name tables (`orders`, `hr.*`) and columns (`customers.email`,
 * `*.ssn`, `hr.salaries.*`), in any case; `*` stands for any part of a name. A pattern without a schema means the
 * table in every schema.
 */
export interface ReadScope {
  readonly tables: {
    /** Only these tables; all of them when the list is empty. A view that is named here in full is always open. */
    readonly include: readonly string[]
    readonly exclude: readonly string[]
  }
  readonly columns: {
    /** Columns that are not there for anybody. */
    readonly exclude: readonly string[]
    /** Columns whose name and type may be known, but none of whose values. */
    readonly mask: readonly string[]
  }
}

/** Everything may be asked about. */
export const unrestrictedScope: ReadScope = {
  tables: { include: [], exclude: [] },
  columns: { exclude: [], mask: [] },
}

/** True when nothing is kept from anybody. */
export const isUnrestrictedScope = ({ tables, columns }: ReadScope): boolean =>
  [tables.include, tables.exclude, columns.exclude, columns.mask].every(list => list.length === 0)

/** Something that indexing left out, and why, in words for a person. */
export interface SkippedItem {
  /** `orders`, or `orders.note`. */
  readonly what: string
  readonly why: string
}

/** What indexing a database came to. `bytes` is the memory of the value index, its texts included. */
export interface IndexReport {
  readonly tables: number
  readonly columns: number
  readonly values: number
  readonly milliseconds: number
  readonly bytes: number
  /** Whether all of it was measured by this process, and nothing taken from an earlier one. */
  readonly isNew: boolean
  /** When the oldest of the measurements was made. */
  readonly measuredAt: Date
  readonly leftOut: readonly SkippedItem[]
  readonly derivedKeys: readonly ForeignKey[]
  /** What of the team's knowledge could not be read, or names what the database has not. */
  readonly knowledgeProblems: readonly KnowledgeProblem[]
}

/**
 * Indexes of databases where all processes find them, whichever machine each is on, and the right to build one. An index
 * is bytes here: what is in them is known to those who built it. All of it rejects while the store is away.
 */
export interface SharedIndexStore {
  /** When the index of a key was worked on last; null where none is kept. */
  savedAt(key: string): Promise<Date | null>
  /** The index of a key; null where none is kept, or while another takes its place. */
  read(key: string): Promise<Buffer | null>
  /** Keeps an index in the place of an older one; where a later one is kept already, that one stays. */
  write(key: string, index: { readonly savedAt: Date; readonly bytes: Buffer }): Promise<void>
  /**
   * Takes the right to build the index of a key; null while another process has it. The result gives it back. Whose
   * process dies loses it after a while.
   */
  lockBuild(key: string): Promise<(() => Promise<void>) | null>
}
