import type { ParseDialect } from '../../domain/sql.ts'
import { dialectNamed } from '../dialects.ts'
import type { SqlToken } from '../parse/sql-tokens.ts'
import {
  isNode,
  listOf,
  nodeOf,
  type SqlTree,
  type TreeNode,
  type TreeValue,
  textOf,
} from '../parse/sql-tree.ts'

/**
 * Every function call of a tree. Postgres's grammar says which they are. polyglot turns known functions into some
 * 300 kinds of nodes and drops how they were spelled, so there the tokens are asked: a name before a bracket is a
 * call unless its place proves otherwise.
 */
export const functionCalls = (tree: SqlTree): readonly SqlCall[] =>
  tree.parser === 'libpg-query' ? postgresCalls(tree.statements) : tokenCalls(tree.tokens, tree.dialect)

/** One call of a function. Names are in lower case where the dialect folds them. */
export interface SqlCall {
  readonly schema: string | null
  readonly name: string
  /** What each argument is when it is nothing but a literal; null for everything else. */
  readonly args: readonly (string | number | null)[]
}

/** Every call in a Postgres tree: functions, and the expressions that have a syntax of their own. */
const postgresCalls = (statements: readonly TreeNode[]): readonly SqlCall[] => {
  const calls: SqlCall[] = []
  const visit = (value: TreeValue | undefined): void => {
    if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) visit(item)
    if (!isNode(value)) return
    for (const [key, child] of Object.entries(value)) {
      if (isNode(child)) {
        // A tree has keys such as `constructor`, which every object seems to have.
        const call = Object.hasOwn(readers, key) ? readers[key]?.(child) : undefined
        if (call !== undefined) calls.push(call)
      }
      visit(child)
    }
  }
  visit(statements)
  return [...calls, ...fieldCalls(statements)]
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

/**
 * The names behind a dot that may call a function: in Postgres's functional notation `(x).lower` is `lower(x)` unless x
 * has a column of that name. Postgres looks for a column first, and for a function if there is
 * none; what an expression has of columns the text does not say. Of what a function in FROM gives, a single value has no
 * columns but those that the text names.
 */
const fieldCalls = (statements: readonly TreeNode[]): readonly SqlCall[] => {
  const scalars = new Map<string, Set<string>>()
  const calls: SqlCall[] = []
  visitNodes(statements, (tag, node) => {
    if (tag === 'RangeFunction') noteScalar(node, scalars)
  })
  visitNodes(statements, (tag, node) => {
    if (tag === 'A_Indirection') {
      for (const part of listOf(node.indirection)) {
        const name = stringOf(part)
        if (name !== null && !knownFields.test(name)) calls.push(named(name))
      }
    } else if (tag === 'ColumnRef') {
      const [qualifier, name, more] = listOf(node.fields).map(stringOf)
      const columns = scalars.get(qualifier ?? '')
      if (columns === undefined || !name || more !== undefined) return
      if (!columns.has(name) && !knownFields.test(name)) calls.push(named(name))
    }
  })
  return calls
}

const visitNodes = (value: TreeValue | undefined, look: (tag: string, node: TreeNode) => void): void => {
  if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) visitNodes(item, look)
  if (!isNode(value)) return
  for (const [key, child] of Object.entries(value)) {
    if (isNode(child) && /^[A-Z]/.test(key)) look(key, child)
    visitNodes(child, look)
  }
}

/** Under which name a function in FROM is known, and which of its columns the text names. */
const noteScalar = (node: TreeNode, scalars: Map<string, Set<string>>): void => {
  const calls = listOf(node.functions).map(item => {
    const call = nodeOf(nodeOf(listOf(nodeOf(nodeOf(item)?.List)?.items)[0])?.FuncCall)
    return stringOf(listOf(call?.funcname).at(-1))
  })
  const alias = nodeOf(node.alias)
  const known = textOf(alias?.aliasname) ?? calls[0]
  // These give rows, and their columns are found before any function.
  if (!known || (calls.length > 0 && calls.every(call => call !== null && givesRows.test(call)))) return
  const columns = scalars.get(known) ?? new Set<string>()
  for (const name of [known, ...calls, ...listOf(alias?.colnames).map(stringOf)]) if (name) columns.add(name)
  for (const column of listOf(node.coldeflist)) {
    const name = textOf(nodeOf(nodeOf(column)?.ColumnDef)?.colname)
    if (name) columns.add(name)
  }
  scalars.set(known, columns)
}

const stringOf = (part: TreeValue | undefined): string | null => textOf(nodeOf(nodeOf(part)?.String)?.sval)

/** Columns that rows of the allowed functions have; no function goes by these names. */
const knownFields = /^(?:key|value|ordinality|word|ndoc|nentry|f\d+|column\d+)$/

