/** One file of data that is asked like a table. */
export interface DataFile {
  /** Absolute path. */
  readonly path: string
  /** The file's name without its ending, with underscores for its dots. */
  readonly table: string
  readonly format: 'csv' | 'parquet' | 'json'
  readonly bytes: number
}

/** What DuckDB is to read: a database file of its own, or files of data. */
export type DataSource =
  | { readonly kind: 'database'; readonly path: string; readonly bytes: number }
  | { readonly kind: 'files'; readonly files: readonly DataFile[] }
