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
import { isCollecting, isExpanding, isSeries } from './call-extent.ts'
import { column, type Extent, eitherOf, nothing, tableRows, together } from './extent.ts'
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
  readonly elements: (list: Expression, scope: Scope) => Elements
  readonly seriesElements: (name: string, extents: readonly Extent[]) => Elements
  readonly refuse: (reason: string) => void
  readonly isRefused: () => boolean
}): ((query: QueryTree, outer: Scope) => Rows) => {
  const { sizes, givesCalls, measure, elements, seriesElements, refuse, isRefused } = tools

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
    const count = Math.max(1, Math.min(rows.count, ...limits.filter(limit => limit >= 0)))
    return { ...rows, count, factor: Math.min(rows.factor, count) }
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
    let current: Rows = { columns: [], rest: nothing, count: 1, made: true, factor: 1 }
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
      factor: Math.max(1, longestSpan),
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
      factor: query.operator === 'union' ? left.factor + right.factor : left.factor,
    }
  }

  const valueRows = (values: readonly Expression[], scope: Scope): Rows => {
    const rows = values.map(row => all(row.kind === 'group' ? row.parts : [row], scope))
    const width = Math.max(0, ...rows.map(({ length }) => length))
    const columns = Array.from({ length: width }, (_, at) => ({
      name: null,
      extent: eitherOf(rows.map(row => row[at] ?? nothing)),
    }))
    return { columns, rest: null, count: rows.length, made: true, factor: Math.max(1, rows.length) }
  }

  const selectRows = (query: SelectTree, outer: Scope): Rows => {
    if (query.rows !== null) return valueRows(query.rows, outer)
    const sources = sourcesOf(query.from, outer)
    const conditions = [query.where, ...query.from.map(({ on }) => on)].filter(one => one !== null)
    // ARRAY JOIN goes through a list of the row, even where the list looks like a table.
    const crossed = query.from.filter(
      ({ join, on, source, special }) =>
        join === 'cross' && on === null && !(special?.endsWith('array') && source.kind === 'table'),
    ).length
    const withoutCondition = Math.max(0, crossed - sources.filter(({ isOfData }) => isOfData).length)
    const isGrouped = query.groupBy.length > 0 || query.groupByAll
    const isInner = (outer.parent?.sources.length ?? 0) > 0
    const inside: Scope = { ...outer, sources, bounds: boundsIn(query.where, query.from) }
    const from = expanded(query, joinedRows(sources, query.where === null ? withoutCondition : 0), inside)
    const sets = isGrouped ? groupingSets(query.groupBy) : 1
    // The rows of a table are spread over its groups, or over the rows that an inner query is asked for. Those that are
    // made may all be in one group, and a total is over all groups.
    const isSpread = (isGrouped || isInner) && !from.made && sets === 1
    const perGroup = isSpread ? from.factor * Math.ceil(Math.sqrt(from.count / from.factor)) : from.count
    const scope: Scope = { ...inside, rows: perGroup }
    const listed = selectList(query, scope)
    all([...conditions, query.having, query.qualify, ...query.details], listed.scope)
    const keys = all([...query.groupBy, ...query.orderBy.flatMap(orderingParts)], listed.scope)
    const isOneRow =
      !isGrouped &&
      query.outputs.length > 0 &&
      query.outputs.some(({ expression }) => aggregates(expression, sizes))
    const count = isOneRow ? 1 : isGrouped ? perGroup * sets : from.count
    const rows: Rows = {
      columns: listed.columns,
      rest: listed.rest,
      count,
      made: from.made || isOneRow,
      factor: Math.min(from.factor * sets, count),
    }
    if (keys.length > 0 || query.distinct) checkKept(rows, 'sorts or groups', keys)
    return rows
  }

  /** Rows that a SELECT makes more of with functions such as `unnest`, wherever they stand in it. */
  const expanded = (
    { outputs, details }: SelectTree,
    from: Pick<Rows, 'count' | 'made' | 'factor'>,
    scope: Scope,
  ): Pick<Rows, 'count' | 'made' | 'factor'> =>
    [...outputs.map(({ expression }) => expression), ...details]
      .flatMap(expandingCalls)
      .reduce((rows, call) => {
        const { count, isKnown } = rowsOfCall(call, scope)
        if (count === null) return rows
        return { count: rows.count * count, made: rows.made, factor: rows.factor * (isKnown ? count : 1) }
      }, from)

  const expandingCalls = (expression: Expression): readonly Call[] => [
    ...(expression.kind === 'call' &&
    (isExpanding(expression.name) || (givesCalls && isSeries(expression.name)))
      ? [expression]
      : []),
    ...childrenOf(expression).flatMap(expandingCalls),
  ]

  const rowsOfCall = ({ name, inputs }: Call, scope: Scope): Elements => {
    if (isSeries(name)) return seriesElements(name, all(inputs, scope))
    const [list] = inputs
    // `TABLE(FLATTEN(...))`.
    if (list?.kind === 'call' && splitting.test(list.name)) return rowsOfCall(list, scope)
    return list === undefined ? { count: null, value: null, isKnown: false } : elements(list, scope)
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
        return ofData(named(functionRows(source, scope), source.called ?? source.name))
      case 'joined': {
        const inside = sourcesOf(source.sources, scope)
        return source.alias === null ? inside : named(merged(inside), null)
      }
      case 'reshaped':
      case 'sampled':
      case 'unclear': {
        const [call] = source.source === null ? source.parts.flatMap(callsOfRows) : []
        if (source.source === null)
          return ofData(
            named(call === undefined ? rowsOfTable : functionRowsOf(call, source.parts, scope), null),
          )
        const inside = sourceRows(source.source, scope)
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
    const [call = callOf(name)] = given
    return isSeries(name)
      ? seriesRows(call, source.alias ?? name, scope)
      : functionRowsOf(call, givesCalls ? source.parts : given, scope)
  }

  const seriesRows = (call: Call, called: string, scope: Scope): Rows => {
    const { count, value, isKnown } = rowsOfCall(call, scope)
    const rows = count ?? 1
    const rest = value ?? nothing
    return {
      columns: [{ name: called, extent: rest }],
      rest,
      count: rows,
      made: true,
      factor: isKnown ? rows : 1,
    }
  }

  const functionRowsOf = (call: Call, parts: readonly Expression[], scope: Scope): Rows => {
    const whole = eitherOf(all(parts, scope))
    if (!splitting.test(call.name)) return { ...rowsOfTable, rest: whole }
    const { count, value, isKnown } = rowsOfCall(call, scope)
    return {
      columns: [],
      rest: value ?? whole,
      count: count ?? tableRows,
      made: count !== null,
      factor: count !== null && isKnown ? count : 1,
    }
  }

  return queryRows
}

