import type { ForeignKey } from '../../core/catalog.ts'

/**
 * The chosen tables and those in between that are needed to join them: a small tree over the foreign keys that
 * spans them (Steiner tree by the shortest-path heuristic: the nearest table left is joined next, along a shortest
 * path). Tables that no key leads to stay as they are. The first table is where the tree begins.
 */
export const connectTables = (
  chosen: readonly string[],
  foreignKeys: readonly ForeignKey[],
): readonly string[] => {
  const neighbours = neighboursOf(foreignKeys)
  const [first] = chosen
  if (first === undefined) return []
  const tree = new Set([first])
  const left = new Set(chosen.slice(1))
  while (left.size > 0) {
    const path = shortestPath(tree, left, neighbours)
    if (path === null) {
      // Another part of the schema: it gets a tree of its own.
      const [next] = left
      if (next !== undefined) {
        tree.add(next)
        left.delete(next)
      }
      continue
    }
    for (const table of path) {
      tree.add(table)
      left.delete(table)
    }
  }
  return [...tree]
}

const neighboursOf = (foreignKeys: readonly ForeignKey[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const neighbours = new Map<string, Set<string>>()
  for (const { from, to } of foreignKeys) {
    neighbours.set(from.table, (neighbours.get(from.table) ?? new Set()).add(to.table))
    neighbours.set(to.table, (neighbours.get(to.table) ?? new Set()).add(from.table))
  }
  return neighbours
}

/** Breadth first from all tables of the tree at once; the tables of the path behind the tree, or null. */
const shortestPath = (
  tree: ReadonlySet<string>,
  wanted: ReadonlySet<string>,
  neighbours: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] | null => {
  const cameFrom = new Map<string, string | null>([...tree].map(table => [table, null]))
  const queue = [...tree]
  for (const table of queue) {
    if (wanted.has(table)) {
      const path: string[] = []
      for (let at: string | null = table; at !== null && !tree.has(at); at = cameFrom.get(at) ?? null)
        path.unshift(at)
      return path
    }
    for (const next of neighbours.get(table) ?? []) {
      if (cameFrom.has(next)) continue
      cameFrom.set(next, table)
      queue.push(next)
    }
  }
  return null
}
