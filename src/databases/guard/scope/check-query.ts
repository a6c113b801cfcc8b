import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { childrenOf } from '../../../sql/tree/children.ts'
import { selectOf, starOf, tableSource } from '../../../sql/tree/compose-query.ts'
import {
  type Expression,
  isUnclearQuery,
  type QueryTree,
  type SelectTree,
} from '../../../sql/tree/query-tree.ts'
import { makeAddSources, makeCheckName } from './check-sources.ts'
import { makeNameLookup } from './name-lookup.ts'
import { clausesOf } from './placed-names.ts'
import {
  type FindTable,
  isRestricted,
  type QueryOutput,
  renameOutput,
  type ScopeLayer,
  type Source,
  scopeMessages,
  starColumns,
  type Visibility,
} from './visible-sources.ts'

/**
 * What in a query a scope does not allow, in words; null when nothing. Every name of the query is looked up the way
 * the server would; what is found nowhere is refused, because then somebody else would have to know what it is. Throws
 * at whatever its reader marked as unclear, but for a table among expressions, which is told by name.
 */
export const checkQueryTree = (query: QueryTree, dialect: Dialect, findTable: FindTable): string | null => {
  const problems: string[] = []
  const report = (reason: string): void => {
    problems.push(reason)
  }

  const lookup = makeNameLookup(dialect)
  const { meaningOf, checkName } = makeCheckName(dialect, lookup, report)
  const { hasGroupByAll, inReadsTables, withIsRecursive, recursionIsSure, withSeesOuter } =
    databaseDialect(dialect).scope

  /** `own` is the name of the recursive query of WITH that this is; null for any other. */
  const checkQuery = (whole: QueryTree, sight: Visibility, own: string | null = null): QueryOutput => {
    const query = withInnerQuery(whole)
    if (isUnclearQuery(query)) throw new Error('a query that is none')
    const inside = withCtes(query, sight)
    const result = checkBody(query, inside, query.ctes.length === 0 ? own : null)
    const aliases: ScopeLayer = { sources: [], isSure: false, aliases: new Set(result.names) }
    for (const part of clausesAround(query)) check(part, { ...inside, layers: [aliases, ...inside.layers] })
    return result
  }

  const withCtes = ({ ctes, recursive }: QueryTree, sight: Visibility): Visibility => {
    const seen = new Map(sight.ctes)
    let layers = sight.layers
    const recurses = recursive || withIsRecursive
    for (const [index, { name, renamed, query, isValue }] of ctes.entries()) {
      if (isValue) {
        checkQuery(query, { ...sight, ctes: new Map(seen), layers })
        layers = [{ sources: [], isSure: false, aliases: new Set([name]) }, ...layers]
        continue
      }
      const inside = new Map(seen)
      const pending = new Set(withSeesOuter ? sight.pending : [...sight.pending, ...sight.ctes.keys()])
      for (const later of recurses ? ctes.slice(index).filter(cte => !cte.isValue) : []) {
        inside.set(later.name, { names: [...later.renamed, ...firstNames(later.query)], isOpen: true })
        if (!recursionIsSure) pending.add(later.name)
      }
      for (const earlier of ctes.slice(0, index)) pending.delete(earlier.name)
      const output = renameOutput(
        checkQuery(query, { ctes: inside, pending, layers }, recurses ? name : null),
        renamed,
      )
      for (const outer of seen.keys()) if (lookup.same(outer, name, 'query') === 'yes') seen.delete(outer)
      seen.set(name, output)
    }
    const settled = new Set(sight.pending)
    for (const { name } of ctes) settled.delete(name)
    return { ctes: seen, pending: settled, layers }
  }

  const checkBody = (query: QueryTree, sight: Visibility, own: string | null): QueryOutput => {
    if (query.kind === 'set') {
      const left = checkQuery(query.left, sight)
      // Behind the UNION of a recursive query its name means itself, and before it a table.
      const pending = new Set(sight.pending)
      if (own !== null && query.operator === 'union') pending.delete(own)
      const right = checkQuery(query.right, { ...sight, pending })
      return { names: left.names, isOpen: left.isOpen || right.isOpen }
    }
    if (query.rows === null) return checkSelect(query, sight, false)
    for (const row of query.rows) check(row, sight)
    return { names: [], isOpen: true }
  }

  const checkSelect = (select: SelectTree, sight: Visibility, starIsFree: boolean): QueryOutput => {
    const sources: Source[] = []
    addSources(select.from, sources, sight)
    const aliases = new Set(select.outputs.flatMap(({ alias }) => (alias === null ? [] : [alias])))
    const here: Visibility = { ...sight, layers: [{ sources, isSure: true, aliases }, ...sight.layers] }
    if (select.where !== null) checkCondition(select.where, here)
    for (const part of [...select.groupBy, select.having, select.qualify, ...clausesOf(select)])
      if (part !== null) check(part, here)
    const names: string[] = []
    let isOpen = false
    for (const output of select.outputs) {
      const star = withoutBrackets(output.expression)
      if (star.kind === 'star' && star.replace.length === 0 && !star.renames) {
        const meant = checkStar(star.qualifier, here, starIsFree)
        // Of several sources of one name only the server knows which is meant, and so which columns there are.
        const isClear = star.qualifier === null || meant.length === 1
        if (isClear) names.push(...meant.flatMap(starColumns))
        isOpen ||= !isClear || meant.length === 0 || meant.some(source => source.isOpen)
      } else {
        check(output.expression, here)
        const name = outputName(output)
        if (name === null) isOpen = true
        else names.push(name)
      }
    }
    return { names, isOpen }
  }

  /** Null where only the server knows what a result is called. */
  const outputName = ({ expression, alias }: SelectTree['outputs'][number]): string | null =>
    alias ?? nameOf(expression)?.parts.at(-1) ?? null

  /** The names that the first SELECT of a query gives its columns, which are those of a recursive query. */
  const firstNames = (whole: QueryTree): readonly string[] => {
    const query = withInnerQuery(whole)
    if (query.kind === 'set') return firstNames(query.left)
    return query.rows === null ? query.outputs.map(outputName).filter(name => name !== null) : []
  }

  const checkStar = (
    qualifier: string | null,
    { layers }: Visibility,
    isFree: boolean,
  ): readonly Source[] => {
    const meant = qualifier === null ? (layers[0]?.sources ?? []) : lookup.sourcesNamed(qualifier, layers)
    if (qualifier !== null && meant.length === 0) {
      // `s.*` takes a struct apart, where s is a column.
      checkName([qualifier], false, { layers })
    }
    for (const source of meant) if (!isFree && isRestricted(source)) report(scopeMessages.star(source))
    return meant
  }

  const check = (expression: Expression, sight: Visibility): void => {
    const name = nameOf(expression)
    if (name !== null) {
      checkName(name.parts, name.mayBeText, sight)
      return
    }
    switch (expression.kind) {
      // What is no name here is ALL of GROUP BY ALL.
      case 'column':
        return
      case 'star':
        checkStar(expression.qualifier, sight, false)
        break
      case 'exists':
      case 'subquery':
        checkSubquery(expression.query, expression.kind === 'exists', sight)
        return
      case 'in':
        checkIn(expression, sight)
        return
      case 'aggregate': {
        const { argument, others, filter, details } = expression
        if (expression.name !== 'count' || argument === null || others.length > 0) break
        checkPresence(argument, sight)
        for (const part of [filter, ...details]) if (part !== null) check(part, sight)
        return
      }
      case 'null-test':
        checkPresence(expression.operand, sight)
        return
      case 'lambda': {
        const names: ScopeLayer = { sources: [], isSure: false, aliases: new Set(expression.names) }
        for (const part of expression.parts) check(part, { ...sight, layers: [names, ...sight.layers] })
        // `a -> b` may be a path into a document as well as a function; then its left side is a column.
        for (const name of expression.names) checkName([name], true, sight)
        return
      }
      case 'unclear':
        if (expression.what !== 'a table where none is expected') throw new Error(expression.what)
        report(scopeMessages.unclear(expression.what))
        return
    }
    for (const child of childrenOf(expression)) check(child, sight)
  }

  /** count(x), IS NULL: what is asked of `part` is only whether it is there, or how many of it. */
  const checkPresence = (part: Expression, sight: Visibility): void => {
    const name = nameOf(part)
    const meaning = name === null ? null : meaningOf(name.parts, sight)
    if (meaning?.kind !== 'column' || meaning.access !== 'masked') check(part, sight)
  }

  const checkIn = (expression: Extract<Expression, { kind: 'in' }>, sight: Visibility): void => {
    const { operand, among, bare, details } = expression
    check(operand, sight)
    if ('kind' in among) checkQuery(among, sight)
    else {
      const [table] = among
      // `a IN t` reads the table t in some dialects; in others t is a column that holds a list.
      if (bare && inReadsTables && table?.kind === 'column')
        checkQuery(allOf([tableSource({ schema: table.qualifier, name: table.name })]), sight)
      else for (const one of among) check(one, sight)
    }
    for (const part of details) check(part, sight)
  }

  /** In EXISTS only the number of rows counts. Where values have no say in that, a star reads nothing. */
  const checkSubquery = (whole: QueryTree, exists: boolean, sight: Visibility): void => {
    const query = withInnerQuery(whole)
    if (!exists || query.kind !== 'select' || query.rows !== null || isUnclearQuery(query)) {
      checkQuery(query, sight)
      return
    }
    const inside = withCtes(query, sight)
    checkSelect(query, inside, keepsAllRows(query))
    for (const part of clausesAround(query)) check(part, inside)
  }

  /** Where two tables' columns are joined by `=`, masked ones may be among them. */
  const checkCondition = (expression: Expression, sight: Visibility): void => {
    const condition = withoutBrackets(expression)
    if (condition.kind === 'and') for (const one of condition.operands) checkCondition(one, sight)
    else if (!isPlainEquality(condition) || !joinsTables(condition.left, condition.right, sight))
      check(condition, sight)
  }

  const joinsTables = (left: Expression, right: Expression, sight: Visibility): boolean => {
    const meanings = [left, right].map(side => {
      const name = nameOf(side)
      return name === null ? null : meaningOf(name.parts, sight)
    })
    const [a, b] = meanings
    if (a?.kind !== 'column' || b?.kind !== 'column' || a.source === b.source) return false
    return [a, b].every(({ access, source }) => access !== 'hidden' && source?.isTable === true)
  }

  /** A name of one or more parts, the outermost first; null for any other expression. */
  const nameOf = (expression: Expression): ReadName | null => {
    switch (expression.kind) {
      case 'column': {
        const { outer, qualifier, name, quoted, mayBeText } = expression
        const parts = [...outer, ...(qualifier === null ? [] : [qualifier]), name]
        // GROUP BY ALL and ORDER BY ALL; a column of that name would need quotes.
        const isAll = hasGroupByAll && parts.length === 1 && name.toLowerCase() === 'all' && !quoted
        return isAll ? null : { parts, mayBeText }
      }
      case 'field': {
        const inner = nameOf(expression.operand)
        return inner === null ? null : { parts: [...inner.parts, expression.name], mayBeText: false }
      }
      case 'paren':
      case 'named':
        return nameOf(expression.operand)
      default:
        return null
    }
  }

  const addSources = makeAddSources(dialect, {
    lookup,
    findTable,
    report,
    check,
    checkCondition,
    checkQuery,
  })

  checkQuery(query, { ctes: new Map(), pending: new Set(), layers: [] })
  return problems[0] ?? null
}

