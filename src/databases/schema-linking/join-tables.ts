import type { LinkerColumn, LinkerTable } from './catalog-description.ts'

/** What joins the chosen tables: every table of the tree, and the columns of its joins. */
interface JoinTree {
  readonly tables: readonly LinkerTable[]
  readonly keys: readonly LinkerColumn[]
}

/** What every further table of a path costs, whatever it is. */
const costPerTable = 1

/** Paths that cost more than this join nothing that belongs together. */
const maxPathCost = 12

/**
 * A small tree over the foreign keys that spans the chosen tables (Steiner tree by the shortest-path heuristic: the
 * chosen table that is nearest to the tree is joined next). A table on the way costs the more the less likely it is
 * (0 to 1), so that bridges which the question points to are cheap. Tables that no key leads to stay as they are.
 */
export const joinTables = (
  chosen: readonly LinkerTable[],
  likely: (table: LinkerTable) => number,
): JoinTree => {
  const [first] = chosen
  if (first === undefined) return { tables: [], keys: [] }
  const tree = new Set([first])
  const keys = new Set<LinkerColumn>()
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
  tree: ReadonlySet<LinkerTable>,
  wanted: ReadonlySet<LinkerTable>,
  likely: (table: LinkerTable) => number,
): readonly LinkerTable[] | null => {
  const cost = new Map<LinkerTable, number>([...tree].map(table => [table, 0]))
  const cameFrom = new Map<LinkerTable, LinkerTable>()
  const open = new Set(tree)
  while (open.size > 0) {
    const at = cheapest(open, cost)
    if (cost.get(at)! > maxPathCost) return null
    open.delete(at)
    if (wanted.has(at)) return pathTo(at, cameFrom)
    for (const next of at.neighbours) {
      const price = cost.get(at)! + costPerTable - Math.log(Math.max(0.01, likely(next))) / 4
      if (price >= (cost.get(next) ?? Number.POSITIVE_INFINITY)) continue
      cost.set(next, price)
      cameFrom.set(next, at)
      open.add(next)
    }
  }
  return null
}

const cheapest = (open: ReadonlySet<LinkerTable>, cost: ReadonlyMap<LinkerTable, number>): LinkerTable => {
  let best: LinkerTable | null = null
  for (const table of open) if (best === null || cost.get(table)! < cost.get(best)!) best = table
  return best as LinkerTable
}

const pathTo = (
  end: LinkerTable,
  cameFrom: ReadonlyMap<LinkerTable, LinkerTable>,
): readonly LinkerTable[] => {
  const path = [end]
  for (let at = cameFrom.get(end); at !== undefined; at = cameFrom.get(at)) path.unshift(at)
  return path
}

/** Both sides of every key between two tables. */
const keysBetween = (a: LinkerTable, b: LinkerTable): readonly LinkerColumn[] =>
  [
    [a, b],
    [b, a],
  ].flatMap(([from, to]) =>
    from!.columns.flatMap(column => {
      const targets = column.leadsTo.filter(target => target.table === to)
      return targets.length === 0 ? [] : [column, ...targets]
    }),
  )
