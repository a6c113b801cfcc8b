import type { SizeRules } from '../../../sql/sql-dialect.ts'
import { childrenOf, orderingParts } from '../../../sql/tree/children.ts'
import {
  type CommonTable,
  callOf,
  type Expression,
  type Frame,
  type FromSource,
  type JoinedSource,
  type QueryTree,
  type SelectTree,
} from '../../../sql/tree/query-tree.ts'
import { isCollecting } from './call-extent.ts'
import { column, type Extent, eitherOf, nothing, numberOf, tableRows, together } from './extent.ts'
import {
  addCte,
  boundsIn,
  extentsOf,
  findCte,
  isSame,
  joinedRows,
  type NamedRows,
  namesItself,
  type Rows,
  rename,
  rowsOfTable,
  type Scope,
  widened,
  withLocals,
} from './scope.ts'

/** The most characters that a server keeps to sort or group them, or as the rows of a CTE. */
const mostKept = 1_000_000_000

/** Rows of a query that repeats itself, and of one that counts its rounds up to a number. */
const recursionRows = 100_000

const countedRows = 10_000

/** A text that doubles is larger than any limit after so many rounds; one that gets a name longer each time is not. */
const recursionRounds = 40

/** Every so many rounds, a number that still grows counts as one without bounds. */
const wideningRounds = 4

/** A star can double the columns of the query before it, again and again. */
const mostColumns = 5_000

const tooManyColumns = `it makes more than ${mostColumns.toLocaleString('en')} columns`

