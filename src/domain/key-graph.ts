import { type Catalog, type Column, type KeySide, nameTables } from './catalog.ts'

/** One side of a key: the position of its table in the catalog, and its columns in the key's order. */
interface KeyEnd<KeyColumn> {
  readonly table: number
  readonly columns: readonly KeyColumn[]
}

/** A foreign key between two tables; `from` holds it, so each of its rows has at most one row of `to`. */
export interface KeyEdge<KeyColumn = Column> {
  readonly from: KeyEnd<KeyColumn>
  readonly to: KeyEnd<KeyColumn>
  /** The key is the whole primary key of its table, so each row of `to` has at most one row of `from` too. */
  readonly oneToOne: boolean
  /** Declared by the database; others were guessed, or come from the team's knowledge. */
  readonly declared: boolean
}

/** The tables of a catalog, by position, and the keys that join them. Several keys may join the same two tables. */
export interface KeyGraph<KeyColumn = Column> {
  readonly edges: readonly KeyEdge<KeyColumn>[]
  /** For each table the keys at either of its sides, in the catalog's order. A key of a table to itself is there once. */
  readonly edgesOf: readonly (readonly KeyEdge<KeyColumn>[])[]
}

/**
 * Builds the key graph of a catalog. `columnAt` says what stands for a column, by the positions of its table and of
 * itself: whatever the caller knows of it. Keys of tables or columns that the catalog does not have are left out.
 */
export const makeKeyGraph = <KeyColumn>(
  catalog: Pick<Catalog, 'tables' | 'foreignKeys'>,
  columnAt: (table: number, column: number) => KeyColumn,
): KeyGraph<KeyColumn> => {
  const names = nameTables(catalog)
  const tableAt = new Map(catalog.tables.map((table, at) => [names.get(table) ?? table.name, at]))
  const columnsAt = catalog.tables.map(({ columns }) => new Map(columns.map(({ name }, at) => [name, at])))
  const endOf = (side: KeySide) => {
    const table = tableAt.get(side.table)
    if (table === undefined) return null
    const columns = side.columns.flatMap(name => {
      const at = columnsAt[table]?.get(name)
      return at === undefined ? [] : [columnAt(table, at)]
    })
    return columns.length === side.columns.length ? { table, columns } : null
  }

  const edges: KeyEdge<KeyColumn>[] = []
  const edgesOf: KeyEdge<KeyColumn>[][] = catalog.tables.map(() => [])
  for (const key of catalog.foreignKeys) {
    const from = endOf(key.from)
    const to = endOf(key.to)
    if (!from || !to || from.columns.length === 0 || from.columns.length !== to.columns.length) continue
    const primaryKey = catalog.tables[from.table]?.primaryKey ?? []
    const oneToOne =
      primaryKey.length === key.from.columns.length &&
      primaryKey.every(column => key.from.columns.includes(column))
    const edge = { from, to, oneToOne, declared: key.source === 'declared' }
    edges.push(edge)
    edgesOf[from.table]?.push(edge)
    if (to.table !== from.table) edgesOf[to.table]?.push(edge)
  }
  return { edges, edgesOf }
}

const graphs = new WeakMap<Catalog, KeyGraph>()

/** The key graph of a catalog's own columns, built when it is first asked for and kept as long as the catalog is. */
export const keyGraphOf = (catalog: Catalog): KeyGraph => {
  const known = graphs.get(catalog)
  if (known) return known
  const graph = makeKeyGraph(catalog, (table, column) => catalog.tables[table]!.columns[column]!)
  graphs.set(catalog, graph)
  return graph
}

/** The table at the other side of a key of `table`; the same one when the key leads back to it. */
export const otherTable = ({ from, to }: KeyEdge<unknown>, table: number): number =>
  from.table === table ? to.table : from.table

/** All keys that join two tables, in the catalog's order, whichever way they point. */
export const keysBetween = <KeyColumn>(
  { edgesOf }: KeyGraph<KeyColumn>,
  a: number,
  b: number,
): readonly KeyEdge<KeyColumn>[] => (edgesOf[a] ?? []).filter(edge => otherTable(edge, a) === b)

