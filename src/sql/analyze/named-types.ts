import { isNode, listOf, nodeOf, type SqlTree, type TreeValue, textOf } from '../parse/sql-tree.ts'

/** A type that a statement names. The parser writes the standard's own types with the schema `pg_catalog`. */
export interface NamedType {
  readonly schema: string | null
  readonly name: string
}

/**
 * The types in casts and column lists of a Postgres tree, where a table's name is a type as well. Other dialects have
 * no such types.
 */
export const namedTypes = ({
  parser,
  statements,
}: Pick<SqlTree, 'parser' | 'statements'>): readonly NamedType[] => {
  if (parser !== 'libpg-query') return []
  const types: NamedType[] = []
  const visit = (value: TreeValue | undefined): void => {
    if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) visit(item)
    if (!isNode(value)) return
    for (const [key, child] of Object.entries(value)) {
      const node = nodeOf(child)
      if (node !== null && /^type_?name$/i.test(key)) {
        const parts = listOf(node.names).map(part => textOf(nodeOf(nodeOf(part)?.String)?.sval) ?? '')
        if (parts.length > 0)
          types.push({ schema: parts.slice(0, -1).join('.') || null, name: parts.at(-1) ?? '' })
      }
      visit(child)
    }
  }
  visit(statements)
  return types
}