const ofData = (sources: readonly NamedRows[]): readonly NamedRows[] =>
  sources.map(source => ({ ...source, isOfData: !source.made }))

type Call = Extract<Expression, { kind: 'call' }>

/** The elements of a list. Without a `count`, it is a list of the data; without a `value`, they are as long as the list. */
export interface Elements {
  readonly count: number | null
  readonly value: Extent | null
  /** True if there are so many for certain. */
  readonly isKnown: boolean
}

/** Functions in FROM that give a row for each element of a list. */
const splitting =
  /^(?:unnest|string_to_table|regexp_split_to_table|jsonb?_(?:each|tree|array_elements)|(?:pos)?explode|flatten|table)/

const callsOfRows = (expression: Expression): readonly Call[] =>
  expression.kind === 'call' && splitting.test(expression.name)
    ? [expression]
    : childrenOf(expression).flatMap(callsOfRows)

/** How many ways of grouping there are: CUBE has one for each set of its keys. */
const groupingSets = (groupBy: readonly Expression[]): number => {
  const plain = groupBy.filter(one => setsOf(one, 0) === 1).length
  return Math.min(
    mostGroupingSets,
    groupBy.reduce((product, one) => product * setsOf(one, plain), 1),
  )
}

/** `keys` are those that `WITH ROLLUP` and `WITH CUBE` are about. */
const setsOf = (expression: Expression, keys: number): number => {
  if (expression.kind === 'paren') return setsOf(expression.operand, keys)
  if (expression.kind !== 'call') return 1
  const { inputs } = expression
  switch (expression.name.replaceAll('_', ' ')) {
    case 'cube':
      return 2 ** Math.max(1, inputs.length || keys)
    case 'rollup':
      return 1 + Math.max(1, inputs.length || keys)
    case 'grouping sets':
      return inputs.reduce((sum, one) => sum + setsOf(one, keys), 0)
    default:
      return 1
  }
}

const mostGroupingSets = 4096

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

const aggregates = (expression: Expression, sizes: SizeRules): boolean =>
  expression.kind === 'aggregate' ||
  (expression.kind === 'call' && isCollecting(expression.name, sizes)) ||
  (expression.kind !== 'window' && childrenOf(expression).some(one => aggregates(one, sizes)))
