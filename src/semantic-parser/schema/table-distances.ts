import type { ForeignKeyEdge } from './schema-index.ts'

/** Fewest joins between any two tables along foreign keys, by breadth-first search from each. */
export const tableDistances = (
  count: number,
  edges: readonly ForeignKeyEdge[],
): readonly (readonly number[])[] => {
  const neighbours: Set<number>[] = Array.from({ length: count }, () => new Set())
  for (const edge of edges) {
    const from = edge.from[0]?.table.id
    const to = edge.to[0]?.table.id
    if (from === undefined || to === undefined) continue
    neighbours[from]?.add(to)
    neighbours[to]?.add(from)
  }
  return neighbours.map((_, start) => {
    const distances = new Array<number>(count).fill(Number.POSITIVE_INFINITY)
    distances[start] = 0
    const queue = [start]
    for (const table of queue) {
      for (const next of neighbours[table] ?? []) {
        if (distances[next] !== Number.POSITIVE_INFINITY) continue
        distances[next] = (distances[table] ?? 0) + 1
        queue.push(next)
      }
    }
    return distances
  })
}
