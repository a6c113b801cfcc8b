import { databaseDialect } from '../../../src/sql/dialects.ts'
import type { ClauseRange, SelectBlock } from './select-blocks.ts'
import {
  aggregateCalls,
  closingOf,
  columnOf,
  type Edit,
  hasColumn,
  isWord,
  type ListItem,
  listItems,
  nameOfSource,
  type Statement,
  sameName,
  selectItems,
  tableOfSource,
  textBetween,
} from './statement.ts'

/**
 * Adds to GROUP BY the columns that stand beside aggregates and are missing there, and writes one where columns are
 * ordered by an aggregate. Beside `count`, `sum` and `avg` that is what is meant. Beside `min` and `max` it is not (the
 * name of the oldest is no name by age), unless the key of their table is grouped by already, which changes nothing.
 */
export const completeGrouping = (statement: Statement): readonly Edit[] =>
  statement.blocks.flatMap(block => editsWithin(block, statement))

const editsWithin = (block: SelectBlock, statement: Statement): readonly Edit[] => {
  const items = selectItems(block, statement)
  const isAggregate = (item: ListItem): boolean => aggregateCalls(item, block, statement).length > 0
  const plain = items.filter(item => !isAggregate(item) && !isConstant(item, statement))
  if (plain.length === 0) return items.every(isAggregate) ? orderOfOne(block, statement) : []
  if (plain.some(item => columnOf(item, statement) === null)) return []
  const { group, having, order, from } = block.clauses
  if (group) return missingEdits(plain, block, statement)
  const ordered = block.isPartOfSet ? undefined : order
  const asked = [...items.filter(isAggregate), ...[having, ordered].filter(clause => clause !== undefined)]
  const calls = asked.flatMap(range => aggregateCalls(range, block, statement))
  if (calls.length === 0) return []
  if (calls.some(at => isExtreme(at, statement))) return rowOfExtreme(items, block, statement)
  const before = block.clauses.where ?? from
  const last = before && statement.tokens[before.to - 1]
  if (!last) return []
  const columns = plain.map(item => textOf(item, statement))
  return [{ start: last.end, end: last.end, text: ` GROUP BY ${[...new Set(columns)].join(', ')}` }]
}

/** One row of aggregates needs no order. */
const orderOfOne = ({ clauses, isPartOfSet }: SelectBlock, { tokens }: Statement): readonly Edit[] => {
  if (!clauses.order || clauses.group || isPartOfSet) return []
  const [start, end] = [tokens[clauses.order.from]?.start, tokens[clauses.order.to - 1]?.end]
  return start === undefined || end === undefined ? [] : [{ start, end, text: '' }]
}

/** `SELECT name, max(age) FROM t` wants the row of the highest age: SQLite takes it so, others need it said. */
const rowOfExtreme = (
  items: readonly ListItem[],
  block: SelectBlock,
  statement: Statement,
): readonly Edit[] => {
  const { tokens, database } = statement
  const { having, order, limit } = block.clauses
  const [item, ...others] = items.filter(item => aggregateCalls(item, block, statement).length > 0)
  const last = tokens[block.to - 1]
  if (!item || others.length > 0 || having || order || limit || block.isPartOfSet || !last) return []
  const [call, open] = [tokens[item.from], tokens[item.from + 1]]
  if (!isWord(call, 'min', 'max') || open?.text !== '(' || closingOf(item.from + 1, tokens) !== item.to - 1)
    return []
  const of = textOf({ from: item.from + 2, to: item.to - 1, alias: null }, statement)
  const direction = isWord(call, 'max') ? 'DESC' : 'ASC'
  const sorted = databaseDialect(database.dialect).rendering.hasNullsLast
    ? `${of} ${direction} NULLS LAST`
    : `${of} IS NULL, ${of} ${direction}`
  return [
    { start: call?.start ?? 0, end: tokens[item.to - 1]?.end ?? 0, text: of },
    { start: last.end, end: last.end, text: ` ORDER BY ${sorted} LIMIT 1` },
  ]
}

const missingEdits = (
  plain: readonly ListItem[],
  block: SelectBlock,
  statement: Statement,
): readonly Edit[] => {
  const grouped = listItems('group', block, statement)
  // Numbers, ROLLUP and GROUPING SETS are left to others.
  const names = grouped.map(item => columnOf(item, statement))
  if (names.some(name => name === null)) return []
  const ordered = block.isPartOfSet
    ? []
    : listItems('order', block, statement)
        .map(item => withoutDirection(item, statement))
        .filter(item => columnOf(item, statement) !== null && !isOutput(item, block, statement))
  const hasExtreme = aggregateCalls(block, block, statement).some(at => isExtreme(at, statement))
  const missing = [...plain, ...ordered].filter(item => {
    const column = columnOf(item, statement)
    if (column === null || names.some(name => isSameColumn(name, column, statement))) return false
    return isTiedToKey(column, names, block, statement) || (!hasExtreme && plain.includes(item))
  })
  const last = grouped.at(-1)
  const end = last && statement.tokens[last.to - 1]?.end
  if (end === undefined || missing.length === 0) return []
  const texts = [...new Set(missing.map(item => textOf(item, statement)))]
  return [{ start: end, end, text: `, ${texts.join(', ')}` }]
}

