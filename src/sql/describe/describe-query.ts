import type { ValueKind } from '../../domain/result.ts'
import type { Expression, JoinedSource, Ordering, QueryTree, SelectTree } from '../tree/query-tree.ts'
import { describeCondition } from './describe-condition.ts'
import { describeExpression, isMoment, joinWords, kindOf } from './describe-expression.ts'
import { rowTable, splitJoins } from './joins.ts'
import {
  fold,
  innerScope,
  type NamedSource,
  type NameScope,
  resolveName,
  withCtes,
  withoutOutputs,
} from './name-scope.ts'
import { pluralHead, tableNoun, tableNouns } from './nouns.ts'

/** A query as one sentence without its full stop. */
export const describeQuery = (query: QueryTree, outer: NameScope): string => {
  if (query.kind === 'select') return describeSelect(query, outer)
  const names = withCtes(query, outer)
  const [left, right] = [describeQuery(query.left, names), describeQuery(query.right, names)]
  const order = describeOrder(query, innerScope(firstSelect(query), names))
  const joined = {
    union: `${left}; together with ${right}`,
    intersect: `what is in both: ${left}; and ${right}`,
    except: `${left}; but without ${right}`,
  }[query.operator]
  return `${joined}${order === '' ? '' : `; ${order}`}`
}

/** The SELECT that names the columns of a query. */
export const firstSelect = (query: QueryTree): SelectTree =>
  query.kind === 'select' ? query : firstSelect(query.left)

/** A query inside another one, as a noun phrase. */
export const describeNested = (query: QueryTree, outer: NameScope): string => {
  const words = describeQuery(query, outer)
  return words.includes(', ') || words.includes(' where ') ? `(${words})` : words
}

/** The rows of a query as a noun without an article: `concert where the year is 2014`. */
export const describeRows = (query: QueryTree, outer: NameScope): string => {
  const select = firstSelect(query)
  const names = innerScope(select, outer)
  const table = rowTable(select, names) ?? names.sources[0]?.table ?? null
  const noun = table === null ? 'row' : tableNoun(table, names)
  const where = select.where === null ? '' : ` where ${describeCondition(select.where, names)}`
  const having = select.having === null ? '' : `, in groups where ${describeCondition(select.having, names)}`
  return `${noun}${where}${having}`
}

const describeSelect = (select: SelectTree, outer: NameScope): string => {
  const names = innerScope(select, outer)
  const superlative = describeSuperlative(select, names)
  const order = superlative ?? describeOrder(select, names)
  const split = splitJoins(select, names)
  const filters = [...split.joined.map(({ condition }) => condition), ...split.filters]
  const where =
    filters.length === 0 ? '' : ` where ${describeCondition({ kind: 'and', operands: filters }, names)}`
  const groups = select.groupBy.length === 0 ? '' : `, for each ${joinWords(groupWords(select, names))}`
  const having =
    select.having === null
      ? ''
      : select.groupBy.length === 0
        ? `, only if ${describeCondition(select.having, names)}`
        : `, only those where ${describeCondition(select.having, names)}`
  const qualify =
    select.qualify === null ? '' : `, only those where ${describeCondition(select.qualify, names)}`
  return `${outputWords(select, split.from, names)}${where}${groups}${having}${qualify}${order === '' ? '' : `, ${order}`}`
}

/** A key of GROUP BY or ORDER BY; a number is the place of an output. */
export const describeKey = (
  key: SelectTree['groupBy'][number],
  select: SelectTree,
  names: NameScope,
): string => {
  const place = key.kind === 'number' ? select.outputs[Number(key.value) - 1] : undefined
  return describeExpression(place?.expression ?? key, names)
}

/** What rows are grouped by; a table's key stands for the table, and whatever else of that table for nothing more. */
const groupWords = (select: SelectTree, names: NameScope): readonly string[] => {
  const tables = new Set(
    select.groupBy.flatMap(key => {
      const meaning = key.kind === 'column' ? resolveName(key, names, true) : null
      const isKey = meaning?.kind === 'column' && meaning.table.primaryKey.join() === meaning.column.name
      return isKey ? [meaning.table] : []
    }),
  )
  const others = select.groupBy.filter(key => {
    const meaning = key.kind === 'column' ? resolveName(key, names, true) : null
    return meaning?.kind !== 'column' || !tables.has(meaning.table)
  })
  return [
    ...[...tables].map(table => tableNoun(table, names)),
    ...others.map(key => describeKey(key, select, names)),
  ]
}

