import { deparseSync } from 'pgsql-parser'
import type { ParseDialect } from '../../domain/sql.ts'
import { diceSimilarityTo } from '../../lib/dice-similarity.ts'
import { parseSqlCached } from '../parse/parse-sql.ts'
import { generatePolyglot } from '../parse/polyglot-parser.ts'
import { listOf, mapChildren, mapTree, nodeOf, type TreeNode, type TreeValue } from '../parse/sql-tree.ts'
import { normalizePolyglot } from '../rewrite/polyglot-fold.ts'
import { normalizePostgres } from '../rewrite/postgres-fold.ts'

/**
 * The shape of a statement: names as `_`, literals as `?`, functions and clauses as they are. Statements that ask
 * the same of other tables have the same skeleton (DAIL-SQL, section 3.2). Comparable within one dialect. Null when
 * the text is not one statement that can be parsed and written back.
 */
export const sqlSkeleton = (sql: string, dialect: ParseDialect): string | null => {
  const parsed = parseSqlCached(sql, dialect)
  const [statement, second] = parsed.ok ? parsed.tree.statements : []
  if (!parsed.ok || statement === undefined || second !== undefined) return null
  return parsed.tree.parser === 'libpg-query'
    ? (deparsePostgres(maskPostgres(normalizePostgres(statement)))?.replaceAll(maskedLiteral, '?') ?? null)
    : generatePolyglot(maskPolyglot(normalizePolyglot(statement, parsed.tree)), dialect)
}

/**
 * How alike other skeletons (`sqlSkeleton`) are to one, from 0 to 1: by pairs of neighbouring tokens, which are clauses
 * more than words.
 */
export const skeletonSimilarityTo = (skeleton: string): ((other: string) => number) => {
  const byPairs = diceSimilarityTo(pairs(skeleton))
  return other => byPairs(pairs(other))
}

const pairs = (skeleton: string): readonly string[] => {
  const tokens = skeleton.toLowerCase().match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}]/gu) ?? []
  return ['', ...tokens].map((token, at) => `${token} ${tokens[at] ?? ''}`)
}

/** What a masked literal is written as; `'?'` cannot be told from it and need not be. */
const maskedLiteral = "'?'"

/** A Postgres statement with every name as `_` and every literal as `'?'`, and without aliases. */
const maskPostgres = (statement: TreeNode): TreeNode => mapTree(statement, maskPostgresNode) as TreeNode

const maskPostgresNode = (node: TreeNode, key: string): TreeValue | undefined => {
  const constant = nodeOf(node.A_Const)
  if (constant !== null) return isPostgresLiteral(node) ? postgresPlaceholder : node
  const column = nodeOf(node.ColumnRef)
  if (column !== null) {
    const last = listOf(column.fields).at(-1)
    return {
      ColumnRef: {
        ...column,
        fields: [nodeOf(last)?.A_Star === undefined ? postgresMaskedName : (last ?? null)],
      },
    }
  }
  const target = nodeOf(node.ResTarget)
  if (target !== null) return { ResTarget: mapChildren({ ...target, name: null }, maskPostgresNode) }
  const table = nodeOf(node.RangeVar)
  if (table !== null) return { RangeVar: { inh: table.inh ?? null, relname: '_', relpersistence: 'p' } }
  if (key === 'alias') return { aliasname: '_' }
  const cte = nodeOf(node.CommonTableExpr)
  if (cte !== null)
    return { CommonTableExpr: mapChildren({ ...cte, ctename: '_', aliascolnames: null }, maskPostgresNode) }
  if (key === 'usingClause') return postgresMaskedName
  const expression = nodeOf(node.A_Expr)
  const items = listOf(nodeOf(nodeOf(expression?.rexpr)?.List)?.items)
  if (expression?.kind === 'AEXPR_IN' && items.length > 0 && items.every(isPostgresLiteral))
    return {
      A_Expr: mapChildren(
        { ...expression, rexpr: { List: { items: [postgresPlaceholder] } } },
        maskPostgresNode,
      ),
    }
  return undefined
}

/** NULL, true and false are part of the shape. */
const isPostgresLiteral = (value: TreeValue): boolean => {
  const constant = nodeOf(nodeOf(value)?.A_Const)
  return constant !== null && constant.isnull === undefined && constant.boolval === undefined
}

const postgresPlaceholder: TreeNode = { A_Const: { sval: { sval: '?' } } }

const postgresMaskedName: TreeNode = { String: { sval: '_' } }

/** A polyglot statement with every name as `_` and every literal as `?`, and without aliases. */
const maskPolyglot = (statement: TreeNode): TreeNode => mapTree(statement, maskPolyglotNode) as TreeNode

const maskPolyglotNode = (node: TreeNode): TreeValue | undefined => {
  if (node.literal !== undefined) return polyglotPlaceholder
  const label = nodeOf(node.alias)
  // As a node an alias names a result; as a part of a source it is dropped below.
  if (label?.this !== undefined) return mapTree(label.this, maskPolyglotNode)
  const column = nodeOf(node.column)
  if (column !== null) return { column: { ...column, name: polyglotMaskedName, table: null } }
  const star = nodeOf(node.star)
  if (star !== null) return { star: { ...mapChildren(star, maskPolyglotNode), table: null } }
  const list = nodeOf(node.in)
  if (
    list !== null &&
    listOf(list.expressions).length > 0 &&
    listOf(list.expressions).every(isPolyglotLiteral)
  )
    return { in: { ...mapChildren(list, maskPolyglotNode), expressions: [polyglotPlaceholder] } }
  for (const kind of ['table', 'subquery']) {
    const source = nodeOf(node[kind])
    if (source === null || Object.keys(node).length > 1) continue
    const unnamed = { schema: null, catalog: null, alias: null, column_aliases: [] }
    const kept = Object.keys(unnamed).filter(part => source[part] !== undefined)
    const dropped = Object.fromEntries(kept.map(part => [part, unnamed[part as keyof typeof unnamed]]))
    return { [kind]: mapChildren({ ...source, ...dropped }, maskPolyglotNode) }
  }
  const isName = node.quoted !== undefined && node.name !== undefined && node.args === undefined
  return isName ? { ...node, ...polyglotMaskedName } : undefined
}

const isPolyglotLiteral = (value: TreeValue): boolean => nodeOf(value)?.literal !== undefined

const polyglotPlaceholder: TreeNode = { literal: { literal_type: 'number', value: '?' } }

const polyglotMaskedName: TreeNode = { name: '_', quoted: false, trailing_comments: [], span: null }

/** Writes a Postgres statement back as text; null when the writer does not know a node in it. */
const deparsePostgres = (statement: TreeNode): string | null => {
  try {
    return deparseSync(statement as Parameters<typeof deparseSync>[0], { pretty: false }).trim()
  } catch {
    return null
  }
}
