import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import type { NameLookup } from './name-lookup.ts'
import type { ExpressionShape, QueryShape, SourceShape } from './query-shape.ts'
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
  readonly check: (part: ExpressionShape, sight: Visibility) => void
  readonly checkCondition: (part: ExpressionShape, sight: Visibility) => void
  readonly checkQuery: (query: QueryShape, sight: Visibility) => QueryOutput
}

/** Makes the part of the checker that reads FROM: what each of its items is called, and which columns it has. */
export const makeAddSource = ({
  lookup,
  findTable,
  report,
  check,
  checkCondition,
  checkQuery,
}: SourceChecks): ((item: SourceShape, sources: Source[], sight: Visibility) => void) => {
  /** What may see its neighbours in FROM, and may not: a subquery, which could be LATERAL, or the ON of a join. */
  const beside = (sources: readonly Source[], sight: Visibility): Visibility => ({
    ...sight,
    layers: [{ sources: [...sources], isSure: false, aliases: new Set() }, ...sight.layers],
  })

  const addSource = (item: SourceShape, sources: Source[], sight: Visibility): void => {
    switch (item.kind) {
      case 'table':
        sources.push(tableSource(item, sight))
        return
      case 'query':
        sources.push(
          derivedSource(
            item.alias,
            renameOutput(checkQuery(item.query, beside(sources, sight)), item.renamed),
          ),
        )
        return
      case 'call':
        for (const part of item.parts) check(part, beside(sources, sight))
        sources.push(derivedSource(item.alias, { names: item.renamed, isOpen: true }))
        return
      case 'reshaped': {
        const inner: Source[] = []
        addSource(item.source, inner, sight)
        for (const source of inner) if (isRestricted(source)) report(scopeMessages.reshaped(source))
        for (const part of item.parts) check(part, beside(inner, sight))
        sources.push(derivedSource(item.alias ?? inner[0]?.known ?? null, { names: [], isOpen: true }))
        return
      }
      case 'join':
        addJoin(item, sources, sight)
        return
      default: {
        const never: never = item
        throw new Error(`a source of no kind: ${String(never)}`)
      }
    }
  }

  const addJoin = (
    join: Extract<SourceShape, { kind: 'join' }>,
    sources: Source[],
    sight: Visibility,
  ): void => {
    const from = sources.length
    addSource(join.left, sources, sight)
    const middle = sources.length
    addSource(join.right, sources, sight)
    const [left, right] = [sources.slice(from, middle), sources.slice(middle)]
    if (join.natural) {
      const secret = [...left, ...right].find(isRestricted)
      if (secret !== undefined) report(scopeMessages.natural(secret))
    }
    for (const name of join.using) checkUsing(name, left, right, join.comparesOrder)
    for (const condition of join.on) checkCondition(condition, beside(sources, sight))
    if (join.showsLeft) sources.splice(middle)
    if (join.alias === null && join.renamed.length === 0) return
    // The name of a join hides those of its sides.
    const sides = sources.splice(from)
    const title = sides.map(side => side.title).join(' and ')
    const isSecret = sides.some(isRestricted)
    if (join.renamed.length > 0 && isSecret) report(scopeMessages.renamed(title))
    // Without hidden columns all are open, whatever they are called.
    const columns: readonly KnownColumn[] = [
      ...(isSecret ? sides.flatMap(side => side.columns) : []),
      ...join.renamed.map(name => ({ name, access: 'open' as const })),
    ]
    sources.push({ known: join.alias, title, columns, isOpen: true, isTable: false })
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

  const tableSource = (item: Extract<SourceShape, { kind: 'table' }>, sight: Visibility): Source => {
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

  return addSource
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
