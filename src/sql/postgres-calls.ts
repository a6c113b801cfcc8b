import { isNode, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from './sql-tree.ts'

/** A call in Postgres's functional notation: `(x).lower` is `lower(x)` unless x has a column of that name. */
interface FieldCall {
  readonly name: string
}

/**
 * The names behind a dot that may call a function. Postgres looks for a column first, and for a function if there is
 * none; what an expression has of columns the text does not say. Of what a function in FROM gives, a single value has no
 * columns but those that the text names.
 */
export const fieldCalls = (statements: readonly TreeNode[]): readonly FieldCall[] => {
  const scalars = new Map<string, Set<string>>()
  const calls: FieldCall[] = []
  visitNodes(statements, (tag, node) => {
    if (tag === 'RangeFunction') noteScalar(node, scalars)
  })
  visitNodes(statements, (tag, node) => {
    if (tag === 'A_Indirection') {
      for (const part of listOf(node.indirection)) {
        const name = stringOf(part)
        if (name !== null && !knownFields.test(name)) calls.push({ name })
      }
    } else if (tag === 'ColumnRef') {
      const [qualifier, name, more] = listOf(node.fields).map(stringOf)
      const columns = scalars.get(qualifier ?? '')
      if (columns === undefined || !name || more !== undefined) return
      if (!columns.has(name) && !knownFields.test(name)) calls.push({ name })
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
