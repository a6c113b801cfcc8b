import type { Catalog } from './catalog.ts'
import type { Dialect } from './dialect.ts'

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
