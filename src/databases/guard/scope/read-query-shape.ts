import type { Dialect } from '../../../domain/sql.ts'
import { databaseDialect } from '../../../sql/dialects.ts'
import { childrenOf, orderingParts } from '../../../sql/tree/children.ts'
import {
  type Expression,
  type Frame,
  type FromSource,
  isUnclearQuery,
  type JoinedSource,
  type QueryTree,
  type SelectTree,
} from '../../../sql/tree/query-tree.ts'
import { type ExpressionShape, foldName, group, type QueryShape, type SourceShape } from './query-shape.ts'

/**
 * What a query names and where, and how often each name stands in a place that is understood. Throws at whatever its
 * reader marked as unclear, but for a table among expressions, which is told by name.
 */
export const queryShape = (
  query: QueryTree,
  dialect: Dialect,
): { readonly query: QueryShape; readonly placed: ReadonlyMap<string, number> } => {
  const placed = new Map<string, number>()
  const place = (name: string): string => {
    const folded = foldName(name, dialect)
    placed.set(folded, (placed.get(folded) ?? 0) + 1)
    return name
  }
  return { query: makeShapeReader(dialect, place)(query), placed }
}

const makeShapeReader = (
  dialect: Dialect,
  place: (name: string) => string,
): ((query: QueryTree) => QueryShape) => {
  const { hasGroupByAll, inReadsTables, specialJoins, functionColumns } = databaseDialect(dialect).scope
  const optional = (name: string | null): string | null => (name === null ? null : place(name))

  const readQuery = (query: QueryTree): QueryShape => {
    if (isUnclearQuery(query)) throw new Error('a query that is none')
    return query.brackets.reduce(withBracket, { ...readCtes(query), ...readBody(query) })
  }

  const readCtes = ({ ctes, recursive }: Frame): Pick<QueryShape, 'ctes' | 'recursive'> => ({
    ctes: ctes.map(({ name, renamed, query }) => ({
      name: place(name),
      renamed: renamed.map(place),
      query: readQuery(query),
    })),
    recursive,
  })

  /** Clauses behind brackets belong to the query in them; a WITH before brackets makes a query around it. */
  const withBracket = (query: QueryShape, bracket: Frame): QueryShape => {
    const clauses = readClauses(bracket)
    if (bracket.ctes.length === 0) return { ...query, tail: [...query.tail, ...clauses] }
    const source: SourceShape = { kind: 'query', query, alias: null, renamed: [] }
    return { ...readCtes(bracket), body: allOf(source), tail: clauses }
  }

  const readClauses = ({ orderBy, limit, offset, details }: Frame): readonly ExpressionShape[] =>
    [...orderBy.flatMap(orderingParts), limit, offset, ...details].filter(part => part !== null).map(read)

  const readBody = (query: QueryTree): Pick<QueryShape, 'body' | 'tail'> => {
    if (query.kind === 'set')
      return {
        body: {
          kind: 'set',
          isUnion: query.operator === 'union',
          left: readQuery(query.left),
          right: readQuery(query.right),
        },
        tail: readClauses(query),
      }
    if (query.rows !== null)
      return { body: { kind: 'values', parts: query.rows.map(read) }, tail: readClauses(query) }
    return { body: readSelect(query), tail: [] }
  }

  const readSelect = (select: SelectTree): QueryShape['body'] => ({
    kind: 'select',
    from: readFrom(select.from),
    outputs: select.outputs.map(({ expression, alias }) => {
      const shape = read(expression)
      const own = shape.kind === 'name' ? (shape.parts.at(-1) ?? null) : null
      return {
        name: alias === null ? own : place(alias),
        isAlias: alias !== null,
        expression: shape,
      }
    }),
    where: select.where === null ? [] : [read(select.where)],
    rest: [
      ...[...select.groupBy, select.having, select.qualify].filter(part => part !== null).map(read),
      ...readClauses(select),
    ],
  })

  /** Joins hold what stands before them; a comma begins again. */
  const readFrom = (from: readonly JoinedSource[]): readonly SourceShape[] => {
    const sources: SourceShape[] = []
    for (const [index, { source, natural, comma, on, using, usingAlias, special }] of from.entries()) {
      if (usingAlias !== null) throw new Error('an alias of USING')
      if (special !== undefined && !specialJoins.has(special)) throw new Error(`a join called ${special}`)
      const right = readSource(source)
      const left = index === 0 || comma ? undefined : sources.pop()
      if (left === undefined) sources.push(right)
      else
        sources.push({
          ...joined(left, right),
          natural,
          using: using.map(place),
          on: on === null ? [] : [read(on)],
          comparesOrder: special?.startsWith('asof') === true,
          showsLeft: special === 'semi' || special === 'anti',
        })
    }
    return sources
  }

  const readSource = (source: FromSource): SourceShape => {
    const alias = optional(source.alias)
    const renamed = source.renamed.map(place)
    switch (source.kind) {
      case 'table':
        if (source.catalog !== null) throw new Error('a table of another database')
        return { kind: 'table', schema: optional(source.schema), name: place(source.name), alias, renamed }
      case 'derived':
        return { kind: 'query', query: readQuery(source.query), alias, renamed }
      case 'function': {
        const columns = functionColumns(source.called ?? source.name) ?? []
        return {
          kind: 'call',
          parts: source.parts.map(read),
          alias: alias ?? source.called,
          renamed: [...renamed, ...columns.slice(renamed.length)],
        }
      }
      case 'reshaped':
        return {
          kind: 'reshaped',
          source: readSource(source.source),
          parts: source.parts.map(read),
          alias,
        }
      case 'joined': {
        const [inner, ...others] = readFrom(source.sources)
        if (inner === undefined || others.length > 0) throw new Error('a join of nothing')
        if (inner.kind === 'reshaped') return { ...inner, alias: alias ?? inner.alias }
        return {
          ...inner,
          alias: alias ?? inner.alias,
          renamed: renamed.length > 0 ? renamed : inner.renamed,
        }
      }
      // The sample's size stands beside its table and may name nothing.
      case 'sampled':
        return joined(readSource(source.source), {
          kind: 'call',
          parts: source.parts.map(read),
          alias: null,
          renamed: [],
        })
      case 'unclear':
        throw new Error(`a source of the kind ${source.name}`)
      default: {
        const never: never = source
        return never
      }
    }
  }

  const read = (expression: Expression): ExpressionShape => {
    switch (expression.kind) {
      case 'column': {
        const { outer, qualifier, name, quoted, mayBeText } = expression
        const parts = [...outer, ...(qualifier === null ? [] : [qualifier]), name].map(place)
        // GROUP BY ALL and ORDER BY ALL; a column of that name would need quotes.
        return hasGroupByAll && parts.length === 1 && parts[0]?.toLowerCase() === 'all' && !quoted
          ? group([])
          : { kind: 'name', parts, mayBeText }
      }
      case 'star': {
        for (const name of expression.except) place(name)
        const star: ExpressionShape = { kind: 'star', qualifier: optional(expression.qualifier) }
        return expression.replace.length === 0 && !expression.renames
          ? star
          : group([star, ...expression.replace.map(read)])
      }
      case 'field': {
        const inner = read(expression.operand)
        const field = place(expression.name)
        return inner.kind === 'name' ? { ...inner, parts: [...inner.parts, field], mayBeText: false } : inner
      }
      case 'aggregate': {
        const { name, argument, others, filter, details } = expression
        if (name !== 'count' || argument === null || others.length > 0) break
        return {
          kind: 'presence',
          part: read(argument),
          rest: [filter, ...details].filter(part => part !== null).map(read),
        }
      }
      case 'null-test':
        return { kind: 'presence', part: read(expression.operand), rest: [] }
      case 'compare': {
        const { operator, variant, quantifier, left, right, details } = expression
        if (operator !== '=' || variant !== null || quantifier !== null || details.length > 0) break
        return { kind: 'equal', left: read(left), right: read(right) }
      }
      case 'and':
        return { kind: 'and', parts: expression.operands.map(read) }
      case 'paren':
        return read(expression.operand)
      case 'named':
        place(expression.name)
        return read(expression.operand)
      case 'exists':
      case 'subquery':
        return { kind: 'query', query: readQuery(expression.query), exists: expression.kind === 'exists' }
      case 'in':
        return readIn(expression)
      case 'lambda':
        return { kind: 'lambda', names: expression.names.map(place), parts: expression.parts.map(read) }
      case 'unclear':
        if (expression.what !== 'a table where none is expected') throw new Error(expression.what)
        return { kind: 'unclear', what: expression.what }
    }
    return group(childrenOf(expression).map(read))
  }

  const readIn = (expression: Extract<Expression, { kind: 'in' }>): ExpressionShape => {
    const { operand, among, bare, details } = expression
    if ('kind' in among) {
      const asked: ExpressionShape = { kind: 'query', query: readQuery(among), exists: false }
      return group([read(operand), asked, ...details.map(read)])
    }
    const [table] = among
    // `a IN t` reads the table t in some dialects; in others t is a column that holds a list.
    if (!bare || table?.kind !== 'column' || !inReadsTables)
      return group([read(operand), group(among.map(read)), ...details.map(read)])
    const source: SourceShape = {
      kind: 'table',
      schema: optional(table.qualifier),
      name: place(table.name),
      alias: null,
      renamed: [],
    }
    const asked: QueryShape = { ctes: [], recursive: false, body: allOf(source), tail: [] }
    return group([read(operand), { kind: 'query', query: asked, exists: false }, ...details.map(read)])
  }

  return readQuery
}

const joined = (left: SourceShape, right: SourceShape): Extract<SourceShape, { kind: 'join' }> => ({
  kind: 'join',
  left,
  right,
  natural: false,
  using: [],
  on: [],
  comparesOrder: false,
  showsLeft: false,
  alias: null,
  renamed: [],
})

/** `SELECT *` of one source. */
const allOf = (source: SourceShape): QueryShape['body'] => ({
  kind: 'select',
  from: [source],
  outputs: [{ name: null, isAlias: false, expression: { kind: 'star', qualifier: null } }],
  where: [],
  rest: [],
})
