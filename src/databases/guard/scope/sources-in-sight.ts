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
