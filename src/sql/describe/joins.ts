import type { Table } from '../../domain/catalog.ts'
import type { Expression, JoinedSource, SelectTree } from '../tree/query-tree.ts'
import { type NameScope, resolveName } from './name-scope.ts'

/** A SELECT's conditions as people think of them: what joins its sources apart from what filters its rows. */
interface SplitJoins {
  readonly from: readonly JoinedSource[]
  /** Conditions of ON that are no equality of two columns, each with the place of its source. */
  readonly joined: readonly { readonly source: number; readonly condition: Expression }[]
  readonly filters: readonly Expression[]
}

/** Takes equalities over columns of two sources out of WHERE, and everything else out of ON. */
export const splitJoins = (select: SelectTree, names: NameScope): SplitJoins => {
  const filters = conjuncts(select.where)
  const links = filters.filter(one => isLink(one, names))
  const joined = select.from.flatMap(({ on }, source) =>
    conjuncts(on)
      .filter(condition => keyPairs(condition).length === 0)
      .map(condition => ({ source, condition })),
  )
  return {
    // `FROM a, b WHERE a.id = b.a_id` is an inner join in the old spelling.
    from: select.from.map(one =>
      one.join === 'cross' && links.length > 0 ? { ...one, join: 'inner' } : one,
    ),
    joined,
    filters: filters.filter(one => !links.includes(one)),
  }
}

/** The conditions that hold together. */
export const conjuncts = (condition: Expression | null): readonly Expression[] => {
  if (condition === null) return []
  return condition.kind === 'and' ? condition.operands : [condition]
}

const isLink = (condition: Expression, names: NameScope): boolean => {
  const [pair] = keyPairs(condition)
  if (pair === undefined || names.sources.length < 2) return false
  const [one, other] = [resolveName(pair[0], names), resolveName(pair[1], names)]
  if (one.kind === 'column' && other.kind === 'column') return one.table !== other.table
  return pair[0].qualifier !== null && pair[1].qualifier !== null && pair[0].qualifier !== pair[1].qualifier
}

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
