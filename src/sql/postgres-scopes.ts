import {
  type ColumnUse,
  type ExpressionContext,
  makeScope,
  type QueryScope,
  valueKeepingFunctions,
} from './query-scope.ts'
import { isNode, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from './sql-tree.ts'

/** Every SELECT of a Postgres tree as a scope, outermost first. */
export const postgresScopes = (statements: readonly TreeNode[]): readonly QueryScope[] => {
  const scopes: QueryScope[] = []
  for (const statement of statements) {
    const scope = makeScope(null)
    scopes.push(scope)
    visit(statement, { scope, ctes: new Set(), mayBeOutput: false, comparedTo: null }, scopes)
  }
  return scopes
}

type Visit = (node: TreeNode, place: ExpressionContext, scopes: QueryScope[]) => void

const visit = (value: TreeValue | undefined, place: ExpressionContext, scopes: QueryScope[]): void => {
  if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) visit(item, place, scopes)
  if (!isNode(value)) return
  for (const [key, child] of Object.entries(value)) {
    const reader = readers[key]
    if (reader !== undefined && isNode(child)) reader(child, place, scopes)
    else if (typeof child === 'object')
      visit(child, passesComparison.has(key) ? place : withoutComparison(place), scopes)
  }
}

const withoutComparison = (place: ExpressionContext): ExpressionContext =>
  place.comparedTo === null ? place : { ...place, comparedTo: null }

/** Keys through which a comparison reaches the literal behind them: `a = lower('X')`, `a IN ('x', 'y')`. */
const passesComparison = new Set(['List', 'items', 'TypeCast', 'arg', 'A_ArrayExpr', 'elements'])

const readSelect: Visit = (select, place, scopes) => {
  const ctes = withCtes(select, place, scopes)
  if (select.larg !== undefined || select.rarg !== undefined) {
    for (const side of [nodeOf(select.larg), nodeOf(select.rarg)])
      if (side !== null) readSelect(side, { ...place, ctes }, scopes)
    // ORDER BY after a set operation names results, never columns.
    for (const bound of [select.limitCount, select.limitOffset]) visit(bound, place, scopes)
    return
  }
  const scope = makeScope(place.scope)
  scopes.push(scope)
  const here: ExpressionContext = { scope, ctes, mayBeOutput: false, comparedTo: null }
  for (const item of listOf(select.fromClause)) readSource(nodeOf(item), here, scopes)
  for (const item of listOf(select.targetList)) {
    const target = nodeOf(nodeOf(item)?.ResTarget)
    const name = textOf(target?.name)
    if (name !== null) scope.outputs.add(name.toLowerCase())
    visit(target?.val, here, scopes)
  }
  const { fromClause: _from, targetList: _targets, withClause: _with, ...rest } = select
  for (const [clause, value] of Object.entries(rest))
    visit(value, { ...here, mayBeOutput: /^(?:sort|group|having)Clause$/.test(clause) }, scopes)
}

const withCtes = (select: TreeNode, place: ExpressionContext, scopes: QueryScope[]): ReadonlySet<string> => {
  const clause = nodeOf(select.withClause)
  if (clause === null) return place.ctes
  const seen = new Set(place.ctes)
  const ctes = listOf(clause.ctes).map(item => nodeOf(nodeOf(item)?.CommonTableExpr))
  const names = ctes.map(cte => textOf(cte?.ctename)?.toLowerCase() ?? '')
  if (clause.recursive === true) for (const name of names) seen.add(name)
  ctes.forEach((cte, index) => {
    visit(cte?.ctequery, { ...place, ctes: new Set(seen) }, scopes)
    seen.add(names[index] as string)
  })
  return seen
}

const readSource = (item: TreeNode | null, place: ExpressionContext, scopes: QueryScope[]): void => {
  const [kind, body] = Object.entries(item ?? {})[0] ?? []
  const node = nodeOf(body)
  if (kind === undefined || node === null) return
  const alias = textOf(nodeOf(node.alias)?.aliasname)
  const { sources } = place.scope
  if (kind === 'RangeVar') {
    const name = textOf(node.relname) ?? ''
    const schema = textOf(node.schemaname)
    const catalog = textOf(node.catalogname)
    const isCte = schema === null && place.ctes.has(name.toLowerCase())
    sources.push({ kind: isCte ? 'derived' : 'table', catalog, schema, name, alias })
  } else if (kind === 'JoinExpr') {
    readSource(nodeOf(node.larg), place, scopes)
    readSource(nodeOf(node.rarg), place, scopes)
    readUsing(node, place)
    visit(node.quals, place, scopes)
  } else if (kind === 'RangeTableSample') {
    readSource(nodeOf(node.relation), place, scopes)
    visit(node.args, place, scopes)
  } else {
    sources.push({ kind: 'derived', catalog: null, schema: null, name: alias ?? functionName(node), alias })
    visit(body, place, scopes)
  }
}

