import type { Catalog } from './catalog.ts'
import type { Understanding } from './understanding.ts'
import type { ValueMatch } from './value-match.ts'

/** What of one table a draft is shown (MAC-SQL's form, section 3.2). */
export interface LinkedTable {
  readonly table: string
  readonly keep: 'all' | readonly string[]
}

/** The part of a catalog that goes into a prompt. Tables that are not listed are dropped. */
export interface LinkedSchema {
  readonly tables: readonly LinkedTable[]
}

/**
 * Chooses the tables and columns for a question. Keeps everything when the schema is small, unless `columns` says how
 * many to keep at most, the keys that join them included. Rejects only when the signal fired.
 */
export type LinkSchema = (input: {
  readonly understanding: Understanding
  readonly catalog: Catalog
  readonly matches: readonly ValueMatch[]
  readonly columns?: number
  readonly signal?: AbortSignal
}) => Promise<LinkedSchema>

/** A name that a statement used. A null `table` may be any. */
export interface RequestedName {
  readonly table: string | null
  readonly column: string | null
}

/**
 * The linked schema and what of the catalog is meant by the names, with the tables that join it. The same object
 * when nothing that was dropped is meant, so that widening twice is widening once.
 */
export type WidenSchema = (input: {
  readonly catalog: Catalog
  readonly linked: LinkedSchema
  readonly wanted: readonly RequestedName[]
}) => LinkedSchema

/** Writes the linked part of a catalog as text for a prompt; `seed` shuffles tables and columns. */
export type RenderSchema = (
  catalog: Catalog,
  linked: LinkedSchema,
  options?: { readonly seed?: number; readonly matches?: readonly ValueMatch[] },
) => string
