import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import type { ColumnEdit, NameEdits, TableEdit } from '../../../sql/rewrite/names/name-edits.ts'
import { childrenOf } from '../../../sql/tree/children.ts'
import {
  type ColumnName,
  type CommonTable,
  type Expression,
  type FromSource,
  isUnclearQuery,
  type JoinedSource,
  type QueryTree,
  type SelectTree,
  schemaWithCatalog,
} from '../../../sql/tree/query-tree.ts'
import { clausesOf } from '../scope/placed-names.ts'
import { scopeMessages } from '../scope/visible-sources.ts'
import {
  makeNameMeaning,
  NameDoubt,
  type NamedSource,
  type NameLayer,
  refuse,
  unclear,
} from './name-layers.ts'

import {
  type Columns,
  columnOf,
  mergedColumns,
  namesGivenIn,
  outputColumns,
  partsOf,
  renameColumns,
} from './query-columns.ts'

/** A table as the statement may read it: SQL that stands for it, and the columns that this has. */
export interface StandIn {
  /** A full name, or a query in brackets. */
  readonly sql: string
  /** The full name; null if some rows or values may not be seen. */
  readonly name: string | null
  readonly columns: readonly string[]
}

/** The tables that a name can mean; `null` for one that may not be read at all. */
export type FindStandIns = (schema: string | null, name: string) => readonly (StandIn | null)[]

/** A statement whose names all mean one thing, and how each is written; or why not, in words. */
export type ResolvedNames =
  | { readonly ok: true; readonly edits: NameEdits; readonly left: readonly LeftName[] }
  /** `isClash`: a query of WITH has the name of something else, which says nothing of any column. */
  | { readonly ok: false; readonly reason: string; readonly isClash: boolean }

/** A name that is left to the server. `isAlias`: it is the name of a result, of a parameter, or of a value in WITH. */
export interface LeftName {
  readonly column: ColumnName
  readonly isAlias: boolean
}

/**
 * Decides what every name of a query means, and how it is written so that it can mean nothing else: tables become what
 * stands for them, queries of WITH and aliases get new names, columns are qualified by these. `left` are names that the
 * server looks up, which can find them in our own sources only.
 *
 * @example
 * SELECT d.amount FROM deals d
 * SELECT q1.amount FROM (SELECT "id", "amount" FROM "shop"."deals" WHERE (...)) AS q1
 */
export const resolveNames = (
  query: QueryTree,
  dialect: Dialect,
  { find, nextName }: { readonly find: FindStandIns; readonly nextName: () => string },
): ResolvedNames => {
  const walk = makeWalk(dialect, find, nextName)
  try {
    walk.query(query, { ctes: new Map(), pending: new Set(), layers: [] }, null)
    return { ok: true, edits: walk.edits, left: walk.left }
  } catch (error) {
    if (error instanceof NameDoubt) return { ok: false, reason: error.message, isClash: error.isClash }
    throw error
  }
}

/** A query of WITH with its new name. */
interface NamedQuery extends Columns {
  readonly renamed: string
}

/** What can be seen from a place. */
interface Sight {
  readonly ctes: ReadonlyMap<string, NamedQuery>
  /** Queries of WITH whose names may still mean a table here. */
  readonly pending: ReadonlySet<string>
  readonly layers: readonly NameLayer[]
}

