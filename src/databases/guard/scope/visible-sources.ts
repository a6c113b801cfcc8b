import type { Access } from './scoped-tables.ts'

/** Something in a FROM clause, and what may be read of it. */
export interface Source {
  /** The name under which the statement knows it. */
  readonly known: string | null
  /** What to call it in a refusal. */
  readonly title: string
  readonly columns: ReadonlyMap<string, Access>
  /** True where it may have columns that only the server knows. */
  readonly isOpen: boolean
  /** True for a table of the database. */
  readonly isTable: boolean
}

/**
 * The sources of one SELECT. `isSure` is false where the server may not look here at all: then what stands further
 * out counts as well. `aliases` are names of results, which some clauses may name.
 */
export interface ScopeLayer {
  readonly sources: readonly Source[]
  readonly isSure: boolean
  readonly aliases: ReadonlySet<string>
}

/** What a name means. `source` is whose column it is, where that is known. */
export type NameMeaning =
  | { readonly kind: 'column'; readonly access: Access; readonly source: Source | null }
  | { readonly kind: 'row'; readonly source: Source }
  | { readonly kind: 'unknown' }

/** Every server has columns that nobody declared; they tell of rows what no list of columns says. */
export const systemColumns: ReadonlySet<string> = new Set(
  'rowid _rowid_ oid ctid xmin xmax cmin cmax tableoid filename file_row_number'.split(' '),
)

/** True when a source has columns that may not be read like any other. */
export const isRestricted = (source: Source): boolean =>
  [...source.columns.values()].some(access => access !== 'open')

/**
 * What a bare name means, from the innermost SELECT outwards. In doubt it is the most secret thing that it can be:
 * where two sources have the name, where a server might look further out, where an alias might be meant instead.
 */
export const resolveBareName = (name: string, layers: readonly ScopeLayer[]): NameMeaning => {
  let found: NameMeaning = { kind: 'unknown' }
  for (const { sources, isSure, aliases } of layers) {
    const having = sources.filter(source => source.columns.has(name))
    const secret =
      having.find(source => source.columns.get(name) === 'hidden') ??
      having.find(source => source.columns.get(name) === 'masked')
    if (secret !== undefined)
      return { kind: 'column', access: secret.columns.get(name) ?? 'hidden', source: secret }
    const [own] = having
    if (own !== undefined && isSure && found.kind === 'unknown')
      return { kind: 'column', access: 'open', source: own }
    if (own !== undefined && isSure) return found
    const row = sources.find(source => source.known === name)
    if (row !== undefined && isRestricted(row)) return { kind: 'row', source: row }
    if (found.kind !== 'unknown') continue
    if (own !== undefined) found = { kind: 'column', access: 'open', source: own }
    else if (row !== undefined && !aliases.has(name)) found = { kind: 'row', source: row }
    else if (aliases.has(name) || sources.some(source => source.isOpen))
      found = systemColumns.has(name) ? found : { kind: 'column', access: 'open', source: null }
  }
  return found
}

/** What `qualifier.name` means; `unknown` also where the qualifier is known and has no such column. */
export const resolveQualifiedName = (
  qualifier: string,
  name: string,
  layers: readonly ScopeLayer[],
): NameMeaning => {
  let found: NameMeaning = { kind: 'unknown' }
  for (const { sources, isSure } of layers) {
    const meant = sources.filter(source => source.known === qualifier)
    for (const access of ['hidden', 'masked'] as const) {
      const secret = meant.find(source => source.columns.get(name) === access)
      if (secret !== undefined) return { kind: 'column', access, source: secret }
    }
    const own = meant.find(source => source.columns.has(name))
    const open = systemColumns.has(name) ? undefined : meant.find(source => source.isOpen)
    if (found.kind === 'unknown' && (own ?? open) !== undefined)
      found = { kind: 'column', access: 'open', source: own ?? null }
    if (isSure && meant.length > 0) return found
  }
  return found
}

/** The sources that `qualifier.*` means, the nearest ones. */
export const sourcesNamed = (qualifier: string, layers: readonly ScopeLayer[]): readonly Source[] =>
  layers.flatMap(({ sources }) => sources.filter(source => source.known === qualifier))

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

type Ctes = ReadonlyMap<string, QueryOutput>

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

/** How a refusal says what a scope keeps. One place, because people and models read these. */
export const scopeMessages = {
  table: (name: string): string => `it reads ${name}, which may not be asked about`,
  unknownTable: (name: string, nearest: string | null): string =>
    `it reads ${name}, which is no table here${nearest === null ? '' : `; the nearest is ${nearest}`}`,
  view: (name: string, reason: string | null): string =>
    reason === null
      ? `it reads the view ${name}, of which nobody can tell what it reads: it has to be named under tables.include`
      : `it reads the view ${name}, and ${reason}`,
  column: (title: string, name: string): string => `it reads ${title}.${name}, which may not be asked about`,
  masked: (title: string, name: string): string =>
    `it uses the values of ${title}.${name}, which are masked: it may only be counted, checked for NULL, or joined on with = to a column of another table`,
  unknownColumn: (name: string): string => `it names ${name}, which is no column of the tables it reads`,
  systemColumn: (name: string): string => `it names ${name}, a column of the server's own`,
  star: (source: Source): string =>
    `it reads all columns of ${source.title} (*), ${restrictedColumns(source)}`,
  row: (source: Source): string => `it takes whole rows of ${source.title}, ${restrictedColumns(source)}`,
  natural: (source: Source): string =>
    `it joins ${source.title} by whatever columns have the same name (NATURAL), of which some may not be asked about: name them with USING`,
  renamed: (title: string): string =>
    `it gives the columns of ${title} other names in their order, of which some may not be asked about: rename them in the SELECT list`,
  reshaped: (source: Source): string =>
    `it turns ${source.title} around (PIVOT or UNPIVOT), ${restrictedColumns(source)}`,
  pattern: (what: string): string =>
    `it names columns by ${what}, which could be any of them: name the ones it needs`,
  unclear: (name: string): string => `it names ${name} in a place that could not be understood`,
}

const maxNamed = 12

const restrictedColumns = ({ columns }: Source): string => {
  const open = [...columns].filter(([, access]) => access === 'open').map(([name]) => name)
  const more = open.length > maxNamed ? ` and ${open.length - maxNamed} more` : ''
  return `of which some may not be asked about: name the ones it needs (${open.slice(0, maxNamed).join(', ')}${more})`
}
