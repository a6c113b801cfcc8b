import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import {
  type Expression,
  type FromSource,
  type JoinedSource,
  type QueryTree,
  schemaWithCatalog,
} from '../../../sql/tree/query-tree.ts'
import type { NameLookup } from './name-lookup.ts'
import type { KnownColumn } from './scoped-tables.ts'
import {
  derivedSource,
  type FindTable,
  isRestricted,
  type NameMeaning,
  type QueryOutput,
  renameOutput,
  type Source,
  scopeMessages,
  starColumns,
  systemColumns,
  type Visibility,
} from './visible-sources.ts'

/** What looking at a FROM clause needs of the rest of the checker. */
interface SourceChecks {
  readonly lookup: NameLookup
  readonly findTable: FindTable
  readonly report: (reason: string) => void
  readonly check: (part: Expression, sight: Visibility) => void
  readonly checkCondition: (part: Expression, sight: Visibility) => void
  readonly checkQuery: (query: QueryTree, sight: Visibility) => QueryOutput
}

/** What brackets around a source call it and its columns. */
type Called = Pick<FromSource, 'alias' | 'renamed'>

const uncalled: Called = { alias: null, renamed: [] }

/**
 * Makes the part of the checker that reads FROM: what each of its items is called, and which columns it has. Throws at
 * whatever its reader marked as unclear.
 */
