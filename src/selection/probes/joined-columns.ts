import type { Catalog, Column, Table } from '../../core/catalog.ts'
import type { QueryTree, SelectTree } from '../../sql/query-tree/query-tree.ts'
import { innerScope, outermostScope, resolveName } from '../back-reading/names.ts'
import { keyPairs } from '../back-reading/row-noun.ts'

/** Two columns of two tables that an outermost SELECT joins over. */
export interface JoinedColumns {
  readonly join: 'inner' | 'left'
  readonly left: { readonly table: Table; readonly column: Column }
  readonly right: { readonly table: Table; readonly column: Column }
}

/** The joins of a query's own sources, each over one pair of columns of the catalog; the earlier source is the left. */
export const joinedColumns = (tree: QueryTree, catalog: Catalog): readonly JoinedColumns[] => {
  if (tree.kind === 'set') return []
  const select: SelectTree = tree
  const names = innerScope(select, outermostScope(catalog))
  return select.from.flatMap(({ join, on }, at) => {
    if (join !== 'inner' && join !== 'left') return []
    const pairs = keyPairs(on)
    const [pair] = pairs
    const right = names.sources[at]?.table
    if (pair === undefined || pairs.length > 1 || !right) return []
    const sides = pair.map(column => resolveName(column, names))
    const [one, other] = sides
    if (one?.kind !== 'column' || other?.kind !== 'column' || one.table === other.table) return []
    if (one.table !== right && other.table !== right) return []
    return [other.table === right ? { join, left: one, right: other } : { join, left: other, right: one }]
  })
}
