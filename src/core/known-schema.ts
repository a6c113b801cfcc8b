import type { ForeignKey } from './catalog.ts'
import type { ResultColumn, ValueKind } from './result.ts'

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
export interface SnapshotTable {
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
