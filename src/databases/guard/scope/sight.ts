import type { Access } from './scoped-tables.ts'
import type { ScopeLayer, Source } from './sources-in-sight.ts'

/** A table as the statement may read it, or why it may not. `title` is what to call it. */
export type FoundTable =
  | { readonly ok: true; readonly title: string; readonly columns: ReadonlyMap<string, Access> }
  | { readonly ok: false; readonly reason: string }

/** Finds a table by its folded name and schema. */
export type FindTable = (schema: string | null, name: string) => FoundTable

/** What a query gives: the names of its columns, and whether there are others that only the server can name. */
export interface QueryOutput {
  readonly names: readonly string[]
  readonly isOpen: boolean
}

export type Ctes = ReadonlyMap<string, QueryOutput>

/** What can be seen from a place: CTEs, and the sources of the SELECTs around it, innermost first. */
export interface Visibility {
  readonly ctes: Ctes
  /** CTEs that are only now being written: a name of theirs may also still mean a table. */
  readonly pending: ReadonlySet<string>
  readonly layers: readonly ScopeLayer[]
}

/** A source that is no table: its columns are open, because what it reads has been checked already. */
export const derivedSource = (known: string | null, { names, isOpen }: QueryOutput): Source => ({
  known,
  title: known ?? 'a subquery',
  columns: new Map(names.map(name => [name, 'open'])),
  isOpen,
  isTable: false,
})

/** `t(a, b)` names the first columns; which ones those were cannot be told where some have no name or stars stand. */
export const renameOutput = (result: QueryOutput, renamed: readonly string[]): QueryOutput =>
  renamed.length === 0 ? result : { names: renamed, isOpen: true }
