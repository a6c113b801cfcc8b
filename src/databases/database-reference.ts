/**
 * A database as it was named in words: `sqlite:PATH`, `duckdb:PATH`, `postgres://...` or `mysql://...`, read and resolved. `name` is how it is
 * called in messages and logs: it never holds a password. `url` may; it is not enumerable, so that it is left
 * out when the reference is logged or written as JSON.
 */
export type DatabaseReference =
  | { readonly kind: 'sqlite'; readonly name: string; readonly file: string }
  /** A DuckDB database, a CSV, Parquet or JSON file, or a folder of such files. */
  | { readonly kind: 'duckdb'; readonly name: string; readonly path: string }
  | { readonly kind: 'postgres'; readonly name: string; readonly url: string }
  /** MySQL or MariaDB: the server says which. */
  | { readonly kind: 'mysql'; readonly name: string; readonly url: string }

/** The schemes that can be opened, as they are shown to people. */
export const databaseSchemes = [
  'sqlite:PATH',
  'duckdb:PATH',
  'postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  'mysql://USER:PASSWORD@HOST:PORT/DATABASE',
] as const
