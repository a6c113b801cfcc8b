import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import type { ColumnEdit } from '../../../sql/rewrite/names/name-edits.ts'

/** What is said of a form in which nobody can tell. */
export const unreadNames = 'it has a form in which nobody can tell which rows it reads'

/**
 * A name that may mean more than one thing, or a form in which nobody can tell. `isClash`: a query of WITH has the name of
 * something else, which says nothing of any column.
 */
export class NameDoubt extends Error {
  readonly isClash: boolean

  constructor(reason: string, isClash: boolean) {
    super(reason)
    this.isClash = isClash
  }
}

/** Ends the resolving of a statement; `reason` is for the person who asks. */
export const refuse = (reason: string, isClash = false): never => {
  throw new NameDoubt(reason, isClash)
}

/** Refuses a form that has not been thought of. */
export const unclear = (): never => refuse(unreadNames)

/** Something in FROM as the statement knows it, and as it will be called. */
export interface NamedSource {
  /** Its new name; null where it keeps its own, or has none. */
  readonly renamed: string | null
  readonly known: string | null
  /** The schema of a table without an alias, as it is written; null if it has none. */
  readonly schema: string | null
  readonly columns: readonly string[]
  /** True where it may have columns that only the server knows. */
  readonly isOpen: boolean
  /** True for a table of the database: its columns are called just as the catalog says. */
  readonly isTable: boolean
}

/** What one SELECT shows to the expressions in it. */
export interface NameLayer {
  readonly sources: readonly NamedSource[]
  /** False where the server may pass over these sources: those beside a subquery in FROM. */
  readonly isSure: boolean
  /** Names of results, of parameters, and of values in WITH. */
  readonly aliases: readonly string[]
  /** Columns that USING makes one; `all` if NATURAL may do so with any. */
  readonly merged: readonly string[] | 'all'
}

/**
 * What becomes of a name: `keep` leaves it to the server, which has nothing but our own tables to look it up in. `doubt`
 * is a name that could mean two sources.
 */
export type NameMeaning =
  | { readonly kind: 'edit'; readonly edit: ColumnEdit }
  | { readonly kind: 'keep'; readonly isAlias: boolean }
  | { readonly kind: 'doubt' }

