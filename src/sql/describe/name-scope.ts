import type { Catalog, Column, Table } from '../../domain/catalog.ts'
import type { Expression, JoinedSource, QueryTree, SelectTree } from '../tree/query-tree.ts'

/** A source as it is known inside one SELECT: a table of the catalog, or a query. */
export interface NamedSource {
  readonly known: string
  /** Null for a query, and for a table that the catalog does not have. */
  readonly table: Table | null
  readonly query: QueryTree | null
  readonly names: NameScope | null
}

/** What can be named inside one SELECT. */
export interface NameScope {
  readonly catalog: Catalog
  readonly parent: NameScope | null
  readonly sources: readonly NamedSource[]
  readonly ctes: ReadonlyMap<string, { readonly query: QueryTree; readonly names: NameScope }>
  readonly select: SelectTree | null
  /** What the SELECT list names; empty inside of what is named so, where its name means something else. */
  readonly outputs: SelectTree['outputs']
}

/** What a column means: a column of the catalog, what a query calls by that name, a text, or something unknown. */
type ResolvedName =
  | { readonly kind: 'column'; readonly table: Table; readonly column: Column }
  | {
      readonly kind: 'expression'
      readonly expression: Expression
      readonly names: NameScope
      readonly label: string
    }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'unknown' }

/** What can be named outside of any SELECT. */
export const outermostScope = (catalog: Catalog): NameScope => ({
  catalog,
  parent: null,
  sources: [],
  ctes: new Map(),
  select: null,
  outputs: [],
})

/** The names inside a query's frame: those around it and its CTEs, of which each sees the ones before it. */
export const withCtes = (query: QueryTree, outer: NameScope): NameScope => {
  let names = outer
  for (const cte of query.ctes) {
    const seen: NameScope = { ...names, parent: null, sources: [], select: null, outputs: [] }
    names = { ...names, ctes: new Map([...names.ctes, [fold(cte.name), { query: cte.query, names: seen }]]) }
  }
  return names
}

/** The names inside a SELECT. */
export const innerScope = (select: SelectTree, outer: NameScope): NameScope => {
  const around = withCtes(select, outer)
  return {
    catalog: around.catalog,
    parent: outer.select === null ? null : outer,
    ctes: around.ctes,
    select,
    outputs: select.outputs,
    // What stands in FROM cannot see the rows around it, only the CTEs.
    sources: select.from.map(({ source }) =>
      namedSource(source, { ...around, parent: null, sources: [], select: null, outputs: [] }),
    ),
  }
}

const namedSource = (source: JoinedSource['source'], names: NameScope): NamedSource => {
  const name = 'name' in source ? source.name : ''
  const known = fold(source.alias ?? name)
  if (source.kind === 'derived') return { known, table: null, query: source.query, names }
  if (source.kind !== 'table') return { known, table: null, query: null, names: null }
  const cte = source.schema === null ? names.ctes.get(fold(source.name)) : undefined
  if (cte !== undefined) return { known, table: null, query: cte.query, names: cte.names }
  return { known, table: findTable(names.catalog, source.name), query: null, names: null }
}

/** A table by the last part of its name. */
export const findTable = (catalog: Catalog, name: string): Table | null =>
  catalog.tables.find(table => fold(table.name) === fold(name)) ??
  catalog.tables.find(table => fold(table.name).endsWith(`.${fold(name)}`)) ??
  null

/** The names inside the SELECT list, which cannot use the names that it gives. */
export const withoutOutputs = (names: NameScope): NameScope => ({ ...names, outputs: [] })

/** What a column means where it stands; `mayBeOutput` in ORDER BY, GROUP BY and HAVING. */
export const resolveName = (
  column: { readonly qualifier: string | null; readonly name: string; readonly mayBeText: boolean },
  names: NameScope,
  mayBeOutput = false,
): ResolvedName => {
  const found = findIn(column, names)
  if (found !== null) return found
  if (mayBeOutput && column.qualifier === null) {
    const output = names.outputs.find(({ alias }) => alias !== null && fold(alias) === fold(column.name))
    if (output !== undefined)
      return {
        kind: 'expression',
        expression: output.expression,
        names: withoutOutputs(names),
        label: column.name,
      }
  }
  if (names.parent !== null) return resolveName(column, names.parent)
  return column.mayBeText ? { kind: 'text', value: column.name } : { kind: 'unknown' }
}

const findIn = (
  { qualifier, name }: { readonly qualifier: string | null; readonly name: string },
  { sources }: NameScope,
): ResolvedName | null => {
  for (const source of sources) {
    if (qualifier !== null && source.known !== fold(qualifier)) continue
    const { table, query } = source
    const column = table?.columns.find(one => fold(one.name) === fold(name))
    if (table && column) return { kind: 'column', table, column }
    const output = query === null ? null : outputOf(query, name, source.names as NameScope)
    if (output !== null) return output
  }
  return null
}

/** What a query gives under a name; the first side of a set operation names its columns. */
const outputOf = (query: QueryTree, name: string, outer: NameScope): ResolvedName | null => {
  if (query.kind === 'set') return outputOf(query.left, name, withCtes(query, outer))
  const names = innerScope(query, outer)
  for (const { expression, alias } of query.outputs) {
    if (alias !== null && fold(alias) === fold(name)) {
      if (expression.kind === 'column') {
        const meaning = resolveName(expression, names)
        if (meaning.kind === 'column') return meaning
      }
      return { kind: 'expression', expression, names: withoutOutputs(names), label: alias }
    }
    if (alias === null && expression.kind === 'column' && fold(expression.name) === fold(name))
      return resolveName(expression, names)
    if (expression.kind === 'star') {
      const inside = findIn({ qualifier: expression.qualifier, name }, names)
      if (inside !== null) return inside
    }
  }
  return null
}

/** Names are compared without case: no dialect here keeps two that differ in nothing else. */
export const fold = (name: string): string => name.toLowerCase()
