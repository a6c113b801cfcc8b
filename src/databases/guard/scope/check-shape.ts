import type { Dialect } from '../../../core/dialect.ts'
import type { BodyShape, ExpressionShape, QueryShape, SelectShape, SourceShape } from './query-shape.ts'
import { scopeWords } from './scope-words.ts'
import type { Access } from './scoped-tables.ts'
import {
  bareMeaning,
  isRestricted,
  type Layer,
  type Meaning,
  qualifiedMeaning,
  type Source,
  sourcesCalled,
  systemColumns,
} from './sources-in-sight.ts'

/** A table as the statement may read it, or why it may not. `title` is what to call it. */
export type FoundTable =
  | { readonly ok: true; readonly title: string; readonly columns: ReadonlyMap<string, Access> }
  | { readonly ok: false; readonly reason: string }

/** Finds a table by its folded name and schema. */
export type FindTable = (schema: string | null, name: string) => FoundTable

/** What a query gives: the names of its columns, and whether there are others that only the server can name. */
interface Result {
  readonly names: readonly string[]
  readonly isOpen: boolean
}

type Ctes = ReadonlyMap<string, Result>

/** What can be seen from a place: CTEs, and the sources of the SELECTs around it, innermost first. */
interface Sight {
  readonly ctes: Ctes
  /** CTEs that are only now being written: a name of theirs may also still mean a table. */
  readonly pending: ReadonlySet<string>
  readonly layers: readonly Layer[]
}

/**
 * What in a query a scope does not allow, in words; null when nothing. Every name of the query is looked up the way
 * the server would; what is found nowhere is refused, because then somebody else would have to know what it is.
 */
