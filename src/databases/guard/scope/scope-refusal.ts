import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { functionCalls } from '../../../sql/function-calls.ts'
import { readQuery } from '../../../sql/parse/read-statements.ts'
import type { SqlTree } from '../../../sql/sql-tree.ts'
import { makeAddSource, makeCheckName } from './check-sources.ts'
import { makeNameLookup } from './name-lookup.ts'
import {
  type BodyShape,
  type ExpressionShape,
  foldName,
  type QueryShape,
  type SelectShape,
} from './query-shape.ts'
import { queryShape } from './read-query-shape.ts'
import {
  type FindTable,
  type FoundTable,
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
 * Why a scope does not allow a statement that the guard found harmless, in words; null when it does. Throws where
 * the tree has a form that nobody has looked at: then the caller refuses.
 */
export const scopeRefusal = (tree: SqlTree, dialect: Dialect, findTable: FindTable): string | null => {
  const found: Extract<FoundTable, { ok: true }>[] = []
  const remember: FindTable = (schema, name) => {
    const table = findTable(schema, name)
    if (table.ok) found.push(table)
    return table
  }
  const statement = readQuery(tree)
  if (statement === null) throw new Error('a statement that is no query')
  const { query, placed } = queryShape(statement, dialect)
  const refusal = checkQueryShape(query, dialect, remember)
  if (refusal !== null || tree.parser === 'libpg-query') return refusal
  const secret = new Set(
    found.flatMap(({ columns }) =>
      columns.flatMap(({ name, access }) => (access === 'open' ? [] : [foldName(name, dialect)])),
    ),
  )
  return secret.size === 0
    ? null
    : (positionRefusal(tree, dialect) ??
        partRefusal(tree, dialect, found) ??
        searchRefusal(tree, dialect, found) ??
        unplacedNameRefusal(tree, dialect, { secret, placed }))
}

/** DuckDB can name columns by their place (`#1`) and by a pattern (`COLUMNS('e.*')`). */
const positionRefusal = (tree: SqlTree, dialect: Dialect): string | null => {
  if (!databaseDialect(dialect).scope.hasColumnPatterns) return null
  if (tree.tokens.some(token => token.text === '#')) return scopeMessages.pattern('their place (#)')
  return functionCalls(tree).some(call => call.name === 'columns')
    ? scopeMessages.pattern('a pattern (COLUMNS)')
    : null
}

/** Which rows are in a partition, and whether there is an index, follows from columns that may be hidden. */
const partRefusal = (
  { tokens }: SqlTree,
  dialect: Dialect,
  found: readonly Extract<FoundTable, { ok: true }>[],
): string | null => {
  const { readsByPart } = databaseDialect(dialect).scope
  const restricted = found.find(({ columns }) => columns.some(({ access }) => access !== 'open'))
  return restricted !== undefined && tokens.some((_, at) => readsByPart(tokens, at))
    ? scopeMessages.partition(restricted.title)
    : null
}

/** A search may name other columns than the one beside it: `title MATCH 'secret:x'`. */
const searchRefusal = (
  { tokens }: SqlTree,
  dialect: Dialect,
  found: readonly Extract<FoundTable, { ok: true }>[],
): string | null => {
  const { searchWord } = databaseDialect(dialect).scope
  const searched = found.find(
    ({ columns }) =>
      columns.some(({ unlisted }) => unlisted) && columns.some(({ access }) => access !== 'open'),
  )
  return searched !== undefined && tokens.some(({ value }) => value === searchWord)
    ? scopeMessages.search(searched.title)
    : null
}

/** Words that no dialect takes for a name without quotes. */
const reservedWords = new Set(
  'select from where group order having on union and or not in as case when then else'.split(' '),
)

/**
 * The second look: polyglot has hundreds of kinds of nodes, and some hold names that are no columns to it. A name
 * that is secret in one of the tables must not stand in the text more often than it was understood.
 */
const unplacedNameRefusal = (
  tree: SqlTree,
  dialect: Dialect,
  names: { readonly secret: ReadonlySet<string>; readonly placed: ReadonlyMap<string, number> },
): string | null => {
  const seen = new Map<string, number>()
  for (const token of tree.tokens) {
    if (token.kind !== 'word' && token.kind !== 'quoted') continue
    if (token.kind === 'word' && reservedWords.has(token.value)) continue
    const name = foldName(token.value, dialect)
    if (!names.secret.has(name)) continue
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    if (count > (names.placed.get(name) ?? 0)) return scopeMessages.unclear(token.text)
  }
  return null
}

/** The names that the first SELECT of a query gives its columns, which are those of a recursive query. */
const firstNames = ({ body }: QueryShape): readonly string[] => {
  if (body.kind === 'set') return firstNames(body.left)
  return body.kind === 'select' ? body.outputs.flatMap(({ name }) => (name === null ? [] : [name])) : []
}

/**
 * What in a query a scope does not allow, in words; null when nothing. Every name of the query is looked up the way
 * the server would; what is found nowhere is refused, because then somebody else would have to know what it is.
 */
const checkQueryShape = (query: QueryShape, dialect: Dialect, findTable: FindTable): string | null => {
  const problems: string[] = []
  const report = (reason: string): void => {
    problems.push(reason)
  }

  const lookup = makeNameLookup(dialect)
  const { meaningOf, checkName } = makeCheckName(dialect, lookup, report)

  /** `own` is the name of the recursive query of WITH that this is; null for any other. */
  const checkQuery = (query: QueryShape, sight: Visibility, own: string | null = null): QueryOutput => {
    const inside = withCtes(query, sight)
    const result = checkBody(query.body, inside, query.ctes.length === 0 ? own : null)
    const aliases: ScopeLayer = { sources: [], isSure: false, aliases: new Set(result.names) }
    for (const part of query.tail) check(part, { ...inside, layers: [aliases, ...inside.layers] })
    return result
  }

  const { withIsRecursive, recursionIsSure } = databaseDialect(dialect).scope

  const withCtes = ({ ctes, recursive }: QueryShape, sight: Visibility): Visibility => {
    const seen = new Map(sight.ctes)
    const recurses = recursive || withIsRecursive
    for (const [index, { name, renamed, query }] of ctes.entries()) {
      const inside = new Map(seen)
      const pending = new Set(sight.pending)
      for (const later of recurses ? ctes.slice(index) : []) {
        inside.set(later.name, { names: [...later.renamed, ...firstNames(later.query)], isOpen: true })
        if (!recursionIsSure) pending.add(later.name)
      }
      for (const earlier of ctes.slice(0, index)) pending.delete(earlier.name)
      const output = renameOutput(
        checkQuery(query, { ...sight, ctes: inside, pending }, recurses ? name : null),
        renamed,
      )
      for (const outer of seen.keys()) if (lookup.same(outer, name, 'query') === 'yes') seen.delete(outer)
      seen.set(name, output)
    }
    const settled = new Set(sight.pending)
    for (const { name } of ctes) settled.delete(name)
    return { ...sight, ctes: seen, pending: settled }
  }

  const checkBody = (body: BodyShape, sight: Visibility, own: string | null): QueryOutput => {
    switch (body.kind) {
      case 'select':
        return checkSelect(body, sight, false)
      case 'set': {
        const left = checkQuery(body.left, sight)
        // Behind the UNION of a recursive query its name means itself, and before it a table.
        const pending = new Set(sight.pending)
        if (own !== null && body.isUnion) pending.delete(own)
        const right = checkQuery(body.right, { ...sight, pending })
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

  const checkSelect = (select: SelectShape, sight: Visibility, starIsFree: boolean): QueryOutput => {
    const sources: Source[] = []
    for (const item of select.from) addSource(item, sources, sight)
    const aliases = new Set(
      select.outputs.flatMap(({ name, isAlias }) => (isAlias && name !== null ? [name] : [])),
    )
    const here: Visibility = { ...sight, layers: [{ sources, isSure: true, aliases }, ...sight.layers] }
    for (const condition of select.where) checkCondition(condition, here)
    for (const part of select.rest) check(part, here)
    const names: string[] = []
    let isOpen = false
    for (const { name, expression } of select.outputs) {
      if (expression.kind === 'star') {
        const meant = checkStar(expression.qualifier, here, starIsFree)
        // Of several sources of one name only the server knows which is meant, and so which columns there are.
        const isClear = expression.qualifier === null || meant.length === 1
        if (isClear) names.push(...meant.flatMap(starColumns))
        isOpen ||= !isClear || meant.length === 0 || meant.some(source => source.isOpen)
      } else {
        check(expression, here)
        if (name === null) isOpen = true
        else names.push(name)
      }
    }
    return { names, isOpen }
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

  const check = (part: ExpressionShape, sight: Visibility): void => {
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
        const names: ScopeLayer = { sources: [], isSure: false, aliases: new Set(part.names) }
        for (const one of part.parts) check(one, { ...sight, layers: [names, ...sight.layers] })
        // `a -> b` may be a path into a document as well as a function; then its left side is a column.
        for (const name of part.names) checkName([name], true, sight)
        return
      }
      case 'unclear':
        report(scopeMessages.unclear(part.what))
        return
      default: {
        const never: never = part
        throw new Error(`an expression of no kind: ${String(never)}`)
      }
    }
  }

  const checkSubquery = (query: QueryShape, exists: boolean, sight: Visibility): void => {
    if (!exists || query.body.kind !== 'select') {
      checkQuery(query, sight)
      return
    }
    const inside = withCtes(query, sight)
    checkSelect(query.body, inside, true)
    for (const part of query.tail) check(part, inside)
  }

  /** Where two tables' columns are joined by `=`, masked ones may be among them. */
  const checkCondition = (part: ExpressionShape, sight: Visibility): void => {
    if (part.kind === 'and') for (const one of part.parts) checkCondition(one, sight)
    else if (part.kind !== 'equal' || !joinsTables(part.left, part.right, sight)) check(part, sight)
  }

  const joinsTables = (left: ExpressionShape, right: ExpressionShape, sight: Visibility): boolean => {
    if (left.kind !== 'name' || right.kind !== 'name') return false
    const [a, b] = [meaningOf(left.parts, sight), meaningOf(right.parts, sight)]
    if (a.kind !== 'column' || b.kind !== 'column' || a.source === b.source) return false
    return [a, b].every(({ access, source }) => access !== 'hidden' && source?.isTable === true)
  }

  const addSource = makeAddSource({ lookup, findTable, report, check, checkCondition, checkQuery })

  checkQuery(query, { ctes: new Map(), pending: new Set(), layers: [] })
  return problems[0] ?? null
}
