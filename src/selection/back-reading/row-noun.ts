import type { Table } from '../../core/catalog.ts'
import type { Expression, SelectTree } from '../../sql/query-tree/query-tree.ts'
import { type NameScope, resolveName } from './names.ts'

/**
 * The table that has one row for each row of the joined sources: the one that is not on the key's side of any join.
 * Null where no table or more than one is left.
 */
export const rowTable = (select: SelectTree, names: NameScope): Table | null => {
  if (names.sources.some(source => source.table === null)) return null
  const left = new Set(names.sources.map(source => source.table as Table))
  if (left.size < names.sources.length) return null
  for (const condition of [...select.from.map(({ on }) => on), select.where])
    for (const [a, b] of keyPairs(condition)) {
      const [one, other] = [resolveName(a, names), resolveName(b, names)]
      if (one.kind !== 'column' || other.kind !== 'column' || one.table === other.table) continue
      if (isKey(other.table, other.column.name)) left.delete(other.table)
      else if (isKey(one.table, one.column.name)) left.delete(one.table)
    }
  const [table, ...others] = left
  return table !== undefined && others.length === 0 ? table : null
}

const isKey = ({ primaryKey }: Table, column: string): boolean =>
  primaryKey.length === 1 && primaryKey[0]?.toLowerCase() === column.toLowerCase()

type ColumnUse = Extract<Expression, { kind: 'column' }>

/** Columns that a condition sets equal, without looking behind OR. */
export const keyPairs = (condition: Expression | null): readonly (readonly [ColumnUse, ColumnUse])[] => {
  if (condition === null) return []
  if (condition.kind === 'and') return condition.operands.flatMap(keyPairs)
  if (condition.kind !== 'compare' || condition.operator !== '=' || condition.quantifier !== null) return []
  const { left, right } = condition
  return left.kind === 'column' && right.kind === 'column' && !left.mayBeText && !right.mayBeText
    ? [[left, right]]
    : []
}
