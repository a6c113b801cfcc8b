import type { SqlCall } from './sql-call.ts'
import { isNode, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from './sql-tree.ts'

/** Every call in a Postgres tree: functions, and the expressions that have a syntax of their own. */
export const postgresCalls = (statements: readonly TreeNode[]): readonly SqlCall[] => {
  const calls: SqlCall[] = []
  const visit = (value: TreeValue | undefined): void => {
    if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) visit(item)
    if (!isNode(value)) return
    for (const [key, child] of Object.entries(value)) {
      if (isNode(child)) {
        const call = readers[key]?.(child)
        if (call !== undefined) calls.push(call)
      }
      visit(child)
    }
  }
  visit(statements)
  return calls
}

const readFunction = (node: TreeNode): SqlCall => {
  const names = listOf(node.funcname).map(part => textOf(nodeOf(nodeOf(part)?.String)?.sval) ?? '')
  return {
    schema: names.length > 1 ? names.slice(0, -1).join('.') : null,
    name: names.at(-1) ?? '',
    args: listOf(node.args).map(constantText),
  }
}

const constantText = (value: TreeValue): string | number | null => {
  const constant = nodeOf(nodeOf(value)?.A_Const)
  if (constant === null) return null
  const [text, whole, decimal] = [nodeOf(constant.sval), nodeOf(constant.ival), nodeOf(constant.fval)]
  if (text !== null) return textOf(text.sval) ?? ''
  if (whole !== null) return typeof whole.ival === 'number' ? whole.ival : 0
  return decimal === null ? null : Number(textOf(decimal.fval))
}

const named = (name: string): SqlCall => ({ schema: null, name, args: [] })

/** `SVFOP_CURRENT_USER` is `current_user`, `IS_XMLFOREST` is `xmlforest`. */
const fromTag = (tag: TreeValue | undefined, prefix: string): SqlCall =>
  named((textOf(tag) ?? '').slice(prefix.length).toLowerCase().replace(/_n$/, ''))

const readers: Readonly<Record<string, (node: TreeNode) => SqlCall>> = {
  FuncCall: readFunction,
  CoalesceExpr: () => named('coalesce'),
  MinMaxExpr: node => named(node.op === 'IS_LEAST' ? 'least' : 'greatest'),
  GroupingFunc: () => named('grouping'),
  SQLValueFunction: node => fromTag(node.op, 'SVFOP_'),
  XmlExpr: node => fromTag(node.op, 'IS_'),
  XmlSerialize: () => named('xmlserialize'),
  RangeTableFunc: () => named('xmltable'),
  JsonObjectConstructor: () => named('json_object'),
  JsonArrayConstructor: () => named('json_array'),
  JsonArrayQueryConstructor: () => named('json_array'),
  JsonObjectAgg: () => named('json_objectagg'),
  JsonArrayAgg: () => named('json_arrayagg'),
  JsonParseExpr: () => named('json'),
  JsonScalarExpr: () => named('json_scalar'),
  JsonSerializeExpr: () => named('json_serialize'),
  JsonFuncExpr: node => named((textOf(node.op) ?? 'JSON_TABLE_OP').replace(/_OP$/, '').toLowerCase()),
  JsonTable: () => named('json_table'),
  MergeSupportFunc: () => named('merge_action'),
}
