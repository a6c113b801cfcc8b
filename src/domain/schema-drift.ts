import type { Catalog, ForeignKey } from './catalog.ts'
import type { ResultColumn, ValueKind } from './result.ts'
import type { Dialect } from './sql.ts'

/** A column as it was when a statement was known to run. No values: only what tells one column from another. */
export interface SnapshotColumn {
  readonly name: string
  /** In the database's own words; empty where it is not known. */
  readonly type: string
  readonly kind: ValueKind
  /** Null where the column was not measured. */
  readonly profile: {
    readonly nullShare: number
    readonly distinctCount: number
    readonly meanLength: number
    /** How its texts are written, such as `AA-9999`. */
    readonly pattern: string | null
  } | null
}

/** A table as it was, its columns in their order. */
interface SnapshotTable {
  readonly schema: string | null
  readonly name: string
  readonly columns: readonly SnapshotColumn[]
}

/** What of a schema a statement stood on when it was last known to run, and what its result looked like. */
export interface SchemaSnapshot {
  /** Those that the statement reads. */
  readonly tables: readonly SnapshotTable[]
  /** Keys from or to them. */
  readonly foreignKeys: readonly Pick<ForeignKey, 'from' | 'to'>[]
  /** Names of the other tables that there were; null where they are too many to keep. */
  readonly others: readonly string[] | null
  /** Null where no result was there to look at. */
  readonly result: { readonly columns: readonly ResultColumn[]; readonly rows: number } | null
}

/** A table that a statement reads, as the catalog declared it then: what of it has to stay for the statement to mean the same. */
export interface ReferencedTable {
  readonly schema: string | null
  readonly name: string
  /** Whether all its columns are read: a new one changes the result then. */
  readonly whole: boolean
  /** The columns that are read, with their declared types. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** A view's query; null for a table, and where the database does not tell. */
  readonly definition: string | null
}

/** All that has to be known of a database to tell what a statement touches. */
export interface StatementSchema {
  readonly catalog: Pick<Catalog, 'tables'>
  readonly dialect: Dialect
}

/** A statement in which names that are gone are replaced by those that may be meant now. */
export interface Renaming {
  readonly sql: string
  /** What was replaced, each a line such as `hires.city is now hires.town`. */
  readonly says: readonly string[]
  /** How much speaks for it before it is run, from 0 to 1. */
  readonly likeness: number
}

/** What became of the names of a statement whose schema changed. */
export interface Renamings {
  /** Tables and columns that are not there any more, such as `the table hires` and `the column hires.city`. */
  readonly gone: readonly string[]
  /** The likeliest first. None where a name is gone for which nothing stands. */
  readonly renamings: readonly Renaming[]
}

/** Looks in a schema for what the names of a statement are called now. Pure; runs nothing. */
export type ProposeRenamings = (given: {
  readonly sql: string
  readonly dialect: Dialect
  /** The schema as it is now. */
  readonly catalog: Catalog
  /** The schema as it was; null where that was not kept. */
  readonly known: SchemaSnapshot | null
}) => Renamings
