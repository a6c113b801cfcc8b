import type { PlannedRead, TableRowCount } from '../../../sql/sql-dialect.ts'
import { unreadablePlan } from '../standard-sql.ts'

interface Node {
  readonly indent: number
  readonly what: string
  readonly startup: number
  readonly total: number
  readonly rows: number
  /** Part of a subplan, which is run for each row of the node above. */
  readonly isCorrelated: boolean
  readonly children: Node[]
}

const planLine = /^(\s*)(?:->\s+)?(\S.*?)\s+\(cost=(\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?) rows=(\d+) width=\d+\)/

const scanLine = /^(?:Parallel )?(\w+(?: \w+)*? Scan)\b.*? on (?:\w+\.)?("(?:[^"]|"")+"|[^\s"]+)/

/** Nodes that read everything below them before they return the first row. */
const blockingNodes =
  /^(?:Sort|Hash$|Aggregate|(?:Finalize |Partial )?HashAggregate|(?:Finalize |Partial )?Aggregate|HashSetOp)/

/** The planner's cost of a row in a sequential scan, with its share of a page. */
const costPerRow = 0.02

/**
 * Where a Postgres plan reads rows, from EXPLAIN's text. The plan has the rows that a scan returns, not those that
 * it reads: a scan of a whole table reads all of it, whatever its filter keeps. The inner side of a nested loop
 * and a correlated subplan are read again for each outer row. Below a limit only the share is read that the
 * limit's cost shows.
 */
export const readPostgresPlan = (plan: string, rowsOf: TableRowCount): readonly PlannedRead[] => {
  const root = parse(plan)
  return root === null ? unreadablePlan : visit(root, 1, 1, rowsOf)
}

const parse = (plan: string): Node | null => {
  const path: Node[] = []
  let root: Node | null = null
  let subplanAt: number | null = null
  const hashed = new Set([...plan.matchAll(/hashed SubPlan (\d+)/g)].map(([, number]) => number))
  for (const line of plan.split('\n')) {
    const subplan = /^(\s*)SubPlan (\d+)/.exec(line)
    if (subplan) subplanAt = hashed.has(subplan[2]) ? null : (subplan[1]?.length ?? 0)
    const found = planLine.exec(line)
    if (!found) continue
    const [, space = '', what = '', startup, total, rows] = found
    const indent = space.length
    const node: Node = {
      indent,
      what,
      startup: Number(startup),
      total: Number(total),
      rows: Number(rows),
      isCorrelated: subplanAt !== null && indent > subplanAt,
      children: [],
    }
    subplanAt = null
    while (path.length > 0 && (path.at(-1)?.indent ?? 0) >= indent) path.pop()
    path.at(-1)?.children.push(node)
    path.push(node)
    root ??= node
  }
  return root
}

const visit = (node: Node, loops: number, share: number, rowsOf: TableRowCount): readonly PlannedRead[] => {
  const own = readOf(node, loops, share, rowsOf)
  const { children, what } = node
  const [first] = children
  return [
    ...(own === null ? [] : [own]),
    ...children.flatMap((child, at) => {
      const below = blockingNodes.test(what) ? 1 : what === 'Limit' ? share * shareOf(node, child) : share
      const again = child.isCorrelated
        ? Math.max(1, node.rows)
        : what.startsWith('Nested Loop') && at === 1 && first && child.what !== 'Memoize'
          ? Math.max(1, first.rows * share)
          : 1
      return visit(child, loops * again, below, rowsOf)
    }),
  ]
}

/** The share of the rows below that is fetched before the limit is reached. */
const shareOf = (limit: Node, child: Node): number => {
  const whole = child.total - child.startup
  return whole <= 0 ? 1 : Math.min(1, Math.max(0, (limit.total - child.startup) / whole))
}

const readOf = (node: Node, loops: number, share: number, rowsOf: TableRowCount): PlannedRead | null => {
  const { what, rows, startup, total } = node
  const scan = scanLine.exec(what)
  if (!scan) return null
  const [, kind = '', named = ''] = scan
  const table = named.startsWith('"') ? named.slice(1, -1).replaceAll('""', '"') : named
  if (kind === 'CTE Scan' || kind === 'Subquery Scan' || kind === 'WorkTable Scan') return null
  // Its rows are read by the heap scan above it, which is counted.
  if (kind === 'Bitmap Index Scan') return null
  const isWhole = kind === 'Seq Scan'
  const looked = isWhole ? Math.max(rows, rowsOf(table) ?? (total - startup) / costPerRow) : rows
  return { table, rows: looked * loops * share }
}