/** Makes the measuring of queries; `measure` is that of expressions. */
export const makeQueryRows = (tools: {
  readonly sizes: SizeRules
  /** True if the parser gives a function in FROM as a call, false if it gives its arguments. */
  readonly givesCalls: boolean
  readonly measure: (expression: Expression, scope: Scope) => Extent
  readonly seriesLength: (name: string, extents: readonly Extent[]) => number
  readonly refuse: (reason: string) => void
  readonly isRefused: () => boolean
}): ((query: QueryTree, outer: Scope) => Rows) => {
  const { sizes, givesCalls, measure, seriesLength, refuse, isRefused } = tools

  const all = (expressions: readonly (Expression | null)[], scope: Scope): readonly Extent[] =>
    expressions.flatMap(one => (one === null ? [] : [measure(one, scope)]))

  const queryRows = (query: QueryTree, outer: Scope): Rows => {
    const scope = withCtes(query, {
      ...outer,
      sources: [],
      locals: new Map(),
      bounds: [],
      rows: 1,
      parent: outer,
    })
    const rows = query.kind === 'set' ? setRows(query, scope) : selectRows(query, scope)
    const outside: Scope = { ...scope, sources: [{ ...rows, name: null }] }
    // The clauses of a SELECT itself were measured where its tables are known.
    for (const frame of query.kind === 'set' ? [query, ...query.brackets] : query.brackets)
      all([...frame.orderBy.flatMap(orderingParts), ...frame.details], withCtes(frame, outside))
    const frames: readonly Frame[] = [query, ...query.brackets]
    all(
      frames.map(({ offset }) => offset),
      scope,
    )
    const limits = all(
      frames.map(({ limit }) => limit),
      scope,
    ).map(({ high }) => high)
    const isSorted = query.kind === 'set' && (!query.all || query.orderBy.length > 0)
    if (isSorted || query.brackets.some(({ orderBy }) => orderBy.length > 0))
      checkKept(rows, 'sorts or groups')
    return { ...rows, count: Math.max(1, Math.min(rows.count, ...limits.filter(limit => limit >= 0))) }
  }

  const checkKept = (rows: Rows, verb: string, keys: readonly Extent[] = []): void => {
    const width = together([...extentsOf(rows), ...keys]).length
    if ((rows.made || width > sizes.longestValue) && rows.count * width > mostKept)
      refuse(`it ${verb} more than ${mostKept.toLocaleString('en')} characters`)
  }

  const withCtes = ({ ctes, recursive }: Pick<Frame, 'ctes' | 'recursive'>, outer: Scope): Scope => {
    let scope = outer
    for (const cte of ctes) {
      const mayRepeat = recursive || sizes.withIsRecursive
      const rows = mayRepeat ? recursiveRows(cte, scope) : rename(queryRows(cte.query, scope), cte.renamed)
      checkKept(rows, `makes, in the query ${cte.name},`)
      scope = { ...scope, ctes: addCte(scope.ctes, cte.name, rows, scope.names) }
    }
    return scope
  }

  /** Goes through the rounds of a query that may name itself until its values no longer grow. */
  const recursiveRows = (cte: CommonTable, scope: Scope): Rows => {
    const repeats = namesItself(cte.query, cte.name, scope.names)
    let current: Rows = { columns: [], rest: nothing, count: 1, made: true }
    for (let round = 0; round < recursionRounds && !isRefused(); round += 1) {
      const inside = { ...scope, ctes: addCte(scope.ctes, cte.name, current, scope.names) }
      const next = rename(queryRows(cte.query, inside), cte.renamed)
      if (!repeats) return next
      if (round > 0 && isSame(current, next)) break
      if (round > 0 && extentsOf(next).some(({ length }) => length > sizes.longestValue))
        refuse(`its recursive query ${cte.name} makes a value longer in each round`)
      current = round % wideningRounds === wideningRounds - 1 ? widened(current, next) : next
    }
    // A number that goes up by one in each round tells how many there are.
    const spans = current.columns.map(({ extent }) => extent.high - extent.low).filter(Number.isFinite)
    const longestSpan = Math.max(0, ...spans)
    return {
      ...current,
      count: longestSpan > 0 ? Math.max(countedRows, longestSpan) : recursionRows,
    }
  }

  const setRows = (query: Extract<QueryTree, { kind: 'set' }>, scope: Scope): Rows => {
    const [left, right] = [queryRows(query.left, scope), queryRows(query.right, scope)]
    return {
      columns: left.columns.map(({ name, extent }, at) => ({
        name,
        extent: eitherOf([extent, right.columns[at]?.extent ?? right.rest ?? nothing]),
      })),
      rest: left.rest ?? right.rest,
      count: query.operator === 'union' ? left.count + right.count : left.count,
      made: left.made && right.made,
    }
  }

  const valueRows = (values: readonly Expression[], scope: Scope): Rows => {
    const rows = values.map(row => all(row.kind === 'group' ? row.parts : [row], scope))
    const width = Math.max(0, ...rows.map(({ length }) => length))
    const columns = Array.from({ length: width }, (_, at) => ({
      name: null,
      extent: eitherOf(rows.map(row => row[at] ?? nothing)),
    }))
    return { columns, rest: null, count: rows.length, made: true }
  }

  const selectRows = (query: SelectTree, outer: Scope): Rows => {
    if (query.rows !== null) return valueRows(query.rows, outer)
    const sources = sourcesOf(query.from, outer)
    const conditions = [query.where, ...query.from.map(({ on }) => on)].filter(one => one !== null)
    const withoutCondition = query.from.filter(({ join, on }) => join === 'cross' && on === null).length
    const from = joinedRows(sources, query.where === null ? withoutCondition : 0)
    const isGrouped = query.groupBy.length > 0 || query.groupByAll
    const isInner = (outer.parent?.sources.length ?? 0) > 0
    // The rows of a table are spread over its groups, or over the rows that an inner query is asked for.
    const perGroup = (isGrouped || isInner) && !from.made ? Math.ceil(Math.sqrt(from.count)) : from.count
    const scope: Scope = { ...outer, sources, bounds: boundsIn(query.where, query.from), rows: perGroup }
    const listed = selectList(query, scope)
    all([...conditions, query.having, query.qualify, ...query.details], listed.scope)
    const keys = all([...query.groupBy, ...query.orderBy.flatMap(orderingParts)], listed.scope)
    const isOneRow =
      !isGrouped && query.outputs.length > 0 && query.outputs.some(({ expression }) => aggregates(expression))
    const rows: Rows = {
      columns: listed.columns,
      rest: listed.rest,
      count: isOneRow ? 1 : isGrouped ? perGroup : from.count,
      made: from.made || isOneRow,
    }
    if (keys.length > 0 || query.distinct) checkKept(rows, 'sorts or groups', keys)
    return rows
  }

  /** Later parts of a SELECT may use the names of earlier ones. */
  const selectList = (
    { outputs }: SelectTree,
    outer: Scope,
  ): Pick<Rows, 'columns' | 'rest'> & { readonly scope: Scope } => {
    const columns: Rows['columns'][number][] = []
    const rests: Extent[] = []
    let scope = outer
    for (const { expression, alias } of outputs) {
      if (expression.kind === 'star') {
        for (const { name, columns: starred, rest } of scope.sources) {
          if (expression.qualifier !== null && !scope.names.mayBe(name, expression.qualifier, 'table'))
            continue
          if (columns.length + starred.length > mostColumns) {
            refuse(tooManyColumns)
            break
          }
          columns.push(...starred)
          if (rest !== null) rests.push(rest)
        }
        for (const replaced of expression.replace)
          columns.push({ name: outputName(replaced), extent: measure(replaced, scope) })
        continue
      }
      const extent = measure(expression, scope)
      const name = alias ?? outputName(expression)
      columns.push({ name, extent })
      if (name !== null) scope = withLocals(scope, [[name, extent]])
    }
    return { columns, rest: rests.length === 0 ? null : eitherOf(rests), scope }
  }

  /** Each source may name those before it (LATERAL). */
  const sourcesOf = (from: readonly JoinedSource[], outer: Scope): readonly NamedRows[] => {
    const sources: NamedRows[] = []
    for (const { source, on } of from) {
      sources.push(...sourceRows(source, { ...outer, sources: [...sources] }))
      all([on], { ...outer, sources: [...sources] })
    }
    return sources
  }

  const sourceRows = (source: FromSource, scope: Scope): readonly NamedRows[] => {
    const named = (rows: Rows, name: string | null): readonly NamedRows[] => [
      { ...rename(rows, source.renamed), name: source.alias ?? name },
    ]
    switch (source.kind) {
      case 'table': {
        const cte = source.schema === null ? findCte(scope, source.name) : undefined
        return named(cte ?? rowsOfTable, source.name)
      }
      case 'derived':
        return named(queryRows(source.query, scope), null)
      case 'function':
        return named(functionRows(source, scope), source.called ?? source.name)
      case 'joined': {
        const inside = sourcesOf(source.sources, scope)
        return source.alias === null ? inside : named(merged(inside), null)
      }
      case 'reshaped':
      case 'sampled':
      case 'unclear': {
        const inside = source.source === null ? [] : sourceRows(source.source, scope)
        all(source.parts, { ...scope, sources: [...scope.sources, ...inside] })
        // Values may go by new names.
        const rest = eitherOf([column, ...inside.flatMap(extentsOf)])
        return named({ ...merged(inside), rest }, inside[0]?.name ?? null)
      }
      default: {
        const never: never = source
        return never
      }
    }
  }

  const merged = (sources: readonly NamedRows[]): Rows => {
    const count = sources.reduce((sum, { columns }) => sum + columns.length, 0)
    if (count > mostColumns) refuse(tooManyColumns)
    return mergedRows(count > mostColumns ? [] : sources)
  }

  const functionRows = (source: Extract<FromSource, { kind: 'function' }>, scope: Scope): Rows => {
    const name = (source.called ?? source.name).toLowerCase()
    const given = givesCalls
      ? source.parts.flatMap(part => findCall(part, name))
      : [callOf(name, source.parts)]
    if (name === 'generate_series' || name === 'range') {
      const extents = all(given[0]?.inputs ?? [], scope)
      const [first = nothing, second] = extents
      const values = numberOf(second === undefined ? 0 : first.low, (second ?? first).high)
      const columns = [{ name: source.alias ?? name, extent: values }]
      return { columns, rest: values, count: seriesLength(name, extents), made: true }
    }
    const values = eitherOf(all(givesCalls ? source.parts : given, scope))
    const inputs = given[0]?.inputs ?? []
    const isMade = splitting.test(name) && inputs.length > 0 && inputs.every(({ kind }) => kind !== 'column')
    return { columns: [], rest: values, count: isMade ? Math.max(1, values.items) : tableRows, made: isMade }
  }

  return queryRows
}