/** Trees that hold all tables asked for. Each step joins `to` to a table that is in its tree already. */
interface JoinForest {
  /** The first table of each tree: one tree when keys connect all tables. */
  readonly roots: readonly number[]
  readonly steps: readonly { readonly from: number; readonly to: number }[]
}

/** What a path costs: 1 for each table that it adds, and what `extra` says of that table. */
interface PathCosts {
  /** 0 or more. */
  readonly extra?: (table: number) => number
  /** Tables are not joined over paths that cost more. */
  readonly limit?: number
}

/**
 * Connects tables over as few others as possible: the table with the cheapest path to the tree is joined next, which
 * is the usual 2-approximation of a Steiner tree (Takahashi and Matsuyama, 1980). Between equal paths the one over keys
 * that come first in the catalog is taken. Tables that no path leads to get a tree of their own.
 */
export const connectTables = (
  graph: KeyGraph<unknown>,
  tables: readonly number[],
  costs: PathCosts = {},
): JoinForest => {
  const roots: number[] = []
  const steps: JoinForest['steps'][number][] = []
  const joined = new Set<number>()
  const open = new Set(tables)
  for (const first of open) {
    roots.push(first)
    joined.add(first)
    open.delete(first)
    let path = cheapestPath(graph, joined, open, costs)
    while (path !== null) {
      for (const step of path) {
        steps.push(step)
        joined.add(step.to)
        open.delete(step.to)
      }
      path = cheapestPath(graph, joined, open, costs)
    }
  }
  return { roots, steps }
}

/** Dijkstra's search from all of `sources` at once to the nearest of `targets`; null if none is near enough. */
const cheapestPath = (
  { edgesOf }: KeyGraph<unknown>,
  sources: ReadonlySet<number>,
  targets: ReadonlySet<number>,
  { extra = () => 0, limit = Number.POSITIVE_INFINITY }: PathCosts,
): JoinForest['steps'] | null => {
  if (targets.size === 0) return null
  const costOf = new Map([...sources].map(table => [table, 0]))
  const cameFrom = new Map<number, number>()
  const open = new Set(sources)
  while (open.size > 0) {
    const { table, cost } = cheapestOf(open, costOf)
    if (cost > limit) return null
    if (targets.has(table)) return stepsTo(table, cameFrom)
    open.delete(table)
    for (const edge of edgesOf[table] ?? []) {
      const next = otherTable(edge, table)
      const nextCost = cost + 1 + extra(next)
      if (nextCost >= (costOf.get(next) ?? Number.POSITIVE_INFINITY)) continue
      costOf.set(next, nextCost)
      cameFrom.set(next, table)
      open.add(next)
    }
  }
  return null
}

/** The cheapest table; among equals the one that was reached first. */
const cheapestOf = (
  open: ReadonlySet<number>,
  costOf: ReadonlyMap<number, number>,
): { readonly table: number; readonly cost: number } => {
  let best = { table: -1, cost: Number.POSITIVE_INFINITY }
  for (const table of open) {
    const cost = costOf.get(table) ?? Number.POSITIVE_INFINITY
    if (cost < best.cost) best = { table, cost }
  }
  return best
}

const stepsTo = (end: number, cameFrom: ReadonlyMap<number, number>): JoinForest['steps'] => {
  const steps: JoinForest['steps'][number][] = []
  let to = end
  for (let from = cameFrom.get(to); from !== undefined; from = cameFrom.get(to)) {
    steps.unshift({ from, to })
    to = from
  }
  return steps
}

/** The fewest joins between any two tables, by position; `Infinity` when no keys connect them. */
export const countJoins = ({ edgesOf }: KeyGraph<unknown>): readonly (readonly number[])[] =>
  edgesOf.map((_, start) => {
    const joins = new Array<number>(edgesOf.length).fill(Number.POSITIVE_INFINITY)
    joins[start] = 0
    const queue = [start]
    for (const table of queue) {
      for (const edge of edgesOf[table] ?? []) {
        const next = otherTable(edge, table)
        if (joins[next] !== Number.POSITIVE_INFINITY) continue
        joins[next] = (joins[table] ?? 0) + 1
        queue.push(next)
      }
    }
    return joins
  })
