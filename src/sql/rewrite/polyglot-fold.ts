import type { ParseDialect } from '../../domain/sql.ts'
import { dialectNamed } from '../dialects.ts'
import {
  isNode,
  listOf,
  mapChildren,
  mapTree,
  nodeOf,
  type SqlTree,
  type TreeNode,
  type TreeValue,
  textOf,
} from '../parse/sql-tree.ts'
import { makeNameNormalizer, type NameNormalizer, noNames, type VisibleNames } from './name-fold.ts'

/** A polyglot statement with its case and aliases folded, as `normalizePostgres` does for Postgres. */
export const normalizePolyglot = (statement: TreeNode, { dialect }: SqlTree): TreeNode => {
  const cased = normalizeCase(statement, dialect)
  const sources = knownNames(cased)
  const foldable = !bareNames(cased).some(name => sources.includes(name))
  if (!foldable) return cased
  const fold = makeNameNormalizer(sources.length)
  return mapTree(withoutOutputAliases(cased), node => changeNode(node, noNames, fold)) as TreeNode
}

const changeNode = (node: TreeNode, names: VisibleNames, fold: NameNormalizer): TreeValue | undefined => {
  for (const kind of ['select', 'union', 'intersect', 'except']) {
    const query = nodeOf(node[kind])
    if (query !== null && Object.keys(node).length === 1)
      return { [kind]: normalizeQuery(query, names, fold) }
  }
  const column = nodeOf(node.column)
  if (column !== null) return { column: { ...column, table: normalizeQualifier(column.table, names) } }
  const star = nodeOf(node.star)
  if (star !== null) {
    const inside = mapChildren(star, child => changeNode(child, names, fold))
    return { star: { ...inside, table: normalizeQualifier(star.table, names) } }
  }
  const table = nodeOf(node.table)
  if (table !== null && isTableNode(node)) return { table: normalizeTable(table, names, fold) }
  const subquery = nodeOf(node.subquery)
  const known = subquery === null ? undefined : names.tables.get(nameOf(subquery.alias) ?? '')
  if (subquery === null || known === undefined) return undefined
  const inside = mapChildren({ ...subquery, alias: null }, child => changeNode(child, names, fold))
  return { subquery: { ...inside, alias: { ...nodeOf(subquery.alias), name: known, quoted: false } } }
}

const normalizeQuery = (query: TreeNode, outer: VisibleNames, fold: NameNormalizer): TreeNode => {
  const clause = nodeOf(query.with)
  const ctes = new Map(outer.ctes)
  const list = listOf(clause?.ctes).map(item => nodeOf(item) ?? {})
  const canonical = list.map(() => fold.nextCte())
  const remember = (cte: TreeNode, index: number): unknown =>
    ctes.set(nameOf(cte.alias) ?? '', canonical[index] as string)
  if (clause?.recursive === true) list.forEach(remember)
  const folded = list.map((cte, index) => {
    const inside: VisibleNames = { ...outer, ctes: new Map(ctes) }
    const query = mapTree(cte.this, node => changeNode(node, inside, fold))
    remember(cte, index)
    return {
      ...cte,
      alias: { ...nodeOf(cte.alias), name: canonical[index] as string, quoted: false },
      this: query,
    }
  })
  const tables = new Map(outer.tables)
  const sources = sourcesOf(query)
  for (const known of sources) tables.set(known, fold.nextTable())
  const inside: VisibleNames = { tables, ctes, own: sources.length === 1 ? (sources[0] ?? null) : null }
  const { with: _with, ...rest } = query
  const body = mapChildren(rest, node => changeNode(node, inside, fold))
  return { ...body, with: clause === null ? null : { ...clause, ctes: folded } }
}

const normalizeQualifier = (table: TreeValue | undefined, names: VisibleNames): TreeValue => {
  const qualifier = nameOf(table)
  const canonical = names.tables.get(qualifier ?? '')
  if (canonical === undefined) return table ?? null
  return qualifier === names.own ? null : { ...nodeOf(table), name: canonical, quoted: false }
}

const normalizeTable = (table: TreeNode, names: VisibleNames, fold: NameNormalizer): TreeNode => {
  const name = nameOf(table.name)
  const canonical = names.tables.get(nameOf(table.alias) ?? name ?? '')
  const cte = nodeOf(table.schema) === null ? names.ctes.get(name ?? '') : undefined
  const renamed =
    canonical === undefined || fold.alone ? null : { ...nodeOf(table.name), name: canonical, quoted: false }
  return {
    ...table,
    name: cte === undefined ? (table.name ?? null) : { ...nodeOf(table.name), name: cte, quoted: false },
    alias: renamed,
    alias_explicit_as: renamed !== null,
  }
}