const makeWalk = (dialect: Dialect, find: FindStandIns, nextName: () => string) => {
  const { same, hasCatalogs } = databaseDialect(dialect).names
  const { inReadsTables, withIsRecursive, recursionIsSure, withSeesOuter, functionColumns, specialJoins } =
    databaseDialect(dialect).scope
  const { columnMeaning, starMeaning } = makeNameMeaning(dialect)
  const tables = new Map<FromSource, TableEdit>()
  const aliases = new Map<FromSource, string>()
  const queries = new Map<CommonTable, string>()
  const columns = new Map<Expression, ColumnEdit>()
  const stars = new Map<Expression, string>()
  const listed = new Map<Expression, string>()
  const left: LeftName[] = []

  const visitQuery = (whole: QueryTree, sight: Sight, own: string | null): Columns => {
    if (isUnclearQuery(whole)) return unclear()
    // A WITH in front of brackets is around everything in them.
    const around = whole.brackets
      .toReversed()
      .reduce<Sight>((outer, frame) => withQueries(frame, outer), sight)
    const inside = withQueries(whole, around)
    const result = visitBody(whole, inside, own)
    const results: NameLayer = { sources: [], isSure: false, aliases: result.names, merged: [] }
    const clauses = [
      ...(whole.kind === 'select' && whole.rows === null ? [] : clausesOf(whole)),
      ...whole.brackets.flatMap(clausesOf),
    ]
    for (const part of clauses) visit(part, { ...inside, layers: [results, ...inside.layers] })
    return result
  }

  const withQueries = ({ ctes, recursive }: Pick<QueryTree, 'ctes' | 'recursive'>, sight: Sight): Sight => {
    if (ctes.length === 0) return sight
    const recurses = recursive || withIsRecursive
    const named = ctes.filter(({ isValue }) => !isValue)
    const names = new Map(named.map(cte => [cte, nextName()]))
    const seen = new Map(sight.ctes)
    let layers = sight.layers
    for (const [index, cte] of ctes.entries()) {
      const { name, renamed, query, isValue } = cte
      if (isValue) {
        visitQuery(query, { ...sight, ctes: new Map(seen), layers }, null)
        layers = [{ sources: [], isSure: false, aliases: [name], merged: [] }, ...layers]
        continue
      }
      const inside = new Map(seen)
      const pending = new Set(withSeesOuter ? sight.pending : [...sight.pending, ...sight.ctes.keys()])
      for (const later of recurses ? named.slice(named.indexOf(cte)) : []) {
        replaceSame(inside, later.name, {
          names: later.renamed,
          isOpen: true,
          renamed: names.get(later) ?? unclear(),
        })
        if (!recursionIsSure) pending.add(later.name)
      }
      for (const earlier of ctes.slice(0, index)) pending.delete(earlier.name)
      const output = renameColumns(
        visitQuery(query, { ctes: inside, pending, layers }, recurses ? name : null),
        renamed,
      )
      const called = names.get(cte) ?? unclear()
      queries.set(cte, called)
      replaceSame(seen, name, { ...output, renamed: called })
    }
    const settled = new Set(sight.pending)
    for (const { name } of named) settled.delete(name)
    return { ctes: seen, pending: settled, layers }
  }

  /** A query of WITH hides one further out that has the same name for certain. */
  const replaceSame = (seen: Map<string, NamedQuery>, name: string, query: NamedQuery): void => {
    for (const outer of seen.keys()) if (same(outer, name, 'query') === 'yes') seen.delete(outer)
    seen.set(name, query)
  }

  const visitBody = (query: QueryTree, sight: Sight, own: string | null): Columns => {
    if (query.kind === 'set') {
      const first = visitQuery(query.left, sight, null)
      const pending = new Set(sight.pending)
      if (own !== null && query.operator === 'union') pending.delete(own)
      visitQuery(query.right, { ...sight, pending }, null)
      return first
    }
    if (query.rows === null) return visitSelect(query, sight)
    for (const row of query.rows) visit(row, sight)
    return { names: [], isOpen: true }
  }

  const visitSelect = (select: SelectTree, sight: Sight): Columns => {
    const sources: NamedSource[] = []
    visitFrom(select.from, sources, sight)
    const merged = select.from.some(({ natural }) => natural) ? ('all' as const) : mergedColumns(select.from)
    const named = select.outputs.flatMap(({ alias, expression }) => [
      ...(alias === null ? [] : [alias]),
      ...namesGivenIn(expression),
    ])
    const layer: NameLayer = { sources, isSure: true, aliases: named, merged }
    const here: Sight = { ...sight, layers: [layer, ...sight.layers] }
    const parts = [
      ...select.outputs.map(({ expression }) => expression),
      select.where,
      ...select.groupBy,
      select.having,
      select.qualify,
      ...clausesOf(select),
    ]
    for (const part of parts) if (part !== null) visit(part, here)
    return outputColumns(select, sources, same)
  }

  const visitFrom = (from: readonly JoinedSource[], sources: NamedSource[], sight: Sight): void => {
    for (const joined of from) {
      const { source, on, special, usingAlias } = joined
      if (usingAlias !== null || (special !== undefined && !specialJoins.has(special))) unclear()
      visitSource(source, sources, sight)
      if (on !== null)
        visit(on, { ...sight, layers: [layerBeside(sources, mergedColumns(from), true), ...sight.layers] })
    }
  }

  const beside = (sources: readonly NamedSource[], sight: Sight): Sight =>
    sources.length === 0 ? sight : { ...sight, layers: [layerBeside(sources, [], false), ...sight.layers] }

  const visitSource = (source: FromSource, sources: NamedSource[], sight: Sight): void => {
    const { alias, renamed } = source
    switch (source.kind) {
      case 'table':
        sources.push(tableSource(source, sight, true))
        return
      case 'derived': {
        const output = renameColumns(visitQuery(source.query, beside(sources, sight), null), renamed)
        sources.push({
          ...derived(alias === null ? null : rename(source)),
          known: alias,
          columns: output.names,
          isOpen: output.isOpen,
        })
        return
      }
      case 'function': {
        for (const part of source.parts) visit(part, beside(sources, sight))
        const called = source.called ?? source.name
        const own = functionColumns(called) ?? []
        // It keeps its name, which may be that of its column as well.
        sources.push({
          ...derived(null),
          known: alias ?? source.called,
          columns: [...renamed, ...own.slice(renamed.length)],
        })
        return
      }
      case 'joined': {
        if (source.sources.some(({ comma }) => comma)) unclear()
        const inner: NamedSource[] = alias === null && renamed.length === 0 ? sources : []
        visitFrom(source.sources, inner, sight)
        if (inner === sources) return
        sources.push({ ...derived(alias === null ? null : rename(source)), known: alias, columns: renamed })
        return
      }
      case 'reshaped': {
        const inner: NamedSource[] = []
        if (source.source.kind === 'table') inner.push(tableSource(source.source, sight, false))
        else visitSource(source.source, inner, sight)
        const layer = layerBeside(inner, 'all', true)
        for (const part of source.parts) visit(part, { ...sight, layers: [layer, ...sight.layers] })
        sources.push({ ...derived(null), known: alias ?? inner[0]?.known ?? null })
        return
      }
      case 'sampled': {
        const from = sources.length
        if (source.source.kind === 'table') sources.push(tableSource(source.source, sight, true, true))
        else visitSource(source.source, sources, sight)
        for (const part of source.parts) visit(part, beside(sources.slice(0, from), sight))
        return
      }
      case 'unclear':
        unclear()
        return
      default: {
        const never: never = source
        throw new Error(`a source of no kind: ${String(never)}`)
      }
    }
  }

  const rename = (source: FromSource): string => {
    const name = nextName()
    aliases.set(source, name)
    return name
  }

  const tableSource = (
    source: Extract<FromSource, { kind: 'table' }>,
    sight: Sight,
    isRenamed: boolean,
    isSampled = false,
  ): NamedSource => {
    const { catalog, name, alias, renamed } = source
    if (catalog !== null && !hasCatalogs) unclear()
    const schema = schemaWithCatalog(source)
    const common = schema === null ? queryNamed(name, sight) : null
    const standIn = common ?? onlyTable(schema, name)
    const called = alias !== null || isRenamed ? nextName() : null
    const sql = isSampled ? sampledName(standIn) : 'sql' in standIn ? standIn.sql : standIn.renamed
    tables.set(source, { sql, alias: called })
    const named = 'sql' in standIn ? { names: standIn.columns, isOpen: false } : standIn
    const { names, isOpen } = renameColumns(named, renamed)
    return {
      renamed: called,
      known: alias ?? name,
      schema: alias === null ? (source.schema ?? null) : null,
      columns: names,
      isOpen,
      isTable: 'sql' in standIn && renamed.length === 0,
    }
  }

  /** Only a table can be sampled, not a query for what may be seen of it. */
  const sampledName = (standIn: StandIn | NamedQuery): string =>
    ('sql' in standIn ? standIn.name : standIn.renamed) ??
    refuse('it reads a sample of a table of which it may not see every row and value')

  /** The query of WITH that a name means; null if it means a table. In doubt the statement is refused. */
  const queryNamed = (name: string, { ctes, pending }: Sight): NamedQuery | null => {
    const meant = [...ctes].filter(([cte]) => same(cte, name, 'query') !== 'no')
    const [only, second] = meant
    if (only === undefined) return null
    const [cte, query] = only
    const isSure = same(cte, name, 'query') === 'yes' && !pending.has(cte)
    const tables = find(null, name)
    if (second === undefined && (isSure || tables.length === 0)) return query
    // A table that may not be read is called like one that is not there.
    if (tables.length > 0 && tables.every(table => table === null))
      return refuse(scopeMessages.table(name, null))
    return refuse(`its query ${cte} in WITH has the name of something else: give it another name`, true)
  }

  const onlyTable = (schema: string | null, name: string): StandIn => {
    const [only, second] = find(schema, name)
    if (second !== undefined) return refuse(`it reads ${name}, and there are several tables of this name`)
    return only ?? refuse(scopeMessages.table(name, null))
  }

  const visit = (expression: Expression, sight: Sight): void => {
    const parts = partsOf(expression)
    if (parts !== null) {
      visitName(expression, parts, sight)
      return
    }
    switch (expression.kind) {
      case 'star':
        visitStar(expression, sight)
        break
      case 'exists':
      case 'subquery':
        visitQuery(expression.query, sight, null)
        break
      case 'in':
        if (visitIn(expression, sight)) return
        break
      case 'lambda': {
        const names: NameLayer = { sources: [], isSure: false, aliases: expression.names, merged: [] }
        for (const part of expression.parts) visit(part, { ...sight, layers: [names, ...sight.layers] })
        return
      }
      case 'unclear':
        unclear()
    }
    for (const child of childrenOf(expression)) visit(child, sight)
  }

  const visitName = (expression: Expression, parts: readonly string[], { layers }: Sight): void => {
    const meaning = columnMeaning(parts, layers)
    const column = columnOf(expression)
    if (meaning.kind === 'doubt') refuse(doubtOf(parts))
    else if (meaning.kind === 'edit') columns.set(expression, meaning.edit)
    else if (column !== null) left.push({ column, isAlias: meaning.isAlias })
  }

  const visitStar = (star: Extract<Expression, { kind: 'star' }>, { layers }: Sight): void => {
    if (star.qualifier === null) return
    // With a schema in front, polyglot keeps the names together.
    const parts = star.qualifier.split('.')
    const meaning = starMeaning(parts.at(-1) ?? '', layers)
    if (meaning.kind === 'doubt') refuse(doubtOf([...parts, '*']))
    else if (meaning.kind === 'edit') stars.set(star, meaning.edit.qualifier)
  }

  const visitIn = (expression: Extract<Expression, { kind: 'in' }>, sight: Sight): boolean => {
    const { operand, among, bare, details } = expression
    if ('kind' in among) {
      visitQuery(among, sight, null)
      return false
    }
    const [table] = among
    if (!bare || !inReadsTables || table?.kind !== 'column') return false
    const common = table.qualifier === null ? queryNamed(table.name, sight) : null
    const { sql } = common === null ? onlyTable(table.qualifier, table.name) : { sql: common.renamed }
    listed.set(table, `(SELECT * FROM ${sql}${sql.startsWith('(') ? ' AS q0' : ''})`)
    for (const part of [operand, ...details]) visit(part, sight)
    return true
  }

  return {
    query: visitQuery,
    edits: { tables, aliases, queries, columns, stars, listed } satisfies NameEdits,
    left,
  }
}

// The same words as for a column that is not there: nobody learns of one that is hidden.
const doubtOf = (parts: readonly string[]): string => scopeMessages.column(parts.join('.'))

const layerBeside = (
  sources: readonly NamedSource[],
  merged: NameLayer['merged'],
  isSure: boolean,
): NameLayer => ({ sources: [...sources], isSure, aliases: [], merged })

/** A query, join or function in FROM. */
const derived = (renamed: string | null): NamedSource => ({
  renamed,
  known: null,
  schema: null,
  columns: [],
  isOpen: true,
  isTable: false,
})
