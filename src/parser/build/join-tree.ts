import type { Expression, Join } from '../../sql/render/query.ts'
import type { ColumnEntry, ForeignKeyEdge, SchemaIndex, TableEntry } from '../schema/schema-index.ts'
import { columnExpression, tableSource } from './expressions.ts'

/** One join of a tree: `edge` leads from a table already in the tree to `table`. */
interface TreeJoin {
  readonly edge: ForeignKeyEdge
  readonly table: TableEntry
  /** A row of the tree may meet several rows of `table`. */
  readonly many: boolean
}

export interface JoinTree {
  readonly root: TableEntry
  readonly joins: readonly TreeJoin[]
  /** Pairs of tables that more than one key joins, and which was taken. */
  readonly choices: readonly { readonly taken: ForeignKeyEdge; readonly others: readonly ForeignKeyEdge[] }[]
}

/** How much a question speaks for using a key; more is better. Ties go to the key declared first. */
export type EdgePreference = (edge: ForeignKeyEdge) => number

const MAX_ALTERNATIVES = 3

/**
 * The smallest trees that connect all tables: each table is joined by a shortest way to what is connected already
 * (the usual 2-approximation of a Steiner tree). Where several keys join a pair, the preferred one is taken in the
 * first tree, and others in further trees. Empty when some table cannot be reached.
 */
export const joinTrees = (
  schema: SchemaIndex,
  tables: readonly TableEntry[],
  prefer: EdgePreference,
): readonly JoinTree[] => {
  const first = growTree(schema, tables, prefer, new Map())
  if (!first) return []
  const trees = [first]
  for (const choice of first.choices) {
    for (const other of choice.others) {
      if (trees.length >= MAX_ALTERNATIVES) return trees
      const tree = growTree(schema, tables, prefer, new Map([[pairOf(choice.taken), other]]))
      if (tree) trees.push(tree)
    }
  }
  return trees
}

const growTree = (
  schema: SchemaIndex,
  tables: readonly TableEntry[],
  prefer: EdgePreference,
  forced: ReadonlyMap<string, ForeignKeyEdge>,
): JoinTree | null => {
  const [root, ...rest] = tables
  if (!root) return null
  const joined = new Set([root.id])
  const joins: TreeJoin[] = []
  const choices: JoinTree['choices'][number][] = []
  const open = new Set(rest.filter(table => table !== root))
  while (open.size > 0) {
    const next = findShortestPath(schema, joined, open)
    if (!next) return null
    for (const [from, to] of next) {
      const parallel = edgesBetween(schema, from, to).sort((a, b) => prefer(b) - prefer(a) || a.id - b.id)
      const taken = forced.get(pairKey(from, to)) ?? parallel[0]
      const table = schema.tables[to]
      if (!taken || !table) return null
      if (parallel.length > 1) choices.push({ taken, others: parallel.filter(edge => edge !== taken) })
      joins.push({ edge: taken, table, many: taken.from[0]?.table.id === to && !isUnique(taken.from) })
      joined.add(to)
      open.delete(table)
    }
  }
  return { root, joins, choices }
}

/** A foreign key that is the whole primary key joins one row to one. */
const isUnique = (columns: readonly ColumnEntry[]): boolean => {
  const primary = columns[0]?.table.primaryKey ?? []
  return primary.length === columns.length && primary.every(column => columns.includes(column))
}

const edgesBetween = (schema: SchemaIndex, a: number, b: number): ForeignKeyEdge[] =>
  (schema.edgesOf[a] ?? []).filter(edge => touches(edge, a, b))

const touches = (edge: ForeignKeyEdge, a: number, b: number): boolean => {
  const from = edge.from[0]?.table.id
  const to = edge.to[0]?.table.id
  return (from === a && to === b) || (from === b && to === a)
}

const pairKey = (a: number, b: number): string => (a < b ? `${a} ${b}` : `${b} ${a}`)

const pairOf = (edge: ForeignKeyEdge): string =>
  pairKey(edge.from[0]?.table.id ?? -1, edge.to[0]?.table.id ?? -1)

/** Steps of a shortest way from the joined tables to one of the open ones; null when there is none. */
const findShortestPath = (
  schema: SchemaIndex,
  joined: ReadonlySet<number>,
  open: ReadonlySet<TableEntry>,
): readonly (readonly [number, number])[] | null => {
  const cameFrom = new Map<number, number>()
  const queue = [...joined]
  const targets = new Set([...open].map(table => table.id))
  for (const table of queue) {
    if (targets.has(table)) {
      const way: (readonly [number, number])[] = []
      for (let at = table; !joined.has(at); ) {
        const before = cameFrom.get(at)
        if (before === undefined) return null
        way.unshift([before, at])
        at = before
      }
      return way
    }
    for (const edge of schema.edgesOf[table] ?? []) {
      const from = edge.from[0]?.table.id ?? table
      const to = edge.to[0]?.table.id ?? table
      const next = from === table ? to : from
      if (joined.has(next) || cameFrom.has(next)) continue
      cameFrom.set(next, table)
      queue.push(next)
    }
  }
  return null
}

/** Tables whose rows a tree repeats: from them some join leads to several rows. */
export const repeatedTables = (tree: JoinTree): ReadonlySet<number> => {
  const tables = [tree.root.id, ...tree.joins.map(join => join.table.id)]
  return new Set(tables.filter(table => isRepeated(tree, table)))
}

/** Walks the tree from a table; a step from the one side of a key to its many side repeats the start. */
const isRepeated = (tree: JoinTree, start: number): boolean => {
  const seen = new Set([start])
  const queue = [start]
  for (const table of queue) {
    for (const { edge } of tree.joins) {
      const from = edge.from[0]?.table.id ?? -1
      const to = edge.to[0]?.table.id ?? -1
      if (from !== table && to !== table) continue
      const next = from === table ? to : from
      if (seen.has(next)) continue
      if (to === table && !isUnique(edge.from)) return true
      seen.add(next)
      queue.push(next)
    }
  }
  return false
}

/** A join of the tree as SQL, on all columns of its key. */
export const joinExpression = ({ edge, table }: TreeJoin): Join => {
  const parts = edge.from.flatMap((from, index): Expression[] => {
    const to = edge.to[index]
    if (!to) return []
    const [left, right] = to.table === table ? [from, to] : [to, from]
    return [
      {
        kind: 'compare',
        operator: '=',
        left: columnExpression(left, true),
        right: columnExpression(right, true),
      },
    ]
  })
  const [only] = parts
  return {
    table: tableSource(table),
    kind: 'inner',
    on: parts.length === 1 && only ? only : { kind: 'and', parts },
  }
}