/** A function in FROM without an alias is known by its own name. */
const functionName = (node: TreeNode): string | null => {
  const call = nodeOf(nodeOf(listOf(nodeOf(nodeOf(listOf(node.functions)[0])?.List)?.items)[0])?.FuncCall)
  return textOf(nodeOf(nodeOf(listOf(call?.funcname).at(-1))?.String)?.sval)
}

/** `USING (a)` names a column of both sides. */
const readUsing = (join: TreeNode, { scope }: ExpressionContext): void => {
  for (const item of listOf(join.usingClause)) {
    const column = textOf(nodeOf(nodeOf(item)?.String)?.sval) ?? ''
    for (const side of [join.larg, join.rarg]) {
      const table = nodeOf(nodeOf(side)?.RangeVar)
      const qualifier = textOf(nodeOf(table?.alias)?.aliasname) ?? textOf(table?.relname)
      scope.columns.push({ qualifier, column, mayBeText: false, mayBeOutput: false })
    }
  }
}

const readColumn: Visit = (node, place) => {
  place.scope.columns.push(columnUse(node, place))
}

const columnUse = (node: TreeNode, place: ExpressionContext): ColumnUse => {
  const fields = listOf(node.fields).map(field => {
    const part = nodeOf(field)
    return part?.A_Star !== undefined ? '*' : (textOf(nodeOf(part?.String)?.sval) ?? '')
  })
  return {
    qualifier: fields.length > 1 ? (fields.at(-2) as string) : null,
    column: fields.at(-1) ?? '',
    mayBeText: false,
    mayBeOutput: place.mayBeOutput,
  }
}

const readConstant: Visit = (node, { scope, comparedTo }) => {
  const add = (kind: 'text' | 'number', value: string): unknown =>
    scope.literals.push({ value, kind, comparedTo, mayBeColumn: false })
  const [text, whole, decimal] = [nodeOf(node.sval), nodeOf(node.ival), nodeOf(node.fval)]
  if (text !== null) add('text', textOf(text.sval) ?? '')
  // libpg-query leaves a zero out of its JSON.
  if (whole !== null) add('number', String(whole.ival ?? 0))
  if (decimal !== null) add('number', textOf(decimal.fval) ?? '')
}

const readExpression: Visit = (node, place, scopes) => {
  const compares = node.kind !== 'AEXPR_OP' || comparisons.has(operatorOf(node))
  const left = compares ? comparedColumn(node.lexpr, place) : null
  const right = compares ? comparedColumn(node.rexpr, place) : null
  visit(node.lexpr, { ...place, comparedTo: right }, scopes)
  visit(node.rexpr, { ...place, comparedTo: left }, scopes)
}

const comparisons = new Set(['=', '<>', '!=', '<', '>', '<=', '>=', '~', '~*', '!~', '!~*'])

const operatorOf = (node: TreeNode): string =>
  textOf(nodeOf(nodeOf(listOf(node.name).at(-1))?.String)?.sval) ?? ''

/** The column on one side of a comparison, also inside a cast or `lower(...)`. */
const comparedColumn = (value: TreeValue | undefined, place: ExpressionContext): ColumnUse | null => {
  const node = nodeOf(value)
  if (node === null) return null
  const column = nodeOf(node.ColumnRef)
  if (column !== null) return columnUse(column, place)
  const cast = nodeOf(node.TypeCast)
  if (cast !== null) return comparedColumn(cast.arg, place)
  const call = nodeOf(node.FuncCall)
  return call !== null && keepsValue(call) ? comparedColumn(listOf(call.args)[0], place) : null
}

const readCall: Visit = (node, place, scopes) => {
  const { args, ...rest } = node
  visit(args, keepsValue(node) ? place : withoutComparison(place), scopes)
  visit(rest, withoutComparison(place), scopes)
}

const keepsValue = (call: TreeNode): boolean => {
  const name = textOf(nodeOf(nodeOf(listOf(call.funcname).at(-1))?.String)?.sval)
  return name !== null && valueKeepingFunctions.has(name) && listOf(call.args).length === 1
}

const readers: Readonly<Record<string, Visit>> = {
  SelectStmt: readSelect,
  ColumnRef: readColumn,
  A_Const: readConstant,
  A_Expr: readExpression,
  FuncCall: readCall,
  // Types and options hold numbers that nobody compares.
  typeName: () => undefined,
}
