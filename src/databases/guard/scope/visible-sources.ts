import type { Access, KnownColumn } from './scoped-tables.ts'

/** Something in a FROM clause, and what may be read of it. */
export interface Source {
  /** The name under which the statement knows it. */
  readonly known: string | null
  /** What to call it in a refusal. */
  readonly title: string
  readonly columns: readonly KnownColumn[]
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

/** The names of the columns that `*` means. */
export const starColumns = ({ columns }: Pick<Source, 'columns'>): readonly string[] =>
  columns.filter(({ unlisted }) => !unlisted).map(({ name }) => name)

/** True when a source has columns of which nobody may know. */
export const hidesColumns = ({ columns }: Source): boolean =>
  columns.some(({ access }) => access === 'hidden')

/** True when a source has columns that may not be read like any other. */
export const isRestricted = (source: Source): boolean =>
  source.columns.some(({ access }) => access !== 'open')

/**
 * A table as the statement may read it. One that the lists leave out is not found, like one that is not there. `nearest`
 * is an open table that was most likely meant.
 */
export type FoundTable =
  | { readonly ok: true; readonly title: string; readonly columns: readonly KnownColumn[] }
  | { readonly ok: false; readonly nearest: string | null }

/** Finds a table by its name and schema, as they are written. */
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
  columns: names.map(name => ({ name, access: 'open' })),
  isOpen,
  isTable: false,
})

/** `t(a, b)` names the first columns; which ones those were cannot be told where some have no name or stars stand. */
export const renameOutput = (result: QueryOutput, renamed: readonly string[]): QueryOutput =>
  renamed.length === 0 ? result : { names: renamed, isOpen: true }

/**
 * How a refusal says what a scope keeps. One place, because people and models read these. What is left out does not
 * exist for the person who asks, so it is called what a misspelled name is called.
 */
export const scopeMessages = {
  table: (name: string, nearest: string | null): string =>
    `it reads ${name}, which is no table here${nearest === null ? '' : `; the nearest is ${nearest}`}`,
  column: (name: string): string => `it names ${name}, which is no column of the tables it reads`,
  masked: (title: string, name: string): string =>
    `it uses the values of ${title}.${name}, which are masked: it may only be counted, checked for NULL, or joined on with = to a column of another table`,
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
  replaced: (name: string): string =>
    `nobody can tell what it reads, because a function of this database's own replaces ${name}`,
  search: (title: string): string =>
    `it searches ${title} (MATCH), and a search looks into all its columns, of which some may not be asked about`,
  unclear: (name: string): string => `it names ${name} in a place that could not be understood`,
  type: (name: string): string => `it casts to ${name}, which is no type that may be used here`,
  labels: (name: string): string =>
    `it calls ${name}, which can tell the labels of a type, and these may be values that may not be asked about`,
  call: (name: string): string => `it calls ${name}, which is not on the list of allowed functions`,
  ownOperator: (symbol: string): string =>
    `it uses the operator ${symbol}, which may call a function of this database's own`,
  ownCast: (type: string): string => `it may cast to ${type}, which calls a function of this database's own`,
  ownOrder: (type: string): string =>
    `it reads values of the type ${type}, which a function of this database's own sorts or compares`,
  partition: (title: string): string =>
    `it reads ${title} by its partitions or indexes, which may follow columns that may not be asked about`,
}

const maxNamed = 12

const restrictedColumns = ({ columns }: Source): string => {
  const open = starColumns({ columns: columns.filter(({ access }) => access === 'open') })
  const more = open.length > maxNamed ? ` and ${open.length - maxNamed} more` : ''
  return `of which some may not be asked about: name the ones it needs (${open.slice(0, maxNamed).join(', ')}${more})`
}
