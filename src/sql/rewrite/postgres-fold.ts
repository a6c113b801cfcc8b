import {
  isNode,
  listOf,
  mapChildren,
  mapTree,
  nodeOf,
  type TreeNode,
  type TreeValue,
  textOf,
} from '../parse/sql-tree.ts'
import { makeNameNormalizer, type NameNormalizer, noNames, type VisibleNames } from './name-fold.ts'

/**
 * A Postgres statement with its aliases folded: tables become t1, t2 ..., CTEs c1, c2 ..., the only table of a
 * statement loses its name, and so do results at the top level that nothing refers to.
 */
export const normalizePostgres = (statement: TreeNode): TreeNode => {
  const sources = knownNames(statement)
  const fold = makeNameNormalizer(sources.length)
  // A bare name that is also a table's may be a whole row: then no name is safe to change.
  const foldable = !bareNames(statement).some(name => sources.includes(name))
  const root = nodeOf(statement.SelectStmt)
  if (root === null || !foldable) return statement
  return { SelectStmt: normalizeSelect(withoutOutputAliases(root), noNames, fold) }
}

const normalizeSelect = (select: TreeNode, outer: VisibleNames, fold: NameNormalizer): TreeNode => {
  const { ctes, withClause } = normalizeCtes(select, outer, fold)
  const tables = new Map(outer.tables)
  const sources = sourcesOf(select.fromClause)
  for (const known of sources) tables.set(known, fold.nextTable())
  const inside: VisibleNames = { tables, ctes, own: sources.length === 1 ? (sources[0] ?? null) : null }
  const change = (node: TreeNode, key: string): TreeValue | undefined =>
    key === 'larg' || key === 'rarg'
      ? normalizeSetOperand(node, inside, fold)
      : changeNode(node, inside, fold)
  const { withClause: _with, ...rest } = select
  return { ...mapChildren(rest, change), ...(withClause === null ? {} : { withClause }) }
}

/** The sides of a set operation are bare SELECTs; the sides of a join are tagged. */
const normalizeSetOperand = (
  node: TreeNode,
  names: VisibleNames,
  fold: NameNormalizer,
): TreeValue | undefined =>
  node.op === undefined ? changeNode(node, names, fold) : normalizeSelect(node, names, fold)

const normalizeCtes = (
  select: TreeNode,
  outer: VisibleNames,
  fold: NameNormalizer,
): { ctes: VisibleNames['ctes']; withClause: TreeNode | null } => {
  const clause = nodeOf(select.withClause)
  const ctes = new Map(outer.ctes)
  if (clause === null) return { ctes, withClause: null }
  const list = listOf(clause.ctes).map(item => nodeOf(nodeOf(item)?.CommonTableExpr) ?? {})
  const canonical = list.map(() => fold.nextCte())
  const nameOf = (cte: TreeNode): string => textOf(cte.ctename) ?? ''
  const remember = (cte: TreeNode, index: number): unknown =>
    ctes.set(nameOf(cte), canonical[index] as string)
  if (clause.recursive === true) list.forEach(remember)
  const folded = list.map((cte, index) => {
    const inside: VisibleNames = { ...outer, ctes: new Map(ctes) }
    const query = mapTree(cte.ctequery, node => changeNode(node, inside, fold))
    remember(cte, index)
    return { CommonTableExpr: { ...cte, ctename: canonical[index] as string, ctequery: query } }
  })
  return { ctes, withClause: { ...clause, ctes: folded } }
}

const changeNode = (node: TreeNode, names: VisibleNames, fold: NameNormalizer): TreeValue | undefined => {
  const select = nodeOf(node.SelectStmt)
  if (select !== null) return { SelectStmt: normalizeSelect(select, names, fold) }
  const column = nodeOf(node.ColumnRef)
  if (column !== null)
    return { ColumnRef: { ...column, fields: normalizeFields(listOf(column.fields), names) } }
  const table = nodeOf(node.RangeVar)
  if (table !== null) return { RangeVar: normalizeTable(table, names, fold) }
  for (const kind of ['RangeSubselect', 'RangeFunction']) {
    const source = nodeOf(node[kind])
    const alias = nodeOf(source?.alias)
    const known = names.tables.get(textOf(alias?.aliasname) ?? '')
    if (source === null || alias === null || known === undefined) continue
    const inside = mapChildren({ ...source, alias: null }, child => changeNode(child, names, fold))
    return { [kind]: { ...inside, alias: { ...alias, aliasname: known } } }
  }
  return undefined
}

const normalizeFields = (fields: readonly TreeValue[], names: VisibleNames): readonly TreeValue[] => {
  if (fields.length < 2) return fields
  const qualifier = textOf(nodeOf(nodeOf(fields.at(-2))?.String)?.sval)
  const canonical = qualifier === null ? undefined : names.tables.get(qualifier)
  if (canonical === undefined) return fields
  const last = fields.slice(-1)
  return qualifier === names.own ? last : [{ String: { sval: canonical } }, ...last]
}

const normalizeTable = (table: TreeNode, names: VisibleNames, fold: NameNormalizer): TreeNode => {
  const name = textOf(table.relname) ?? ''
  const known = textOf(nodeOf(table.alias)?.aliasname) ?? name
  const canonical = names.tables.get(known)
  const cte = table.schemaname === undefined ? names.ctes.get(name) : undefined
  const { alias: _alias, ...rest } = table
  return {
    ...rest,
    relname: cte ?? name,
    ...(fold.alone || canonical === undefined
      ? {}
      : { alias: { ...nodeOf(table.alias), aliasname: canonical } }),
  }
}

/** Names under which the FROM clause knows its sources, in the order of the text; not those of subqueries. */
const sourcesOf = (from: TreeValue | undefined): readonly string[] => {
  const names: string[] = []
  const visit = (value: TreeValue | undefined): void => {
    if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) visit(item)
    if (!isNode(value)) return
    for (const [kind, body] of Object.entries(value)) {
      const node = nodeOf(body)
      if (kind === 'JoinExpr') visit([node?.larg ?? null, node?.rarg ?? null])
      if (kind === 'RangeTableSample') visit(node?.relation)
      const known =
        textOf(nodeOf(node?.alias)?.aliasname) ?? (kind === 'RangeVar' ? textOf(node?.relname) : null)
      if (/^Range(?:Var|Subselect|Function)$/.test(kind) && known !== null) names.push(known)
    }
  }
  visit(from)
  return names
}

const knownNames = (statement: TreeNode): readonly string[] => {
  const names: string[] = []
  mapTree(statement, node => {
    names.push(...sourcesOf(node.fromClause))
    return undefined
  })
  return names
}

const bareNames = (tree: TreeValue): readonly string[] => {
  const names: string[] = []
  mapTree(tree, node => {
    const fields = listOf(nodeOf(node.ColumnRef)?.fields)
    const name = fields.length === 1 ? textOf(nodeOf(nodeOf(fields[0])?.String)?.sval) : null
    if (name !== null) names.push(name)
    return undefined
  })
  return names
}

/** A name of a result is only a heading where no ORDER BY, GROUP BY or HAVING uses it. */
const withoutOutputAliases = (select: TreeNode): TreeNode => {
  const clauses = [select.sortClause, select.groupClause, select.havingClause].map(clause => clause ?? null)
  const used = new Set(bareNames(clauses))
  const targetList = listOf(select.targetList).map(item => {
    const target = nodeOf(nodeOf(item)?.ResTarget)
    if (target === null || used.has(textOf(target.name) ?? '')) return item
    return { ResTarget: { ...target, name: undefined } }
  })
  return select.targetList === undefined ? select : { ...select, targetList }
}