/** Makes the look-up of names of one or more parts, innermost layer first. */
export const makeNameMeaning = (
  dialect: Dialect,
): {
  readonly columnMeaning: (parts: readonly string[], layers: readonly NameLayer[]) => NameMeaning
  readonly starMeaning: (qualifier: string, layers: readonly NameLayer[]) => NameMeaning
} => {
  const { names, scope } = databaseDialect(dialect)
  const { same } = names

  const columnNamed = ({ columns }: NamedSource, name: string): string | null =>
    columns.find(column => same(column, name, 'column') === 'yes') ??
    columns.find(column => same(column, name, 'column') !== 'no') ??
    null

  /** How a column of a source is written: as the catalog has it for a table, else as in the statement. */
  const written = (source: NamedSource, name: string): string | null => {
    const column = source.isTable ? columnNamed(source, name) : null
    return column === null || column === name ? null : column
  }

  const bare = (name: string, layers: readonly NameLayer[]): NameMeaning => {
    for (const [outward, { sources, isSure, aliases, merged }] of layers.entries()) {
      if (aliases.some(alias => same(alias, name, 'column') !== 'no')) return { kind: 'keep', isAlias: true }
      const having = sources.filter(source => columnNamed(source, name) !== null)
      const [only, second] = having
      const isMerged = merged === 'all' || merged.some(one => same(one, name, 'column') !== 'no')
      if (only !== undefined) {
        const { renamed } = only
        // Postgres looks for a column to the end first, DuckDB for the row of a source that is nearer.
        const isRow = scope.hasWholeRows && sourcesNamed(name, null, layers.slice(0, outward)).length > 0
        if (isRow) return { kind: 'doubt' }
        return second === undefined && isSure && !isMerged && renamed !== null
          ? { kind: 'edit', edit: { replaced: 0, qualifier: renamed, column: written(only, name) } }
          : { kind: 'keep', isAlias: false }
      }
      if (isMerged || sources.some(({ isOpen }) => isOpen)) break
    }
    return wholeRow(name, layers)
  }

  /** A name that no source has as a column may be a source's own. */
  const wholeRow = (name: string, layers: readonly NameLayer[]): NameMeaning => {
    const rows = scope.hasWholeRows ? sourcesNamed(name, null, layers) : []
    const [row] = rows
    if (row === undefined || row.renamed === null) return { kind: 'keep', isAlias: false }
    return rows.length > 1
      ? { kind: 'doubt' }
      : { kind: 'edit', edit: { replaced: 1, qualifier: row.renamed, column: null } }
  }

  const isCalled = ({ known, schema }: NamedSource, name: string, inSchema: string | null): boolean =>
    known !== null &&
    same(known, name, 'table') !== 'no' &&
    (inSchema === null || (schema !== null && same(schema, inSchema, 'table') !== 'no'))

  /** The sources that a name means in the innermost layer that has it, and in those that a server may look at as well. */
  const sourcesNamed = (
    name: string,
    inSchema: string | null,
    layers: readonly NameLayer[],
    column: string | null = null,
  ): readonly NamedSource[] => {
    const found: NamedSource[] = []
    for (const { sources, isSure } of layers) {
      const meant = sources.filter(source => isCalled(source, name, inSchema))
      found.push(...meant)
      const [only] = meant
      // Some servers look further out where a source does not have the column.
      const ends = only !== undefined && isSure && (column === null || columnNamed(only, column) !== null)
      if (ends && meant.length === 1 && same(only.known ?? '', name, 'table') === 'yes') break
    }
    return found
  }

  /** A source, and how many parts of the name stand for it. */
  const qualifiers = (
    parts: readonly string[],
  ): readonly { readonly schema: string | null; readonly name: string; readonly replaced: number }[] => {
    const [first = '', second = ''] = parts
    if (!scope.hasStructFields)
      return [
        {
          schema: parts.length > 2 ? (parts.at(-3) ?? null) : null,
          name: parts.at(-2) ?? '',
          replaced: parts.length - 1,
        },
      ]
    return [
      { schema: null, name: first, replaced: 1 },
      ...(parts.length > 2 ? [{ schema: first, name: second, replaced: 2 }] : []),
    ]
  }

  const qualified = (parts: readonly string[], layers: readonly NameLayer[]): NameMeaning => {
    const readings = qualifiers(parts).flatMap(({ schema, name, replaced }) =>
      sourcesNamed(name, schema, layers, parts[replaced] ?? null).map(source => ({ source, replaced })),
    )
    const [only, second] = readings
    if (only === undefined) {
      if (!scope.hasStructFields) return { kind: 'doubt' }
      // A field of a column that holds a struct.
      const column = bare(parts[0] ?? '', layers)
      return column.kind === 'edit' && column.edit.replaced > 0 ? { kind: 'doubt' } : column
    }
    if (second !== undefined) return { kind: 'doubt' }
    const { source, replaced } = only
    if (source.renamed === null) return { kind: 'keep', isAlias: false }
    const column = written(source, parts[replaced] ?? '')
    return { kind: 'edit', edit: { replaced, qualifier: source.renamed, column } }
  }

  return {
    columnMeaning: (parts, layers) =>
      parts.length === 1 ? bare(parts[0] ?? '', layers) : qualified(parts, layers),
    starMeaning: (qualifier, layers) => {
      const [only, second] = sourcesNamed(qualifier, null, layers)
      if (only === undefined || second !== undefined) return { kind: 'doubt' }
      return only.renamed === null
        ? { kind: 'keep', isAlias: false }
        : { kind: 'edit', edit: { replaced: 1, qualifier: only.renamed, column: null } }
    },
  }
}