export const makeAddSources = (
  dialect: Dialect,
  { lookup, findTable, report, check, checkCondition, checkQuery }: SourceChecks,
): ((from: readonly JoinedSource[], sources: Source[], sight: Visibility) => void) => {
  const { specialJoins, functionColumns } = databaseDialect(dialect).scope
  const { hasCatalogs } = databaseDialect(dialect).names

  /** What may see its neighbours in FROM, and may not: a subquery, which could be LATERAL, or the ON of a join. */
  const beside = (sources: readonly Source[], sight: Visibility): Visibility => ({
    ...sight,
    layers: [{ sources: [...sources], isSure: false, aliases: new Set() }, ...sight.layers],
  })

  /** Joins hold what stands before them; a comma begins again. */
  const addSources = (from: readonly JoinedSource[], sources: Source[], sight: Visibility): void => {
    let first = sources.length
    for (const [index, joined] of from.entries()) {
      requireKnownJoin(joined)
      const middle = sources.length
      const isJoin = index > 0 && !joined.comma
      if (!isJoin) first = middle
      addSource(joined.source, sources, sight)
      if (isJoin) checkJoin(joined, { first, middle }, sources, sight)
    }
  }

  const requireKnownJoin = ({ usingAlias, special }: JoinedSource): void => {
    if (usingAlias !== null) throw new Error('an alias of USING')
    if (special !== undefined && !specialJoins.has(special)) throw new Error(`a join called ${special}`)
  }

  const checkJoin = (
    { natural, using, on, special }: JoinedSource,
    { first, middle }: { readonly first: number; readonly middle: number },
    sources: Source[],
    sight: Visibility,
  ): void => {
    const [left, right] = [sources.slice(first, middle), sources.slice(middle)]
    if (natural) {
      const secret = [...left, ...right].find(isRestricted)
      if (secret !== undefined) report(scopeMessages.natural(secret))
    }
    // ASOF compares one of its columns by order instead of by `=`.
    for (const name of using) checkUsing(name, left, right, special?.startsWith('asof') === true)
    if (on !== null) checkCondition(on, beside(sources, sight))
    // Only the condition of SEMI and ANTI sees the right side.
    if (special === 'semi' || special === 'anti') sources.splice(middle)
  }

  const addSource = (source: FromSource, sources: Source[], sight: Visibility, outer = uncalled): void => {
    const alias = outer.alias ?? source.alias
    const renamed = outer.renamed.length > 0 ? outer.renamed : source.renamed
    switch (source.kind) {
      case 'table':
        if (source.catalog !== null && !hasCatalogs) throw new Error('a table of another database')
        sources.push(tableSource({ ...source, schema: schemaWithCatalog(source), alias, renamed }, sight))
        return
      case 'derived': {
        const output = checkQuery(source.query, beside(sources, sight))
        sources.push(derivedSource(alias, renameOutput(output, renamed)))
        return
      }
      case 'function': {
        for (const part of source.parts) check(part, beside(sources, sight))
        const columns = functionColumns(source.called ?? source.name) ?? []
        const names = outer.renamed.length > 0 ? renamed : [...renamed, ...columns.slice(renamed.length)]
        sources.push(derivedSource(alias ?? source.called, { names, isOpen: true }))
        return
      }
      case 'reshaped': {
        const inner: Source[] = []
        addSource(source.source, inner, sight)
        for (const one of inner) if (isRestricted(one)) report(scopeMessages.reshaped(one))
        for (const part of source.parts) check(part, beside(inner, sight))
        sources.push(derivedSource(alias ?? inner[0]?.known ?? null, { names: [], isOpen: true }))
        return
      }
      case 'joined': {
        const [only, ...others] = source.sources
        if (only === undefined || others.some(({ comma }) => comma)) throw new Error('a join of nothing')
        if (others.length === 0) {
          requireKnownJoin(only)
          addSource(only.source, sources, sight, { alias, renamed })
          return
        }
        const first = sources.length
        addSources(source.sources, sources, sight)
        hideSides(first, sources, { alias, renamed })
        return
      }
      // The sample's size stands beside its table and may name nothing.
      case 'sampled': {
        const first = sources.length
        addSource(source.source, sources, sight)
        for (const part of source.parts) check(part, beside(sources, sight))
        sources.push(derivedSource(null, { names: [], isOpen: true }))
        hideSides(first, sources, { alias, renamed })
        return
      }
      case 'unclear':
        throw new Error(`a source of the kind ${source.name}`)
      default: {
        const never: never = source
        throw new Error(`a source of no kind: ${String(never)}`)
      }
    }
  }

  /** The name of a join hides those of its sides. */
  const hideSides = (first: number, sources: Source[], { alias, renamed }: Called): void => {
    if (alias === null && renamed.length === 0) return
    const sides = sources.splice(first)
    const title = sides.map(side => side.title).join(' and ')
    const isSecret = sides.some(isRestricted)
    if (renamed.length > 0 && isSecret) report(scopeMessages.renamed(title))
    // Without hidden columns all are open, whatever they are called.
    const columns: readonly KnownColumn[] = [
      ...(isSecret ? sides.flatMap(side => side.columns) : []),
      ...renamed.map(name => ({ name, access: 'open' as const })),
    ]
    sources.push({ known: alias, title, columns, isOpen: true, isTable: false })
  }

  const checkUsing = (
    name: string,
    left: readonly Source[],
    right: readonly Source[],
    comparesOrder: boolean,
  ): void => {
    const having = (access: KnownColumn['access']): Source | undefined =>
      [...left, ...right].find(source =>
        lookup.columnsNamed(source, name).some(column => column.access === access),
      )
    const masked = having('masked')
    const joinsTables = [left, right].every(side => {
      const meant = side.filter(source => source.isOpen || lookup.columnsNamed(source, name).length > 0)
      return meant.length === 1 && meant.every(source => source.isTable)
    })
    const isOnBothSides = [left, right].every(side =>
      side.some(source => source.isOpen || lookup.columnsNamed(source, name).length > 0),
    )
    if (having('hidden') !== undefined || !isOnBothSides) report(scopeMessages.column(name))
    else if (masked !== undefined && (comparesOrder || !joinsTables))
      report(scopeMessages.masked(masked.title, name))
  }

  const tableSource = (item: Extract<FromSource, { kind: 'table' }>, sight: Visibility): Source => {
    const { schema, name, alias, renamed } = item
    const known = alias ?? name
    const queries = schema === null ? queriesNamed(name, sight) : []
    const [only, ...others] = queries
    if (only?.isSure === true && others.length === 0)
      return derivedSource(known, renameOutput(only.output, renamed))
    const full = schema === null ? name : `${schema}.${name}`
    const found = findTable(schema, name)
    if (!found.ok) {
      report(scopeMessages.table(full, found.nearest))
      return derivedSource(known, { names: [], isOpen: true })
    }
    // A query of WITH or the table, whichever the server takes: both are open, but which columns there are is not known.
    if (only !== undefined) {
      const source = derivedSource(known, { names: renamed, isOpen: true })
      const hidden = found.columns.filter(({ access }) => access !== 'open')
      return { ...source, title: found.title, columns: [...hidden, ...source.columns] }
    }
    const source: Source = {
      known,
      title: found.title,
      columns: found.columns,
      isOpen: false,
      isTable: true,
    }
    if (renamed.length === 0) return source
    if (isRestricted(source)) report(scopeMessages.renamed(found.title))
    return derivedSource(known, renameOutput({ names: starColumns(source), isOpen: false }, renamed))
  }

  /** The queries of WITH that a name can mean. One that is only being written need not be visible to itself yet. */
  const queriesNamed = (
    name: string,
    { ctes, pending }: Visibility,
  ): readonly { readonly output: QueryOutput; readonly isSure: boolean }[] =>
    [...ctes].flatMap(([cte, output]) => {
      const same = lookup.same(cte, name, 'query')
      return same === 'no' ? [] : [{ output, isSure: same === 'yes' && !pending.has(cte) }]
    })

  return addSources
}

