import type { Expression, JoinedSource, SelectTree } from '../../sql/query-tree/query-tree.ts'
import { type NameScope, resolveName } from './names.ts'
import { keyPairs } from './row-noun.ts'

/** A SELECT's conditions as people think of them: what joins its sources apart from what filters its rows. */
export interface SplitJoins {
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
