import {
  isNode,
  listOf,
  nodeOf,
  type SqlTree,
  type TreeNode,
  type TreeValue,
  textOf,
} from '../../sql/sql-tree.ts'
import { describeNode } from './noun-of.ts'
import { allowedPostgresTags } from './postgres-tags.ts'

/** What in a Postgres tree is not a plain query, in words; null when nothing is. The whole tree is looked at. */
export const postgresRefusal = (tree: SqlTree): string | null => {
  const [root] = tree.statements as readonly [TreeNode]
  const tag = Object.keys(root)[0] ?? ''
  if (tag !== 'SelectStmt') return `it is no query but ${describeNode(tag, tree.tokens[0]?.text ?? '')}`
  return postgresNodeRefusal(root)
}

const postgresNodeRefusal = (value: TreeValue | undefined): string | null => {
  if (Array.isArray(value)) return firstPostgresRefusal(value as readonly TreeValue[])
  if (!isNode(value)) return null
  if (isNode(value.intoClause)) return 'it writes its rows into a table (SELECT ... INTO)'
  if (listOf(value.lockingClause).length > 0) return 'it locks rows (FOR UPDATE or FOR SHARE)'
  for (const [key, child] of Object.entries(value)) {
    // Tags begin with a capital, parts of a node do not.
    if (/^[A-Z]/.test(key)) {
      if (!allowedPostgresTags.has(key)) return `it has ${describeNode(key, key)} in it`
      const odd = isNode(child) ? checks[key]?.(child) : null
      if (odd) return odd
    }
    const odd = (key === 'typeName' && isNode(child) ? checkType(child) : null) ?? postgresNodeRefusal(child)
    if (odd !== null) return odd
  }
  return null
}

const firstPostgresRefusal = (values: readonly TreeValue[]): string | null => {
  for (const value of values) {
    const refusal = postgresNodeRefusal(value)
    if (refusal !== null) return refusal
  }
  return null
}

const postgresTag = (node: TreeValue): string => Object.keys(nodeOf(node) ?? {})[0] ?? ''

const namesOf = (list: TreeValue | undefined): readonly string[] =>
  listOf(list).map(part => textOf(nodeOf(nodeOf(part)?.String)?.sval) ?? '')

/** Casting to these looks names up in the catalog, reads the server's state, or parses XML. */
const closedType = /^(?:reg[a-z]+|pg_\w+|xml|aclitem|refcursor)$/

const checkType = (node: TreeNode): string | null => {
  const names = namesOf(node.names)
  const name = names.at(-1) ?? ''
  const schema = names.length > 1 ? names.at(-2) : null
  const system =
    schema !== null && schema !== 'pg_catalog' && /^(?:pg_|information_schema$)/.test(schema ?? '')
  return system || closedType.test(name)
    ? `it casts to ${names.join('.')}, which reaches into the catalog`
    : checkTypeSize(name, node)
}

/** Between a type's brackets the grammar takes any expression, a query too; a server only plain words and numbers. */
const checkTypeSize = (name: string, node: TreeNode): string | null => {
  const isPlain = (part: TreeValue): boolean => /^(?:A_Const|ColumnRef)$/.test(postgresTag(part))
  return listOf(node.typmods).every(isPlain)
    ? null
    : `it has more than plain words and numbers in the brackets of ${name}`
}

const checkOperator = (node: TreeNode): string | null => {
  const names = namesOf(node.name)
  const foreign = names.length > 1 && names[0] !== 'pg_catalog'
  return foreign ? `it uses the operator ${names.join('.')} of another schema` : null
}

/** The share and the seed may be queries to a server, and its complaint about one tells what the query read. */
const checkSample = (node: TreeNode): string | null => {
  const method = namesOf(node.method).join('.')
  if (!/^(?:bernoulli|system)$/.test(method)) return `it samples with ${method}, which is not allowed`
  const numbers = [...listOf(node.args), ...(node.repeatable === undefined ? [] : [node.repeatable])]
  return numbers.every(number => postgresTag(number) === 'A_Const')
    ? null
    : 'it samples with something that is not a plain number'
}

const checks: Readonly<Record<string, (node: TreeNode) => string | null>> = {
  TypeName: checkType,
  A_Expr: checkOperator,
  RangeTableSample: checkSample,
}
