import { z } from 'zod'
import type { PlannedRead, TableRowCount } from '../../../sql/sql-dialect.ts'
import { unreadablePlan } from '../standard-sql.ts'

interface Node {
  readonly name: string
  readonly children: readonly Node[]
  readonly extra_info: Readonly<Record<string, unknown>>
}

const Node: z.ZodType<Node> = z.lazy(() =>
  z.object({
    name: z.string(),
    children: z.array(Node),
    extra_info: z.record(z.string(), z.unknown()),
  }),
)

/** Joins that compare every pair of rows. Every other join hashes or sorts, and reads each of its sides once. */
const crossProductNodes = /CROSS_PRODUCT|NESTED_LOOP_JOIN|NL_JOIN/

/**
 * Where a DuckDB plan reads rows, from EXPLAIN's JSON. Every scan reads a whole table once, since DuckDB joins by
 * hashing. What is not a table, such as a file behind a view, has the plan's own estimate. A product of two sides
 * is read row by row.
 */
export const readDuckdbPlan = (plan: string, rowsOf: TableRowCount): readonly PlannedRead[] => {
  const roots = z.array(Node).safeParse(parseJson(plan))
  return roots.success ? roots.data.flatMap(root => visit(root, rowsOf)) : unreadablePlan
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const visit = (node: Node, rowsOf: TableRowCount): readonly PlannedRead[] => [
  ...readsAt(node, rowsOf),
  ...node.children.flatMap(child => visit(child, rowsOf)),
]

const readsAt = (node: Node, rowsOf: TableRowCount): readonly PlannedRead[] => {
  const { Table: named, Function: called } = node.extra_info
  if (crossProductNodes.test(node.name)) return [{ table: null, rows: cardinalityOf(node) }]
  if (typeof named === 'string') {
    const table = lastName(named)
    const [known, planned] = [rowsOf(table), cardinalityOf(node)]
    return [{ table, rows: known === null ? planned : Math.max(known, planned ?? 0) }]
  }
  const isSource = typeof called === 'string' && node.children.length === 0
  return isSource ? [{ table: null, rows: cardinalityOf(node) }] : []
}

/** Rows that a node returns, or reads if it is a product; null if the plan does not say. */
const cardinalityOf = ({ name, children, extra_info }: Node): number | null => {
  const below = children.map(cardinalityOf)
  if (crossProductNodes.test(name))
    return below.reduce((all, rows) => (all === null || rows === null ? null : all * rows), 1)
  const told = extra_info['Estimated Cardinality']
  if (typeof told === 'string' && /^\d+$/.test(told)) return Number(told)
  return below[0] ?? null
}

/** `shop.main."my events"` is `my events`. */
const lastName = (named: string): string => {
  const [, quoted, plain = named] = /(?:"((?:[^"]|"")*)"|([^."]+))$/.exec(named) ?? []
  return quoted === undefined ? plain : quoted.replaceAll('""', '"')
}
