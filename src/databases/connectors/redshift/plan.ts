import type { PlannedRead, TableRowCount } from '../../../sql/sql-dialect.ts'
import { unreadablePlan } from '../standard-sql.ts'

interface Node {
  readonly indent: number
  readonly what: string
  readonly startup: number
  readonly total: number
  readonly rows: number
  readonly children: Node[]
}

const planLine = /^(\s*)(?:->\s+)?(\S.*?)\s+\(cost=(\d+(?:\.\d+)?)\.\.(\d+(?:\.\d+)?) rows=(\d+) width=\d+\)/

/** `XN Seq Scan on orders o`, `LD Seq Scan on pg_class`, `S3 Seq Scan spectrum.clicks location:"..." format:...`. */
const scanLine = /^(?:(?:XN|LD) )?(?:Multi |Seq )?Scan on (?:\w+\.)?("(?:[^"]|"")+"|[^\s"]+)/

const externalScan = /^(?:XN )?S3 Seq Scan (?:(?:"(?:[^"]|"")+"|\w+)\.)*("(?:[^"]|"")+"|\w+)/

/** The planner's cost of a row in a sequential scan without a filter: each condition adds to it. */
const costPerRow = 0.01

/**
 * Where a Redshift plan reads rows, from EXPLAIN's text. A scan reads its whole table unless blocks are skipped, which
 * the plan does not show: so the size of the table counts, not the rows that its filter keeps. The inner side of a
 * nested loop is gone through again for each outer row.
 */
export const readRedshiftPlan = (plan: string, rowsOf: TableRowCount): readonly PlannedRead[] => {
  const root = parse(plan)
  return root === null ? unreadablePlan : visit(root, 1, rowsOf)
}

const parse = (plan: string): Node | null => {
  const path: Node[] = []
  let root: Node | null = null
  for (const line of plan.split('\n')) {
    const found = planLine.exec(line)
    if (!found) continue
    const [, space = '', what = '', startup, total, rows] = found
    const node: Node = {
      indent: space.length,
      what,
      startup: Number(startup),
      total: Number(total),
      rows: Number(rows),
      children: [],
    }
    while (path.length > 0 && (path.at(-1)?.indent ?? 0) >= node.indent) path.pop()
    path.at(-1)?.children.push(node)
    path.push(node)
    root ??= node
  }
  return root
}

const visit = (node: Node, loops: number, rowsOf: TableRowCount): readonly PlannedRead[] => {
  const own = readOf(node, loops, rowsOf)
  const [outer] = node.children
  const isLoop = /\bNested Loop\b/.test(node.what)
  return [
    ...(own === null ? [] : [own]),
    ...node.children.flatMap((child, at) =>
      visit(child, loops * (isLoop && at === 1 && outer ? Math.max(1, outer.rows) : 1), rowsOf),
    ),
  ]
}

const unquoted = (name: string): string =>
  name.startsWith('"') ? name.slice(1, -1).replaceAll('""', '"') : name

const readOf = (
  { what, rows, startup, total }: Node,
  loops: number,
  rowsOf: TableRowCount,
): PlannedRead | null => {
  const external = externalScan.exec(what)?.[1]
  if (external !== undefined) {
    const table = unquoted(external)
    return { table, rows: Math.max(rows, rowsOf(table) ?? 0) * loops }
  }
  const scanned = scanLine.exec(what)?.[1]
  if (scanned === undefined) return null
  const table = unquoted(scanned)
  return { table, rows: Math.max(rows, rowsOf(table) ?? (total - startup) / costPerRow) * loops }
}
