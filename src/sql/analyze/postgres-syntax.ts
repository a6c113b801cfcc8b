import {
  isNode,
  listOf,
  nodeOf,
  type SqlTree,
  type TreeNode,
  type TreeValue,
  textOf,
} from '../parse/sql-tree.ts'
import { stringOf, typeNamesIn } from './named-types.ts'

/** How Postgres declares a column of a type: `int4` is `integer`. */
const declaredName = (name: string): string => {
  const element = name.replace(/^_/, '')
  return declared.get(element) ?? element
}

const declared: ReadonlyMap<string, string> = new Map([
  ['int2', 'smallint'],
  ['int4', 'integer'],
  ['int8', 'bigint'],
  ['float4', 'real'],
  ['float8', 'double precision'],
  ['bool', 'boolean'],
  ['bpchar', 'character'],
  ['varchar', 'character varying'],
  ['varbit', 'bit varying'],
  ['time', 'time without time zone'],
  ['timetz', 'time with time zone'],
  ['timestamp', 'timestamp without time zone'],
  ['timestamptz', 'timestamp with time zone'],
])

/** Where the values in a part of a Postgres statement come from. Types are named as columns declare them. */
export interface ValueSources {
  /** Names that may be those of columns, or of tables for their rows. */
  readonly names: ReadonlySet<string>
  readonly hasStar: boolean
  /** Tables that it reads, by their names alone. */
  readonly tables: ReadonlySet<string>
  /** What it calls anything that it reads. */
  readonly aliases: ReadonlySet<string>
  readonly types: ReadonlySet<string>
  /** Functions, and operators by their symbols. */
  readonly calls: ReadonlySet<string>
  /** True if it has texts or NULL, which can become values of any type. */
  readonly hasUntyped: boolean
  /** True if columns can be of tables alone: there is one SELECT, and it reads nothing else. */
  readonly isFlat: boolean
}

/** Collects where the values in a part of a Postgres statement, or in all of it, come from. `inside` is what it is part of. */
export const valueSources = (part: TreeValue | undefined, inside = ''): ValueSources => {
  const [names, tables, aliases] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const [types, calls] = [new Set(['boolean']), new Set<string>()]
  let [hasStar, hasUntyped, selects, isPlain] = [false, false, 0, true]
  visitNodes(
    part,
    (tag, node, parent) => {
      switch (tag) {
        case 'SelectStmt':
          selects += node.larg === undefined ? 1 : 2
          break
        case 'ColumnRef': {
          const name = stringOf(listOf(node.fields).at(-1))
          if (name === null) hasStar = true
          else names.add(name)
          break
        }
        case 'A_Const':
          if (nodeOf(node.ival) !== null) types.add('integer')
          else if (nodeOf(node.fval) !== null) for (const type of ['numeric', 'bigint']) types.add(type)
          else if (nodeOf(node.bsval) !== null) types.add('bit')
          else if (nodeOf(node.boolval) === null) {
            hasUntyped = true
            // A text that is cast is read by its type; elsewhere it may stay a text.
            if (parent !== 'TypeCast') types.add('text')
          }
          break
        case 'FuncCall':
          calls.add(stringOf(listOf(node.funcname).at(-1)) ?? '')
          break
        case 'A_Expr':
          for (const symbol of symbolsOf(node)) calls.add(symbol)
          break
        case 'SQLValueFunction':
          for (const type of momentTypes) types.add(type)
          break
        case 'GroupingFunc':
          types.add('integer')
          break
        case 'RangeVar':
          tables.add(textOf(node.relname) ?? '')
          break
        case 'JoinExpr':
          if (node.isNatural === true) hasStar = true
          for (const name of listOf(node.usingClause)) names.add(stringOf(name) ?? '')
          break
        case 'RangeFunction':
          isPlain = false
          break
        case 'Alias':
          aliases.add(textOf(node.aliasname) ?? '')
          if (listOf(node.colnames).length > 0) isPlain = false
          break
        default:
          if (/^(?:Json|Xml)/.test(tag)) for (const type of ['json', 'jsonb', 'text']) types.add(type)
          if (/^JsonTable/.test(tag)) isPlain = false
      }
    },
    inside,
  )
  for (const { name } of typeNamesIn(part)) types.add(declaredName(name))
  return { names, hasStar, tables, aliases, types, calls, hasUntyped, isFlat: selects === 1 && isPlain }
}

/** What `current_date` and its kind give. */
const momentTypes: readonly string[] = [
  ...['date', 'time with time zone', 'time without time zone', 'name', 'text'],
  ...['timestamp with time zone', 'timestamp without time zone'],
]

/** An operator with its operands, of which null is one that has no place of its own. */
export interface OperatorUse {
  readonly symbol: string
  readonly operands: readonly (TreeValue | null)[]
}

