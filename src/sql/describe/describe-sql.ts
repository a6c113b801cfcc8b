import type { Catalog } from '../../domain/catalog.ts'
import { readQueryTree } from '../rewrite/plain-query.ts'
import type { Expression, JoinedSource, QueryTree, SelectTree } from '../tree/query-tree.ts'
import { describeCondition } from './describe-condition.ts'
import { describeExpression } from './describe-expression.ts'
import { describeKey, describeQuery, firstSelect, limitWords, sourceNouns } from './describe-query.ts'
import { conjuncts, splitJoins } from './joins.ts'
import { gatherMentions, type Mentions, noMentions } from './mentions.ts'
import { innerScope, type NameScope, outermostScope, withCtes, withoutOutputs } from './name-scope.ts'

/**
 * A statement in plain words, with names as the catalog has them: `the number of singers where the age is more than
 * 20, for each country`. Null for a text that cannot be parsed or is no single query.
 */
export const describeSql = (sql: string, catalog: Catalog): DescribedSql | null => {
  const query = readQueryTree(sql, catalog.dialect)
  if (query === null) return null
  const names = outermostScope(catalog)
  return { text: describeQuery(query, names), parts: describeParts(query, names) }
}

/** What a part of a statement does. `source` are the tables that the rows come from. */
export type PartKind =
  | 'output'
  | 'distinct'
  | 'source'
  | 'join'
  | 'filter'
  | 'group'
  | 'having'
  | 'order'
  | 'limit'
  | 'set'

/** What a part does that a question has words for: "more than", "not", "each", "average". */
export type Sign =
  | 'count'
  | 'sum'
  | 'average'
  | 'lowest'
  | 'highest'
  | 'distinct'
  | 'negation'
  | 'missing'
  | 'more'
  | 'at-least'
  | 'less'
  | 'at-most'
  | 'between'
  | 'pattern'
  | 'or'
  | 'all-kept'
  | 'ascending'
  | 'descending'
  | 'both'
  | 'either'
  | 'except'

/** A column of the catalog; `table` is null where the statement does not say whose it is. */
export interface ColumnName {
  readonly table: string | null
  readonly column: string
}

/** A literal of a part, and the column that it is compared to. */
export interface PartValue {
  readonly value: string
  readonly kind: 'text' | 'number'
  readonly column: ColumnName | null
}

/** One part of a statement in words, with what it names. */
export interface DescribedPart {
  readonly kind: PartKind
  /** Plain words for a person: `the age is more than 20`. */
  readonly words: string
  /** How deep in subqueries the part stands; 0 is the statement itself. */
  readonly depth: number
  readonly tables: readonly string[]
  readonly columns: readonly ColumnName[]
  readonly values: readonly PartValue[]
  readonly signs: readonly Sign[]
}

/** A statement read back into words: one sentence without its full stop, and the parts that it is made of. */
export interface DescribedSql {
  readonly text: string
  readonly parts: readonly DescribedPart[]
}

/** The parts of a query, its own first and those of its subqueries behind them. */
export const describeParts = (query: QueryTree, outer: NameScope, depth = 0): readonly DescribedPart[] => {
  const ctes = query.ctes.flatMap(cte => describeParts(cte.query, withCtes(query, outer), depth + 1))
  if (query.kind === 'select') return [...selectParts(query, outer, depth), ...ctes]
  const names = withCtes(query, outer)
  const signs = { union: 'either', intersect: 'both', except: 'except' } as const
  const set = partOf('set', setWords[query.operator], depth, noMentions(), [signs[query.operator]])
  return [
    ...describeParts(query.left, names, depth),
    set,
    // The other side is a query in its own right: what it gives is not given twice.
    ...describeParts(query.right, names, depth + 1),
    ...frameParts(query, innerScope(firstSelect(query), names), depth),
    ...ctes,
  ]
}

const setWords = { union: 'together with', intersect: 'also in', except: 'but without' } as const