/** Makes the part of the checker that knows what a name of one or more parts means, and whether it may be read. */
export const makeCheckName = (
  dialect: Dialect,
  lookup: NameLookup,
  report: (reason: string) => void,
): {
  readonly meaningOf: (parts: readonly string[], sight: Pick<Visibility, 'layers'>) => NameMeaning
  /** `mayBeText`: in double quotes, which SQLite takes for a text where there is no such column. */
  readonly checkName: (
    parts: readonly string[],
    mayBeText: boolean,
    sight: Pick<Visibility, 'layers'>,
  ) => void
} => {
  const { scope } = databaseDialect(dialect)
  const meaningOf = (parts: readonly string[], { layers }: Pick<Visibility, 'layers'>): NameMeaning => {
    const [first = '', second, ...more] = parts
    if (second === undefined) return lookup.bare(first, layers)
    // In DuckDB all but the first name or two may be fields of a struct; elsewhere the last two are table and column.
    const readings = scope.hasStructFields
      ? [
          lookup.qualified(first, second, layers, more.length > 0),
          ...(more[0] === undefined ? [] : [lookup.qualified(second, more[0], layers, true)]),
          ...(lookup.sourcesNamed(first, layers).length > 0 ? [] : [lookup.bare(first, layers)]),
        ]
      : [lookup.qualified(parts.at(-2) ?? '', parts.at(-1) ?? '', layers, parts.length > 2)]
    return (
      readings.find(meaning => meaning.kind === 'column' && meaning.access === 'hidden') ??
      readings.find(meaning => meaning.kind === 'column' && meaning.access === 'masked') ??
      readings.find(meaning => meaning.kind !== 'unknown') ?? { kind: 'unknown' }
    )
  }

  const checkName = (
    parts: readonly string[],
    mayBeText: boolean,
    sight: Pick<Visibility, 'layers'>,
  ): void => {
    const meaning = meaningOf(parts, sight)
    const name = parts.at(-1) ?? ''
    const unknown = (): void => report(scopeMessages.column(parts.join('.')))
    if (meaning.kind === 'unknown') {
      if (systemColumns.has(name.toLowerCase())) report(scopeMessages.systemColumn(name))
      else if (!mayBeText) unknown()
    } else if (meaning.kind === 'row') {
      if (!scope.hasWholeRows) {
        if (!mayBeText) unknown()
      } else if (isRestricted(meaning.source)) report(scopeMessages.row(meaning.source))
    } else if (meaning.access === 'hidden') unknown()
    else if (meaning.access === 'masked') report(scopeMessages.masked(meaning.source?.title ?? '', name))
  }

  return { meaningOf, checkName }
}
