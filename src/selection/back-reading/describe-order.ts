import type { ValueKind } from '../../core/result.ts'
import type { Ordering, QueryTree, SelectTree } from '../../sql/query-tree/query-tree.ts'
import { isMoment, kindOf } from './describe-expression.ts'
import { describeKey, firstSelect } from './describe-query.ts'
import { joinWords } from './join-words.ts'
import type { NameScope } from './names.ts'

/** The order of a query's rows and how many of them are given; empty where it says neither. */
export const describeOrder = (query: QueryTree, names: NameScope): string => {
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
export const describeSuperlative = (select: SelectTree, names: NameScope): string | null => {
  const [key, ...others] = select.orderBy
  if (key === undefined || others.length > 0 || select.offset !== null) return null
  if (select.limit?.kind !== 'number' || kindOfKey(key, select, names) === 'text') return null
  const words = `the ${direction(key, select, names)} ${describeKey(key.expression, select, names)}`
  return select.limit.value === '1'
    ? `only the one with ${words}`
    : `only the ${select.limit.value} with ${words}`
}

const kindOfKey = ({ expression }: Ordering, select: SelectTree, names: NameScope): ValueKind => {
  const place = expression.kind === 'number' ? select.outputs[Number(expression.value) - 1] : undefined
  return kindOf(place?.expression ?? expression, names)
}

const direction = ({ expression, direction }: Ordering, select: SelectTree, names: NameScope): string => {
  const kind = kindOfKey({ expression, direction }, select, names)
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