/** Every operator of a Postgres statement, also where syntax means one: IN, BETWEEN, LIKE, CASE, NULLIF, and USING. */
export const operatorUses = ({ statements }: Pick<SqlTree, 'statements'>): readonly OperatorUse[] => {
  const uses: OperatorUse[] = []
  const both = [null, null]
  visitNodes(statements, (tag, node) => {
    if (tag === 'A_Expr') {
      const operands = [node.lexpr, node.rexpr].filter(one => one !== undefined)
      for (const symbol of symbolsOf(node)) uses.push({ symbol, operands })
    } else if (tag === 'CaseExpr' && node.arg !== undefined) {
      const whens = listOf(node.args).map(one => nodeOf(nodeOf(one)?.CaseWhen)?.expr ?? null)
      uses.push({ symbol: '=', operands: [node.arg, whens] })
    } else if (tag === 'SubLink' && node.testexpr !== undefined) {
      const symbol = stringOf(listOf(node.operName).at(-1)) ?? '='
      uses.push({ symbol, operands: [node.testexpr, node.subselect ?? null] })
    } else if (tag === 'JoinExpr' && (node.isNatural === true || listOf(node.usingClause).length > 0)) {
      uses.push({ symbol: '=', operands: both })
    } else if (tag === 'SortBy') {
      const symbol = stringOf(listOf(node.useOp).at(-1))
      if (symbol !== null) uses.push({ symbol, operands: both })
    }
  })
  return uses
}

/** BETWEEN has its own name in the tree, the others have their operator's. */
const symbolsOf = (node: TreeNode): readonly string[] => {
  const name = stringOf(listOf(node.name).at(-1)) ?? ''
  if (!/BETWEEN/.test(name)) return [name]
  return /SYMMETRIC/.test(name) ? ['>=', '<=', '<', '>'] : /NOT/.test(name) ? ['<', '>'] : ['>=', '<=']
}

/** A type where it is named, and what is cast to it; null where nothing or something else is. */
export interface TypeUse {
  readonly type: string
  readonly operand: TreeValue | null
}

/** The types that a Postgres statement names, as columns declare them. */
export const typeUses = ({ statements }: Pick<SqlTree, 'statements'>): readonly TypeUse[] => {
  const uses: TypeUse[] = []
  const casts = new Map<TreeNode, TreeValue>()
  visitNodes(statements, (tag, node) => {
    const type = nodeOf(node.typeName)
    if (tag === 'TypeCast' && type !== null) casts.set(type, node.arg ?? null)
  })
  for (const { name, node } of typeNamesIn(statements))
    uses.push({ type: declaredName(name), operand: casts.get(node) ?? null })
  return uses
}

/**
 * The names behind a dot in a Postgres statement. `tables` are those that the name in front can mean, null where an
 * expression stands there. `isSure` is false if sources have columns that only the server knows.
 */
export const fieldNames = ({
  statements,
}: Pick<SqlTree, 'statements'>): {
  readonly fields: readonly { readonly name: string; readonly tables: readonly string[] | null }[]
  readonly isSure: boolean
} => {
  const fields: { readonly name: string; readonly qualifier: string | null }[] = []
  const tables: { readonly known: string; readonly name: string | null }[] = []
  let isSure = true
  visitNodes(statements, (tag, node) => {
    const alias = nodeOf(node.alias)
    const known = textOf(alias?.aliasname)
    const isRenamed = listOf(alias?.colnames).length > 0
    if (tag === 'A_Indirection')
      for (const part of listOf(node.indirection)) {
        const name = stringOf(part)
        if (name !== null) fields.push({ name, qualifier: null })
      }
    else if (tag === 'ColumnRef') {
      const parts = listOf(node.fields).map(stringOf)
      const [qualifier, name] = parts.slice(-2)
      if (parts.length > 1 && name) fields.push({ name, qualifier: qualifier ?? '' })
    } else if (tag === 'RangeVar') {
      const name = textOf(node.relname) ?? ''
      tables.push({ known: known ?? name, name: isRenamed ? null : name })
    } else if (known !== null) tables.push({ known, name: null })
    if (isRenamed || /^(?:RangeFunction|RangeTableSample|JsonTable)$/.test(tag)) isSure = false
    if ((tag === 'JoinExpr' && known !== null) || (tag === 'WithClause' && node.recursive === true))
      isSure = false
  })
  return {
    fields: fields.map(({ name, qualifier }) => {
      if (qualifier === null) return { name, tables: null }
      const meant = tables.filter(({ known }) => known === qualifier).map(table => table.name)
      return { name, tables: meant.every(one => one !== null) ? meant : [] }
    }),
    isSure,
  }
}

const visitNodes = (
  value: TreeValue | undefined,
  look: (tag: string, node: TreeNode, parent: string) => void,
  parent = '',
): void => {
  if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) visitNodes(item, look, parent)
  if (!isNode(value)) return
  for (const [key, child] of Object.entries(value)) {
    const isTag = /^[A-Z]/.test(key) || key === 'alias' || key === 'withClause'
    const tag = key === 'alias' ? 'Alias' : key === 'withClause' ? 'WithClause' : key
    if (isTag && isNode(child)) look(tag, child, parent)
    visitNodes(child, look, /^[A-Z]/.test(key) ? key : parent)
  }
}
