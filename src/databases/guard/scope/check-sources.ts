import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import type { ExpressionShape, QueryShape, SourceShape } from './query-shape.ts'
import type { Access } from './scoped-tables.ts'
import {
  derivedSource,
  type FindTable,
  isRestricted,
  type NameMeaning,
  type QueryOutput,
  renameOutput,
  resolveBareName,
  resolveQualifiedName,
  type Source,
  scopeMessages,
  sourcesNamed,
  systemColumns,
  type Visibility,
} from './visible-sources.ts'

/** What looking at a FROM clause needs of the rest of the checker. */
interface SourceChecks {
  readonly findTable: FindTable
  readonly report: (reason: string) => void
  readonly check: (part: ExpressionShape, sight: Visibility) => void
  readonly checkCondition: (part: ExpressionShape, sight: Visibility) => void
  readonly checkQuery: (query: QueryShape, sight: Visibility) => QueryOutput
}

/** Makes the part of the checker that reads FROM: what each of its items is called, and which columns it has. */
export const makeAddSource = ({
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
    for (const name of join.using) checkUsing(name, left, right)
    for (const condition of join.on) checkCondition(condition, beside(sources, sight))
    if (join.alias === null && join.renamed.length === 0) return
    // The name of a join hides those of its sides.
    const sides = sources.splice(from)
    const title = sides.map(side => side.title).join(' and ')
    const isSecret = sides.some(isRestricted)
    if (join.renamed.length > 0 && isSecret) report(scopeMessages.renamed(title))
    const columns = new Map<string, Access>(isSecret ? sides.flatMap(side => [...side.columns]) : [])
    for (const side of sides)
      for (const [name, access] of side.columns) if (access !== 'open') columns.set(name, access)
    for (const name of join.renamed) columns.set(name, 'open')
    sources.push({ known: join.alias, title, columns, isOpen: true, isTable: false })
  }

  const checkUsing = (name: string, left: readonly Source[], right: readonly Source[]): void => {
    const meant = [...left, ...right].filter(source => source.columns.has(name))
    const hidden = meant.find(source => source.columns.get(name) === 'hidden')
    const masked = meant.find(source => source.columns.get(name) === 'masked')
    const joinsTables = [left, right].every(side => {
      const having = side.filter(source => source.isOpen || source.columns.has(name))
      return having.length === 1 && having.every(source => source.isTable)
    })
    if (hidden !== undefined) report(scopeMessages.column(hidden.title, name))
    else if (masked !== undefined && !joinsTables) report(scopeMessages.masked(masked.title, name))
    else if (meant.length === 0 && ![...left, ...right].some(source => source.isOpen))
      report(scopeMessages.unknownColumn(name))
  }

  const tableSource = (item: Extract<SourceShape, { kind: 'table' }>, sight: Visibility): Source => {
    const { schema, name, alias, renamed } = item
    const cte = schema === null ? sight.ctes.get(name) : undefined
    if (cte !== undefined) {
      const found = sight.pending.has(name) ? findTable(null, name) : null
      // While a CTE is being written its own name may still mean a table, which then must be an open one.
      if (found?.ok === true && [...found.columns.values()].some(access => access !== 'open'))
        report(scopeMessages.table(found.title))
      return derivedSource(alias ?? name, renameOutput(cte, renamed))
    }
    const found = findTable(schema, name)
    if (!found.ok) {
      report(found.reason)
      return derivedSource(alias ?? name, { names: [], isOpen: true })
    }
    const source: Source = {
      known: alias ?? name,
      title: found.title,
      columns: found.columns,
      isOpen: false,
      isTable: true,
    }
    if (renamed.length === 0) return source
    if (isRestricted(source)) report(scopeMessages.renamed(found.title))
    return derivedSource(
      alias ?? name,
      renameOutput({ names: [...found.columns.keys()], isOpen: false }, renamed),
    )
  }

  return addSource
}

/** Makes the part of the checker that knows what a name of one or more parts means, and whether it may be read. */
export const makeCheckName = (
  dialect: Dialect,
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
    if (second === undefined) return resolveBareName(first, layers)
    // In DuckDB all but the first name or two may be fields of a struct; elsewhere the last two are table and column.
    const readings = scope.hasStructFields
      ? [
          resolveQualifiedName(first, second, layers),
          ...(more[0] === undefined ? [] : [resolveQualifiedName(second, more[0], layers)]),
          ...(sourcesNamed(first, layers).length > 0 ? [] : [resolveBareName(first, layers)]),
        ]
      : [resolveQualifiedName(parts.at(-2) ?? '', parts.at(-1) ?? '', layers)]
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
    if (meaning.kind === 'unknown') {
      if (systemColumns.has(name)) report(scopeMessages.systemColumn(name))
      else if (!mayBeText) report(scopeMessages.unknownColumn(parts.join('.')))
    } else if (meaning.kind === 'row') {
      if (!scope.hasWholeRows) {
        if (!mayBeText) report(scopeMessages.unknownColumn(parts.join('.')))
      } else if (isRestricted(meaning.source)) report(scopeMessages.row(meaning.source))
    } else if (meaning.access !== 'open') {
      const title = meaning.source?.title ?? ''
      report(
        meaning.access === 'hidden' ? scopeMessages.column(title, name) : scopeMessages.masked(title, name),
      )
    }
  }

  return { meaningOf, checkName }
}