interface ReadName {
  readonly parts: readonly string[]
  readonly mayBeText: boolean
}

const withoutBrackets = (expression: Expression): Expression =>
  expression.kind === 'paren' || expression.kind === 'named'
    ? withoutBrackets(expression.operand)
    : expression

const isPlainEquality = (expression: Expression): expression is Extract<Expression, { kind: 'compare' }> =>
  expression.kind === 'compare' &&
  expression.operator === '=' &&
  expression.variant === null &&
  expression.quantifier === null &&
  expression.details.length === 0

/**
 * Whether a SELECT gives the rows of its FROM and WHERE, whatever values it selects. DISTINCT, groups, places (`ORDER
 * BY 2` WITH TIES, `LIMIT 1 BY 2`) and clauses behind brackets can make their number depend on them; LIMIT and OFFSET
 * then tell it.
 */
const keepsAllRows = (select: SelectTree): boolean => {
  const { distinct, groupBy, groupByAll, having, qualify, orderBy, details, brackets } = select
  return (
    !distinct &&
    !groupByAll &&
    having === null &&
    qualify === null &&
    groupBy.length + orderBy.length + details.length + brackets.length === 0
  )
}

/** Clauses of a SELECT see its tables; those of a set operation, and those behind brackets, only its results. */
const clausesAround = (query: QueryTree): readonly Expression[] => [
  ...(query.kind === 'select' && query.rows === null ? [] : clausesOf(query)),
  ...query.brackets.flatMap(clausesOf),
]

/** A WITH before brackets makes a query around the one in them. */
const withInnerQuery = (query: QueryTree): QueryTree => {
  const at = query.brackets.findLastIndex(({ ctes }) => ctes.length > 0)
  const bracket = query.brackets[at]
  if (bracket === undefined) return query
  const inner: QueryTree = { ...query, brackets: query.brackets.slice(0, at) }
  const { source: _table, ...joined } = tableSource({ schema: null, name: '' })
  return {
    ...allOf([{ ...joined, source: { kind: 'derived', query: inner, alias: null, renamed: [] } }]),
    ctes: bracket.ctes,
    recursive: bracket.recursive,
    brackets: [{ ...bracket, ctes: [], recursive: false }, ...query.brackets.slice(at + 1)],
  }
}

/** `SELECT *` of sources. */
const allOf = (from: SelectTree['from']): SelectTree =>
  selectOf({ outputs: [{ expression: starOf(), alias: null }], from })