const outputWords = (select: SelectTree, sources: readonly JoinedSource[], names: NameScope): string => {
  const nouns = shareTables(
    select.outputs.map(({ expression }) => describeExpression(expression, withoutOutputs(names))),
  )
  const rows = rowTable(select, names)
  const from = describeSources(sources, names)
  const aggregates = select.outputs.some(({ expression }) => holdsAggregate(expression))
  if (select.outputs.length === 1 && select.outputs[0]?.expression.kind === 'star')
    return `all columns of the ${select.distinct ? 'different ' : ''}${from}`
  const listed = select.distinct ? `different ${joinWords(nouns.map(pluralHead))}` : joinWords(nouns)
  const head = /^[“\d]/.test(listed) ? listed : `the ${listed}`
  const counted = rows !== null && nouns.some(noun => noun.includes(tableNouns(rows, names)))
  if (names.sources.length === 0 || (counted && names.sources.length === 1)) return `${head}`
  if (names.sources.length > 1 || rows === null) return `${head}, from ${from}`
  // One row of the result for each row read, or one for many.
  return select.distinct || aggregates
    ? `${head} of the ${from}`
    : `${head} of each ${tableNoun(rows, names)}`
}

/** `name of the boat, length of the boat` is `name, length of the boat` where nothing else stands between them. */
const shareTables = (nouns: readonly string[]): readonly string[] => {
  const tables = nouns.map(noun => /^[\w ]+( of the [\w ]+)$/.exec(noun)?.[1] ?? null)
  return nouns.map((noun, at) => {
    const table = tables[at] ?? null
    return table !== null && table === tables[at + 1] ? noun.slice(0, -table.length) : noun
  })
}

/** Whether one row of the result stands for many of its sources. */
const holdsAggregate = (expression: Expression): boolean => {
  if (expression.kind === 'aggregate') return true
  if (expression.kind === 'arithmetic')
    return holdsAggregate(expression.left) || holdsAggregate(expression.right)
  return expression.kind === 'call' && expression.inputs.some(holdsAggregate)
}

const describeSources = (from: readonly JoinedSource[], names: NameScope): string =>
  names.sources
    .map((source, index) => {
      const words = sourceNouns(source, names)
      if (index === 0) return words
      const link = links[from[index]?.join ?? 'cross']
      return `${source.table === null ? link.replace(/ their$/, '') : link} ${words}`
    })
    .join(' ')

const links: Readonly<Record<NonNullable<JoinedSource['join']>, string>> = {
  inner: 'and their',
  natural: 'and their',
  left: 'and, where they have any, their',
  right: 'to all of the',
  full: 'and, on either side also without a partner, the',
  cross: 'in every combination with',
}

/** The rows of a source in the plural. */
export const sourceNouns = (source: NamedSource, names: NameScope): string => {
  if (source.table !== null) return tableNouns(source.table, names)
  if (source.query !== null && source.names !== null) return `(${describeQuery(source.query, source.names)})`
  return fold(source.known)
}

/** The order of a query's rows and how many of them are given; empty where it says neither. */
const describeOrder = (query: QueryTree, names: NameScope): string => {
  const select = firstSelect(query)
  const keys = query.orderBy.map(
    one =>
      `${describeKey(one.expression, select, names)} (${direction(one, select, names)}${kindOfKey(one, select, names) === 'text' ? '' : ' first'})`,
  )
  const order = keys.length === 0 ? '' : `ordered by ${joinWords(keys)}`
  const limit = limitWords(query)
  return [order, limit].filter(one => one !== '').join(', ')
}

/** `ORDER BY x DESC LIMIT 1` as people say it: `the one with the highest x`. Null where the order is another. */
const describeSuperlative = (select: SelectTree, names: NameScope): string | null => {
  const [key, ...others] = select.orderBy
  if (key === undefined || others.length > 0 || select.offset !== null) return null
  if (select.limit?.kind !== 'number' || kindOfKey(key, select, names) === 'text') return null
  const words = `the ${direction(key, select, names)} ${describeKey(key.expression, select, names)}`
  return select.limit.value === '1'
    ? `only the one with ${words}`
    : `only the ${select.limit.value} with ${words}`
}

const kindOfKey = (
  { expression }: Pick<Ordering, 'expression'>,
  select: SelectTree,
  names: NameScope,
): ValueKind => {
  const place = expression.kind === 'number' ? select.outputs[Number(expression.value) - 1] : undefined
  return kindOf(place?.expression ?? expression, names)
}

const direction = ({ expression, direction }: Ordering, select: SelectTree, names: NameScope): string => {
  const kind = kindOfKey({ expression }, select, names)
  if (isMoment(kind)) return direction === 'asc' ? 'earliest' : 'latest'
  if (kind === 'text') return direction === 'asc' ? 'A to Z' : 'Z to A'
  return direction === 'asc' ? 'lowest' : 'highest'
}

/** LIMIT and OFFSET in words; empty where there is neither. */
export const limitWords = ({ limit, offset }: QueryTree): string => {
  const skipped = offset?.kind === 'number' && offset.value !== '0' ? offset.value : null
  const count = limit?.kind === 'number' ? limit.value : null
  if (count === null) return skipped === null ? '' : `without the first ${skipped}`
  const words = count === '1' ? 'only the first' : `only the first ${count}`
  return skipped === null ? words : `${words} after leaving out ${skipped}`
}
