import { connectTables, type KeyEdge, keysBetween, otherTable } from '../../domain/key-graph.ts'
import { tableSource } from '../../sql/tree/compose-query.ts'
import { compareOf, type Expression, type JoinedSource } from '../../sql/tree/query-tree.ts'
import type { ColumnEntry, SchemaIndex, TableEntry } from '../schema/schema-index.ts'
import { columnExpression } from './expressions.ts'

type Key = KeyEdge<ColumnEntry>

/** One join of a tree: `edge` leads from a table already in the tree to `table`. */
interface TreeJoin {
  readonly edge: Key
  readonly table: TableEntry
}

/** Two tables that more than one key joins, and which key was taken. */
export interface KeyChoice {
  readonly taken: Key
  readonly others: readonly Key[]
}

export interface JoinTree {
  readonly root: TableEntry
  readonly joins: readonly TreeJoin[]
  readonly choices: readonly KeyChoice[]
}

/** How strongly a question suggests a key; more is better. The key that comes first in the catalog wins ties. */
export type KeyPreference = (edge: Key) => number

const MAX_TREES = 3

/**
 * Small trees that connect all tables, over the same tables each. Where several keys join a pair, the preferred one is
 * taken in the first tree, and another one in each further tree. Empty when keys do not connect all tables.
 */
export const joinTrees = (
  schema: SchemaIndex,
  tables: readonly TableEntry[],
  prefer: KeyPreference,
): readonly JoinTree[] => {
  const { roots, steps } = connectTables(
    schema.keys,
    tables.map(({ id }) => id),
  )
  const root = schema.tables[roots[0] ?? -1]
  if (!root || roots.length > 1) return []
  const keysOfSteps = steps.map(({ from, to }) =>
    keysBetween(schema.keys, from, to).toSorted((a, b) => prefer(b) - prefer(a)),
  )
  const treeWith = (takenAt: (step: number) => number): JoinTree => {
    const joins: TreeJoin[] = []
    const choices: KeyChoice[] = []
    for (const [step, keys] of keysOfSteps.entries()) {
      const taken = keys[takenAt(step)]!
      joins.push({ edge: taken, table: schema.tables[steps[step]!.to]! })
      if (keys.length > 1) choices.push({ taken, others: keys.filter(key => key !== taken) })
    }
    return { root, joins, choices }
  }
  const alternatives = keysOfSteps.flatMap((keys, step) =>
    keys.slice(1).map((_, other) => treeWith(at => (at === step ? other + 1 : 0))),
  )
  return [treeWith(() => 0), ...alternatives].slice(0, MAX_TREES)
}

/** Tables whose rows a tree repeats: some join leads from them to several rows. */
export const repeatedTables = (tree: JoinTree): ReadonlySet<number> => {
  const tables = [tree.root.id, ...tree.joins.map(join => join.table.id)]
  return new Set(tables.filter(table => isRepeated(tree, table)))
}

/** Walks the tree from a table; a step from the one side of a key to its many side repeats the start. */
const isRepeated = (tree: JoinTree, start: number): boolean => {
  const seen = new Set([start])
  for (const table of seen) {
    for (const { edge } of tree.joins) {
      if (edge.from.table !== table && edge.to.table !== table) continue
      const next = otherTable(edge, table)
      if (seen.has(next)) continue
      if (edge.to.table === table && !edge.oneToOne) return true
      seen.add(next)
    }
  }
  return false
}

/** A join of the tree in SQL, on all columns of its key. */
export const joinExpression = ({ edge, table }: TreeJoin): JoinedSource => {
  const operands = edge.from.columns.flatMap((from, index): Expression[] => {
    const to = edge.to.columns[index]
    if (!to) return []
    const [left, right] = to.table === table ? [from, to] : [to, from]
    return [compareOf('=', columnExpression(left, true), columnExpression(right, true))]
  })
  const [only] = operands
  return tableSource(table.table, {
    join: 'inner',
    on: operands.length === 1 && only ? only : { kind: 'and', operands },
  })
}