const partOf = (
  kind: PartKind,
  words: string,
  depth: number,
  mentions: Mentions,
  signs: readonly Sign[] = [],
): DescribedPart => ({
  kind,
  words,
  depth,
  tables: [...mentions.tables],
  columns: mentions.columns,
  values: mentions.values,
  signs: [...new Set([...mentions.signs, ...signs])],
})

/** A part for an expression, with the parts of the queries in it behind. */
const expressionParts = (
  kind: PartKind,
  words: string,
  expressions: readonly Expression[],
  names: NameScope,
  depth: number,
  signs: readonly Sign[] = [],
): readonly DescribedPart[] => {
  const mentions = noMentions()
  for (const expression of expressions) gatherMentions(expression, names, mentions)
  return [
    partOf(kind, words, depth, mentions, signs),
    ...mentions.queries.flatMap(one => describeParts(one.query, one.names, depth + 1)),
  ]
}

const selectParts = (select: SelectTree, outer: NameScope, depth: number): readonly DescribedPart[] => {
  const names = innerScope(select, outer)
  const split = splitJoins(select, names)
  const listed = withoutOutputs(names)
  const condition = (kind: PartKind, whole: Expression | null): readonly DescribedPart[] =>
    conjuncts(whole).flatMap(one => expressionParts(kind, describeCondition(one, names), [one], names, depth))
  return [
    ...select.outputs.flatMap(({ expression }) =>
      expressionParts('output', describeExpression(expression, listed), [expression], listed, depth),
    ),
    ...(select.distinct ? [partOf('distinct', 'each only once', depth, noMentions(), ['distinct'])] : []),
    ...sourceParts(split.from, names, depth),
    ...split.joined.flatMap(({ condition }) =>
      expressionParts('filter', describeCondition(condition, names), [condition], names, depth),
    ),
    ...split.filters.flatMap(one => condition('filter', one)),
    ...select.groupBy.flatMap(key =>
      expressionParts(
        'group',
        `for each ${describeKey(key, select, names)}`,
        [resolvePlace(key, select)],
        names,
        depth,
      ),
    ),
    ...condition('having', select.having),
    ...condition('having', select.qualify),
    ...frameParts(select, names, depth),
  ]
}

const resolvePlace = (key: Expression, select: SelectTree): Expression =>
  key.kind === 'number' ? (select.outputs[Number(key.value) - 1]?.expression ?? key) : key

const sourceParts = (
  from: readonly JoinedSource[],
  names: NameScope,
  depth: number,
): readonly DescribedPart[] =>
  names.sources.flatMap((source, index) => {
    const joined = from[index]
    const mentions = noMentions()
    if (source.table !== null) mentions.tables.add(source.table.name)
    const keepsAll = joined?.join === 'left' || joined?.join === 'right' || joined?.join === 'full'
    const inner =
      source.query !== null && source.names !== null && from[index]?.source.kind === 'derived'
        ? describeParts(source.query, source.names, depth + 1)
        : []
    return [
      partOf(
        index === 0 ? 'source' : 'join',
        sourceNouns(source, names),
        depth,
        mentions,
        keepsAll ? ['all-kept'] : [],
      ),
      ...inner,
    ]
  })

const frameParts = (query: QueryTree, names: NameScope, depth: number): readonly DescribedPart[] => {
  const select = firstSelect(query)
  const limit = limitWords(query)
  const bound = noMentions()
  if (query.limit?.kind === 'number')
    bound.values.push({ value: query.limit.value, kind: 'number', column: null })
  return [
    ...query.orderBy.flatMap(({ expression, direction }) =>
      expressionParts(
        'order',
        `ordered by ${describeKey(expression, select, names)}, ${direction === 'asc' ? 'lowest' : 'highest'} first`,
        [resolvePlace(expression, select)],
        names,
        depth,
        [direction === 'asc' ? 'ascending' : 'descending'],
      ),
    ),
    ...(limit === '' ? [] : [partOf('limit', limit, depth, bound)]),
  ]
}