const givesRows = /^jsonb?_(?:each|each_text|populate_record|populate_recordset|to_record|to_recordset)$/

/**
 * Every call that can be seen in the tokens. A name before an opening bracket is a call, quoted or not, unless its
 * place says that it cannot be: a keyword, a type, the column list of a CTE or of an alias. In doubt it is a call,
 * because the guard refuses what it does not know.
 */
const tokenCalls = (tokens: readonly SqlToken[], dialect: ParseDialect): readonly SqlCall[] => {
  const withoutBrackets = dialectNamed(dialect).grammar.callsWithoutBrackets
  const calls: SqlCall[] = []
  tokens.forEach((token, at) => {
    if (token.kind !== 'word' && token.kind !== 'quoted') return
    const before = tokens[at - 1]?.text
    const qualified = before === '.'
    if (tokens[at + 1]?.text !== '(') {
      const bare = token.kind === 'word' && !qualified && tokens[at + 1]?.text !== '.'
      if (bare && withoutBrackets.has(token.value)) calls.push({ schema: null, name: token.value, args: [] })
      return
    }
    if (token.kind === 'word' && !qualified && keywordsBeforeBracket.has(token.value)) return
    if (isTypeName(tokens, at) || isColumnList(tokens, at)) return
    calls.push({
      schema: qualified ? (tokens[at - 2]?.value ?? '').toLowerCase() : null,
      name: token.value.toLowerCase(),
      args: readArguments(tokens, at + 1),
    })
  })
  return calls
}

/** `CAST(a AS varchar(10))`, `a::decimal(10, 2)`. An alias before a bracket stands after AS too. */
const isTypeName = (tokens: readonly SqlToken[], at: number): boolean => {
  const before = tokens[at - 1]
  return before?.text === '::' || (before?.kind === 'word' && before.value === 'as')
}

/** `WITH x (a, b) AS (...)` and `(SELECT ...) x (a, b)`. */
const isColumnList = (tokens: readonly SqlToken[], at: number): boolean => {
  const close = closingBracket(tokens, at + 1)
  const between = tokens.slice(at + 2, close)
  if (!between.every(token => token.kind === 'word' || token.kind === 'quoted' || token.text === ','))
    return false
  const before = tokens[at - 1]?.value ?? ''
  if (before === ')') {
    // `SELECT DISTINCT ON (a) f (b)` and `SELECT TOP (1) f (b)` do call f.
    const opener = openingBracket(tokens, at - 1)
    return !/^(?:on|top)$/.test(tokens[opener - 1]?.value ?? '')
  }
  if (!/^(?:with|recursive|,)$/.test(before)) return false
  const rest = tokens.slice(close + 1, close + 5).map(token => token.value)
  return /^as (?:(?:not )?materialized )?\(/.test(rest.join(' '))
}

const closingBracket = (tokens: readonly SqlToken[], open: number): number => {
  let depth = 0
  for (let at = open; at < tokens.length; at += 1) {
    if (tokens[at]?.text === '(') depth += 1
    if (tokens[at]?.text === ')') depth -= 1
    if (depth === 0) return at
  }
  return tokens.length
}

const openingBracket = (tokens: readonly SqlToken[], close: number): number => {
  let depth = 0
  for (let at = close; at >= 0; at -= 1) {
    if (tokens[at]?.text === ')') depth += 1
    if (tokens[at]?.text === '(') depth -= 1
    if (depth === 0) return at
  }
  return -1
}

const readArguments = (tokens: readonly SqlToken[], open: number): SqlCall['args'] => {
  const args: SqlToken[][] = [[]]
  const close = closingBracket(tokens, open)
  let depth = 0
  for (const token of tokens.slice(open + 1, close)) {
    if (/^[([{]$/.test(token.text)) depth += 1
    if (/^[)\]}]$/.test(token.text)) depth -= 1
    if (depth === 0 && token.text === ',') args.push([])
    else args.at(-1)?.push(token)
  }
  return close === open + 1 ? [] : args.map(literalOf)
}

const literalOf = ([first, ...more]: readonly SqlToken[]): string | number | null => {
  if (first === undefined || more.length > 0) return null
  if (first.kind === 'number') return Number(first.text.replaceAll('_', ''))
  return first.kind === 'string' ? first.value : null
}

const keywordsBeforeBracket = new Set(
  `in exists and or not xor as on using over values from join where select by having when then else case between like
  regexp rlike ilike similar is all any some union intersect except minus distinct limit offset filter escape
  with recursive materialized group sets rollup cube partition interval lateral exclude pivot unpivot for div binary
  against index key top qualify tablesample sample bernoulli system reservoir array struct collate varying precision
  decimal numeric nchar signed unsigned varchar apply`.split(/\s+/),
)