/** Names under which a SELECT knows its sources, in the order of the text; not those of its subqueries. */
const sourcesOf = (select: TreeNode): readonly string[] => {
  const names: string[] = []
  const visit = (value: TreeValue | undefined): void => {
    if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) visit(item)
    if (!isNode(value)) return
    const [kind, body] = Object.entries(value)[0] ?? []
    const node = nodeOf(body)
    const known = nameOf(node?.alias) ?? (kind === 'table' ? nameOf(node?.name) : null)
    if ((kind === 'table' || kind === 'subquery') && known !== null) names.push(known)
    if (kind === 'joined_table')
      visit([node?.left ?? null, ...listOf(node?.joins).map(join => nodeOf(join)?.this ?? null)])
    if (kind === 'paren') visit(node?.this)
  }
  visit(nodeOf(select.from)?.expressions)
  for (const join of listOf(select.joins)) visit(nodeOf(join)?.this)
  return names
}

const knownNames = (statement: TreeNode): readonly string[] => {
  const names: string[] = []
  mapTree(statement, node => {
    if (node.from !== undefined) names.push(...sourcesOf(node))
    return undefined
  })
  return names
}

const bareNames = (tree: TreeValue): readonly string[] => {
  const names: string[] = []
  mapTree(tree, node => {
    const column = nodeOf(node.column)
    const name = column === null || nodeOf(column.table) !== null ? null : nameOf(column.name)
    if (name !== null) names.push(name)
    return undefined
  })
  return names
}

/** A name of a result is only a heading where no ORDER BY, GROUP BY or HAVING uses it. */
const withoutOutputAliases = (statement: TreeNode): TreeNode => {
  const select = nodeOf(statement.select)
  if (select === null) return statement
  const clauses = [select.order_by, select.group_by, select.having, select.qualify].map(
    clause => clause ?? null,
  )
  const used = new Set(bareNames(clauses))
  const expressions = listOf(select.expressions).map(item => {
    const label = nodeOf(nodeOf(item)?.alias)
    return label === null || used.has(nameOf(label.alias) ?? '') ? item : (label.this ?? null)
  })
  return { select: { ...select, expressions } }
}

/** `table` is a part of columns and stars as well; as a node it stands alone and has a name that is a node. */
const isTableNode = (node: TreeNode): boolean =>
  Object.keys(node).length === 1 && nodeOf(nodeOf(node.table)?.name) !== null

const nameOf = (value: TreeValue | undefined): string | null => textOf(nodeOf(value)?.name)

/**
 * A polyglot statement with its names in small letters where the dialect does not tell them apart by case, and
 * without what only says how the text was spelled (`INNER JOIN` for `JOIN`, `AS` before an alias).
 */
const normalizeCase = (statement: TreeNode, dialect: ParseDialect): TreeNode => {
  const { foldsCase } = dialectNamed(dialect).grammar
  const lower = (text: TreeValue | undefined): TreeValue =>
    typeof text === 'string' ? text.toLowerCase() : (text ?? null)
  const name = (value: TreeValue | undefined, of: 'column' | 'table'): TreeValue => {
    const node = nodeOf(value)
    if (node === null) return value ?? null
    // A quoted name may be text in SQLite, and is exact elsewhere.
    const folds = node.quoted !== true && (of === 'table' ? foldsCase.tables : foldsCase.columns)
    return { ...node, name: folds ? lower(node.name) : (node.name ?? null), span: null }
  }
  const change = (node: TreeNode, key: string): TreeValue | undefined => {
    const [column, label] = [nodeOf(node.column), nodeOf(node.alias)]
    if (column !== null)
      return { column: mapChildren({ ...column, name: name(column.name, 'column') }, change) }
    // An alias is the name of a result where it is a node, and of a table where it is a part of one.
    if (label?.this !== undefined)
      return {
        alias: mapChildren({ ...label, alias: name(label.alias, 'column'), ...fixedSpelling(label) }, change),
      }
    if (isName(node)) return name(node, tableParts.has(key) ? 'table' : 'column')
    const call = nodeOf(node.function) ?? nodeOf(node.aggregate_function)
    if (call !== null && foldsCase.columns) {
      const kind = node.function === undefined ? 'aggregate_function' : 'function'
      return { [kind]: mapChildren({ ...call, name: lower(call.name) }, change) }
    }
    const spelled = Object.keys(node).filter(part => spellings.test(part) && node[part] !== null)
    if (spelled.length === 0) return undefined
    const plain = spelled.map(
      part => [part, typeof node[part] === 'string' ? lower(node[part]) : node[part]] as const,
    )
    return mapChildren({ ...node, ...Object.fromEntries(plain), ...fixedSpelling(node) }, change)
  }
  return mapTree(statement, change) as TreeNode
}

const isName = (node: TreeNode): boolean =>
  node.quoted !== undefined && node.name !== undefined && node.args === undefined

const tableParts = new Set(['name', 'schema', 'catalog', 'table', 'alias'])

const spellings = /^(?:original_name|alias_explicit_as|alias_keyword|\w*_text|use_\w+|outer_keyword)$/

const fixedSpelling = (node: TreeNode): TreeNode => ({
  ...(node.alias_explicit_as === undefined ? {} : { alias_explicit_as: true }),
  ...(node.alias_keyword === undefined ? {} : { alias_keyword: null }),
  ...(node.use_inner_keyword === undefined ? {} : { use_inner_keyword: false }),
  ...(node.use_outer_keyword === undefined ? {} : { use_outer_keyword: false }),
})