/** Functions that give a row for each element of a list. */
const splitting =
  /^(?:unnest|string_to_table|regexp_split_to_table|jsonb?_(?:each|tree|array_elements)|flatten)/

const mergedRows = (sources: readonly NamedRows[]): Rows => {
  const rests = sources.flatMap(({ rest }) => rest ?? [])
  return {
    columns: sources.flatMap(({ columns }) => columns),
    rest: rests.length === 0 ? null : eitherOf(rests),
    ...joinedRows(sources, 0),
  }
}

const findCall = (expression: Expression, name: string): readonly Extract<Expression, { kind: 'call' }>[] =>
  expression.kind === 'call' && expression.name === name
    ? [expression]
    : childrenOf(expression).flatMap(child => findCall(child, name))

/** The name that a part of a SELECT gets without AS. */
const outputName = (expression: Expression): string | null => {
  switch (expression.kind) {
    case 'column':
    case 'field':
    case 'named':
    case 'call':
    case 'aggregate':
      return expression.name
    case 'cast':
    case 'paren':
      return outputName(expression.operand)
    case 'subquery': {
      const [first] = expression.query.kind === 'select' ? expression.query.outputs : []
      return first === undefined ? null : (first.alias ?? outputName(first.expression))
    }
    default:
      return null
  }
}

const aggregates = (expression: Expression): boolean =>
  expression.kind === 'aggregate' ||
  (expression.kind === 'call' && isCollecting(expression.name)) ||
  (expression.kind !== 'window' && childrenOf(expression).some(aggregates))
