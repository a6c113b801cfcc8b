import type { KnownColumn, KnownTable } from './describe-catalog.ts'

/** What joins the chosen tables: every table of the tree, and the columns of its joins. */
export interface JoinTree {
  readonly tables: readonly KnownTable[]
  readonly keys: readonly KnownColumn[]
}

/** What every further table of a path costs, whatever it is. */
const perTable = 1

/** Paths that cost more than this join nothing that belongs together. */
const dearest = 12

/**
 * A small tree over the foreign keys that spans the chosen tables (Steiner tree by the shortest-path heuristic: the
 * chosen table that is nearest to the tree is joined next). A table on the way costs the more the less likely it is
 * (0 to 1), so that bridges which the question points to are cheap. Tables that no key leads to stay as they are.
 */
export const joinTables = (
  chosen: readonly KnownTable[],
  likely: (table: KnownTable) => number,
): JoinTree => {
  const [first] = chosen
  if (first === undefined) return { tables: [], keys: [] }
  const tree = new Set([first])
  const keys = new Set<KnownColumn>()
  const left = new Set(chosen.slice(1))
  left.delete(first)
  while (left.size > 0) {
    const path = cheapestPath(tree, left, likely)
    if (path === null) {
      // Another part of the schema: it gets a tree of its own.
      const [next] = left
      if (next === undefined) break
      tree.add(next)
      left.delete(next)
      continue
    }
    for (const [i, table] of path.entries()) {
      const before = path[i - 1]
      if (before) for (const key of keysBetween(before, table)) keys.add(key)
      tree.add(table)
      left.delete(table)
    }
  }
  return { tables: [...tree], keys: [...keys] }
}

/** Dijkstra from all tables of the tree at once: the path from the tree to the cheapest wanted table, or null. */
const cheapestPath = (
  tree: ReadonlySet<KnownTable>,
  wanted: ReadonlySet<KnownTable>,
  likely: (table: KnownTable) => number,
): readonly KnownTable[] | null => {
  const cost = new Map<KnownTable, number>([...tree].map(table => [table, 0]))
  const cameFrom = new Map<KnownTable, KnownTable>()
  const open = new Set(tree)
  while (open.size > 0) {
    const at = cheapest(open, cost)
    if (cost.get(at)! > dearest) return null
    open.delete(at)
    if (wanted.has(at)) return pathTo(at, cameFrom)
    for (const next of at.neighbours) {
      const price = cost.get(at)! + perTable - Math.log(Math.max(0.01, likely(next))) / 4
      if (price >= (cost.get(next) ?? Number.POSITIVE_INFINITY)) continue
      cost.set(next, price)
      cameFrom.set(next, at)
      open.add(next)
    }
  }
  return null
}

const cheapest = (open: ReadonlySet<KnownTable>, cost: ReadonlyMap<KnownTable, number>): KnownTable => {
  let best: KnownTable | null = null
  for (const table of open) if (best === null || cost.get(table)! < cost.get(best)!) best = table
  return best as KnownTable
}

const pathTo = (end: KnownTable, cameFrom: ReadonlyMap<KnownTable, KnownTable>): readonly KnownTable[] => {
  const path = [end]
  for (let at = cameFrom.get(end); at !== undefined; at = cameFrom.get(at)) path.unshift(at)
  return path
}

/** Both sides of every key between two tables. */
const keysBetween = (a: KnownTable, b: KnownTable): readonly KnownColumn[] =>
  [
    [a, b],
    [b, a],
  ].flatMap(([from, to]) =>
    from!.columns.flatMap(column => {
      const targets = column.leadsTo.filter(target => target.table === to)
      return targets.length === 0 ? [] : [column, ...targets]
    }),
  )