type Named = { readonly qualifier: string | null; readonly column: string } | null

const isSameColumn = (a: Named, b: Named, statement: Statement): boolean =>
  a !== null &&
  b !== null &&
  sameName(a.column, b.column, statement) &&
  (a.qualifier === null || b.qualifier === null || sameName(a.qualifier, b.qualifier, statement))

/** True if the primary key of the column's table is grouped by: then it has one value a group. */
const isTiedToKey = (
  column: NonNullable<Named>,
  grouped: readonly Named[],
  block: SelectBlock,
  statement: Statement,
): boolean => {
  const owners = (block.scope?.sources ?? []).filter(source => {
    const table = tableOfSource(source, statement)
    if (table === null || !hasColumn(table, column.column, statement)) return false
    return column.qualifier === null || sameName(nameOfSource(source) ?? '', column.qualifier, statement)
  })
  const [owner, ...others] = owners
  const table = owner && tableOfSource(owner, statement)
  if (!owner || !table || others.length > 0 || table.primaryKey.length === 0) return false
  return table.primaryKey.every(key =>
    grouped.some(name => isSameColumn(name, { qualifier: nameOfSource(owner), column: key }, statement)),
  )
}

const isExtreme = (at: number, { tokens }: Statement): boolean => isWord(tokens[at], 'min', 'max')

const isConstant = ({ from, to }: ListItem, { tokens }: Statement): boolean =>
  tokens.slice(from, to).every(({ kind }) => kind === 'string' || kind === 'number' || kind === 'symbol') &&
  tokens[from]?.text !== '*'

const isOutput = (item: ListItem, block: SelectBlock, statement: Statement): boolean => {
  const column = columnOf(item, statement)
  return column?.qualifier === null && (block.scope?.outputs.has(column.column.toLowerCase()) ?? false)
}

const withoutDirection = (item: ListItem, { tokens }: Statement): ListItem => {
  let { to } = item
  while (to > item.from + 1 && isWord(tokens[to - 1], 'asc', 'desc', 'nulls', 'first', 'last')) to -= 1
  return { ...item, to }
}

const textOf = ({ from, to }: ListItem, { sql, tokens }: Statement): string =>
  sql.slice(tokens[from]?.start, tokens[to - 1]?.end)

/**
 * Puts conditions where they may stand: those on aggregates out of WHERE into HAVING, and a HAVING without any
 * aggregate and without GROUP BY into WHERE. Only conditions that AND joins are moved.
 */
export const moveConditions = (statement: Statement): readonly Edit[] =>
  statement.blocks.flatMap(block => [...intoHaving(block, statement), ...intoWhere(block, statement)])

const intoHaving = (block: SelectBlock, statement: Statement): readonly Edit[] => {
  const { where, group, having } = block.clauses
  if (!where || !group || having) return []
  const conditions = conditionsOf(where, statement)
  const moved = conditions?.filter(range => aggregateCalls(range, block, statement).length > 0) ?? []
  if (!conditions || moved.length === 0) return []
  const kept = conditions.filter(range => !moved.includes(range))
  const start = statement.tokens[where.from]?.start ?? 0
  const whereEnd = statement.tokens[where.to - 1]?.end ?? 0
  const groupEnd = statement.tokens[group.to - 1]?.end ?? 0
  return [
    { start, end: whereEnd, text: kept.length === 0 ? '' : `WHERE ${joinConditions(kept, statement)}` },
    { start: groupEnd, end: groupEnd, text: ` HAVING ${joinConditions(moved, statement)}` },
  ]
}

const intoWhere = (block: SelectBlock, statement: Statement): readonly Edit[] => {
  const { where, group, having } = block.clauses
  if (
    !having ||
    group ||
    block.own.some(at => aggregateCalls({ from: at, to: at + 1 }, block, statement).length > 0)
  )
    return []
  const conditions = where ? conditionsOf(where, statement) : []
  const more = conditionsOf(having, statement)
  if (!conditions || !more) return []
  const start = statement.tokens[having.from]?.start ?? 0
  const end = statement.tokens[having.to - 1]?.end ?? 0
  return [{ start, end, text: `${where ? 'AND' : 'WHERE'} ${joinConditions(more, statement)}` }]
}

const joinConditions = (ranges: readonly ClauseRange[], statement: Statement): string =>
  ranges.map(({ from, to }) => textBetween(statement, from, to)).join(' AND ')

/** The conditions that AND joins in a clause; null if an OR or a CASE stands beside them. */
const conditionsOf = ({ from, to }: ClauseRange, { tokens }: Statement): readonly ClauseRange[] | null => {
  const ranges: ClauseRange[] = []
  let start = from + 1
  let between = false
  for (let at = start; at < to; at++) {
    const token = tokens[at]
    if (token?.text === '(') at = closingOf(at, tokens)
    else if (isWord(token, 'or', 'xor', 'case')) return null
    else if (isWord(token, 'between')) between = true
    else if (isWord(token, 'and') && between) between = false
    else if (isWord(token, 'and')) {
      ranges.push({ from: start, to: at })
      start = at + 1
    }
  }
  return start < to ? [...ranges, { from: start, to }] : null
}