export const checkShape = (query: QueryShape, dialect: Dialect, findTable: FindTable): string | null => {
  const problems: string[] = []
  const report = (reason: string): void => {
    problems.push(reason)
  }

  const checkQuery = (query: QueryShape, sight: Sight): Result => {
    const inside = withCtes(query, sight)
    const result = checkBody(query.body, inside)
    const aliases: Layer = { sources: [], isSure: false, aliases: new Set(result.names) }
    for (const part of query.tail) check(part, { ...inside, layers: [aliases, ...inside.layers] })
    return result
  }

  const withCtes = ({ ctes, recursive }: QueryShape, sight: Sight): Sight => {
    const seen = new Map(sight.ctes)
    for (const [index, { name, renamed, query }] of ctes.entries()) {
      const inside = new Map(seen)
      const pending = new Set(sight.pending)
      // SQLite takes every WITH for a recursive one.
      for (const later of recursive || dialect === 'sqlite' ? ctes.slice(index) : []) {
        inside.set(later.name, { names: later.renamed, isOpen: true })
        pending.add(later.name)
      }
      for (const earlier of ctes.slice(0, index)) pending.delete(earlier.name)
      seen.set(name, renamedResult(checkQuery(query, { ...sight, ctes: inside, pending }), renamed))
    }
    const settled = new Set(sight.pending)
    for (const { name } of ctes) settled.delete(name)
    return { ...sight, ctes: seen, pending: settled }
  }

  const checkBody = (body: BodyShape, sight: Sight): Result => {
    switch (body.kind) {
      case 'select':
        return checkSelect(body, sight, false)
      case 'set': {
        const left = checkQuery(body.left, sight)
        const right = checkQuery(body.right, sight)
        return { names: left.names, isOpen: left.isOpen || right.isOpen }
      }
      case 'values':
        for (const part of body.parts) check(part, sight)
        return { names: [], isOpen: true }
      default: {
        const never: never = body
        return never
      }
    }
  }

  const checkSelect = (select: SelectShape, sight: Sight, starIsFree: boolean): Result => {
    const sources: Source[] = []
    for (const item of select.from) addSource(item, sources, sight)
    const aliases = new Set(
      select.outputs.flatMap(({ name, isAlias }) => (isAlias && name !== null ? [name] : [])),
    )
    const here: Sight = { ...sight, layers: [{ sources, isSure: true, aliases }, ...sight.layers] }
    for (const condition of select.where) checkCondition(condition, here)
    for (const part of select.rest) check(part, here)
    const names: string[] = []
    let isOpen = false
    for (const { name, expression } of select.outputs) {
      if (expression.kind === 'star') {
        const meant = checkStar(expression.qualifier, here, starIsFree)
        // Of several sources of one name only the server knows which is meant, and so which columns there are.
        const isClear = expression.qualifier === null || meant.length === 1
        if (isClear) names.push(...meant.flatMap(source => [...source.columns.keys()]))
        isOpen ||= !isClear || meant.length === 0 || meant.some(source => source.isOpen)
      } else {
        check(expression, here)
        if (name === null) isOpen = true
        else names.push(name)
      }
    }
    return { names, isOpen }
  }

  const checkStar = (qualifier: string | null, { layers }: Sight, isFree: boolean): readonly Source[] => {
    const meant = qualifier === null ? (layers[0]?.sources ?? []) : sourcesCalled(qualifier, layers)
    if (qualifier !== null && meant.length === 0) {
      // `s.*` takes a struct apart, where s is a column.
      checkName([qualifier], false, { ctes: new Map(), pending: new Set(), layers })
    }
    for (const source of meant) if (!isFree && isRestricted(source)) report(scopeWords.star(source))
    return meant
  }

  /** What may see its neighbours in FROM, and may not: a subquery, which could be LATERAL, or the ON of a join. */
  const beside = (sources: readonly Source[], sight: Sight): Sight => ({
    ...sight,
    layers: [{ sources: [...sources], isSure: false, aliases: new Set() }, ...sight.layers],
  })

  const addSource = (item: SourceShape, sources: Source[], sight: Sight): void => {
    switch (item.kind) {
      case 'table':
        sources.push(tableSource(item, sight))
        return
      case 'query':
        sources.push(
          derived(item.alias, renamedResult(checkQuery(item.query, beside(sources, sight)), item.renamed)),
        )
        return
      case 'call':
        for (const part of item.parts) check(part, beside(sources, sight))
        sources.push(derived(item.alias, { names: item.renamed, isOpen: true }))
        return
      case 'reshaped': {
        const inner: Source[] = []
        addSource(item.source, inner, sight)
        for (const source of inner) if (isRestricted(source)) report(scopeWords.reshaped(source))
        for (const part of item.parts) check(part, beside(inner, sight))
        sources.push(derived(item.alias ?? inner[0]?.known ?? null, { names: [], isOpen: true }))
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

  const addJoin = (join: Extract<SourceShape, { kind: 'join' }>, sources: Source[], sight: Sight): void => {
    const from = sources.length
    addSource(join.left, sources, sight)
    const middle = sources.length
    addSource(join.right, sources, sight)
    const [left, right] = [sources.slice(from, middle), sources.slice(middle)]
    if (join.natural) {
      const secret = [...left, ...right].find(isRestricted)
      if (secret !== undefined) report(scopeWords.natural(secret))
    }
    for (const name of join.using) checkUsing(name, left, right)
    for (const condition of join.on) checkCondition(condition, beside(sources, sight))
    if (join.alias === null && join.renamed.length === 0) return
    // The name of a join hides those of its sides.
    const sides = sources.splice(from)
    const title = sides.map(side => side.title).join(' and ')
    const isSecret = sides.some(isRestricted)
    if (join.renamed.length > 0 && isSecret) report(scopeWords.renamed(title))
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
    if (hidden !== undefined) report(scopeWords.column(hidden.title, name))
    else if (masked !== undefined && !joinsTables) report(scopeWords.masked(masked.title, name))
    else if (meant.length === 0 && ![...left, ...right].some(source => source.isOpen))
      report(scopeWords.unknownColumn(name))
  }

  const tableSource = (item: Extract<SourceShape, { kind: 'table' }>, sight: Sight): Source => {
    const { schema, name, alias, renamed } = item
    const cte = schema === null ? sight.ctes.get(name) : undefined
    if (cte !== undefined) {
      const found = sight.pending.has(name) ? findTable(null, name) : null
      // While a CTE is being written its own name may still mean a table, which then must be an open one.
      if (found?.ok === true && [...found.columns.values()].some(access => access !== 'open'))
        report(scopeWords.table(found.title))
      return derived(alias ?? name, renamedResult(cte, renamed))
    }
    const found = findTable(schema, name)
    if (!found.ok) {
      report(found.reason)
      return derived(alias ?? name, { names: [], isOpen: true })
    }
    const source: Source = {
      known: alias ?? name,
      title: found.title,
      columns: found.columns,
      isOpen: false,
      isTable: true,
    }
    if (renamed.length === 0) return source
    if (isRestricted(source)) report(scopeWords.renamed(found.title))
    return derived(alias ?? name, renamedResult({ names: [...found.columns.keys()], isOpen: false }, renamed))
  }

  const check = (part: ExpressionShape, sight: Sight): void => {
    switch (part.kind) {
      case 'name':
        checkName(part.parts, part.mayBeText, sight)
        return
      case 'star':
        checkStar(part.qualifier, sight, false)
        return
      case 'query':
        checkSubquery(part.query, part.exists, sight)
        return
      case 'presence': {
        const meaning = part.part.kind === 'name' ? meaningOf(part.part.parts, sight) : null
        if (meaning?.kind !== 'column' || meaning.access !== 'masked') check(part.part, sight)
        for (const other of part.rest) check(other, sight)
        return
      }
      case 'equal':
        check(part.left, sight)
        check(part.right, sight)
        return
      case 'and':
      case 'group':
        for (const one of part.parts) check(one, sight)
        return
      case 'lambda': {
        const names: Layer = { sources: [], isSure: false, aliases: new Set(part.names) }
        for (const one of part.parts) check(one, { ...sight, layers: [names, ...sight.layers] })
        // `a -> b` may be a path into a document as well as a function; then its left side is a column.
        for (const name of part.names) checkName([name], true, sight)
        return
      }
      case 'unclear':
        report(scopeWords.unclear(part.what))
        return
      default: {
        const never: never = part
        throw new Error(`an expression of no kind: ${String(never)}`)
      }
    }
  }

  const checkSubquery = (query: QueryShape, exists: boolean, sight: Sight): void => {
    if (!exists || query.body.kind !== 'select') {
      checkQuery(query, sight)
      return
    }
    const inside = withCtes(query, sight)
    checkSelect(query.body, inside, true)
    for (const part of query.tail) check(part, inside)
  }

  /** Where two tables' columns are joined by `=`, masked ones may be among them. */
  const checkCondition = (part: ExpressionShape, sight: Sight): void => {
    if (part.kind === 'and') for (const one of part.parts) checkCondition(one, sight)
    else if (part.kind !== 'equal' || !joinsTables(part.left, part.right, sight)) check(part, sight)
  }

  const joinsTables = (left: ExpressionShape, right: ExpressionShape, sight: Sight): boolean => {
    if (left.kind !== 'name' || right.kind !== 'name') return false
    const [a, b] = [meaningOf(left.parts, sight), meaningOf(right.parts, sight)]
    if (a.kind !== 'column' || b.kind !== 'column' || a.source === b.source) return false
    return [a, b].every(({ access, source }) => access !== 'hidden' && source?.isTable === true)
  }

  const meaningOf = (parts: readonly string[], { layers }: Sight): Meaning => {
    const [first = '', second, ...more] = parts
    if (second === undefined) return bareMeaning(first, layers)
    // In DuckDB all but the first name or two may be fields of a struct; elsewhere the last two are table and column.
    const readings =
      dialect === 'duckdb'
        ? [
            qualifiedMeaning(first, second, layers),
            ...(more[0] === undefined ? [] : [qualifiedMeaning(second, more[0], layers)]),
            ...(sourcesCalled(first, layers).length > 0 ? [] : [bareMeaning(first, layers)]),
          ]
        : [qualifiedMeaning(parts.at(-2) ?? '', parts.at(-1) ?? '', layers)]
    return (
      readings.find(meaning => meaning.kind === 'column' && meaning.access === 'hidden') ??
      readings.find(meaning => meaning.kind === 'column' && meaning.access === 'masked') ??
      readings.find(meaning => meaning.kind !== 'unknown') ?? { kind: 'unknown' }
    )
  }

  const checkName = (parts: readonly string[], mayBeText: boolean, sight: Sight): void => {
    const meaning = meaningOf(parts, sight)
    const name = parts.at(-1) ?? ''
    if (meaning.kind === 'unknown') {
      if (systemColumns.has(name)) report(scopeWords.systemColumn(name))
      else if (!mayBeText) report(scopeWords.unknownColumn(parts.join('.')))
    } else if (meaning.kind === 'row') {
      if (dialect !== 'postgres' && dialect !== 'duckdb') {
        if (!mayBeText) report(scopeWords.unknownColumn(parts.join('.')))
      } else if (isRestricted(meaning.source)) report(scopeWords.row(meaning.source))
    } else if (meaning.access !== 'open') {
      const title = meaning.source?.title ?? ''
      report(meaning.access === 'hidden' ? scopeWords.column(title, name) : scopeWords.masked(title, name))
    }
  }

  checkQuery(query, { ctes: new Map(), pending: new Set(), layers: [] })
  return problems[0] ?? null
}

const derived = (known: string | null, { names, isOpen }: Result): Source => ({
  known,
  title: known ?? 'a subquery',
  columns: new Map(names.map(name => [name, 'open'])),
  isOpen,
  isTable: false,
})

/** `t(a, b)` names the first columns; which ones those were cannot be told where some have no name or stars stand. */
const renamedResult = (result: Result, renamed: readonly string[]): Result =>
  renamed.length === 0 ? result : { names: renamed, isOpen: true }
