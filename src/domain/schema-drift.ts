import type { Catalog, ForeignKey } from './catalog.ts'
import type { ResultColumn, ValueKind } from './result.ts'
import type { Dialect } from './sql.ts'

/** A column as it was when a statement last ran. No values, only what identifies it. */
export interface SnapshotColumn {
  readonly name: string
  /** As the database declares it; empty if unknown. */
  readonly type: string
  readonly kind: ValueKind
  /** Null if the column was not profiled. */
  readonly profile: {
    readonly nullShare: number
    readonly distinctCount: number
    readonly meanLength: number
    /** The format of its texts, such as `AA-9999`. */
    readonly pattern: string | null
  } | null
}

/** A table as it was, with its columns in order. */
interface SnapshotTable {
  readonly schema: string | null
  readonly name: string
  readonly columns: readonly SnapshotColumn[]
}

/** The part of a schema a statement depended on when it last ran, and the shape of its result. */
export interface SchemaSnapshot {
  /** The tables the statement reads. */
  readonly tables: readonly SnapshotTable[]
  /** Keys from or to them. */
  readonly foreignKeys: readonly Pick<ForeignKey, 'from' | 'to'>[]
  /** Names of the other tables at that time; null if there were too many to store. */
  readonly others: readonly string[] | null
  /** Null if there was no result. */
  readonly result: { readonly columns: readonly ResultColumn[]; readonly rows: number } | null
}

/**
 * A table a statement reads, as the catalog declared it: what must stay the same for the statement to mean the same.
 */
export interface ReferencedTable {
  readonly schema: string | null
  readonly name: string
  /** Whether all its columns are read, so that a new one changes the result. */
  readonly whole: boolean
  /** The columns read, with their declared types. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** A view's query; null for a table, or if the database does not provide it. */
  readonly definition: string | null
}

/** What is needed to know which tables and columns a statement uses. */
export interface StatementSchema {
  readonly catalog: Pick<Catalog, 'tables'>
  readonly dialect: Dialect
}

/** A statement with missing names replaced by likely new ones. */
export interface Renaming {
  readonly sql: string
  /** What was replaced, one line each, such as `hires.city is now hires.town`. */
  readonly says: readonly string[]
  /** How likely it is before it is run, from 0 to 1. */
  readonly likeness: number
}

/** What happened to the names of a statement whose schema changed. */
export interface Renamings {
  /** Tables and columns that no longer exist, such as `the table hires` and `the column hires.city`. */
  readonly gone: readonly string[]
  /** Likeliest first. Empty if a missing name has no replacement. */
  readonly renamings: readonly Renaming[]
}

/** Finds the new names for a statement's names in a schema. Pure; runs nothing. */
export type ProposeRenamings = (given: {
  readonly sql: string
  readonly dialect: Dialect
  /** The current schema. */
  readonly catalog: Catalog
  /** The earlier schema; null if it was not stored. */
  readonly known: SchemaSnapshot | null
}) => Renamings
