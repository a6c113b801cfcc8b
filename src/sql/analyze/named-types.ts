import { isNode, listOf, nodeOf, type SqlTree, type TreeValue, textOf } from '../parse/sql-tree.ts'

/** A type that a statement names. The parser writes the standard's own types with the schema `pg_catalog`. */
export interface NamedType {
  readonly schema: string | null
  readonly name: string
}

/**
 * The types in casts and column lists. Of a Postgres tree all of them, because a table's name is a type as well; of
 * others those that are not the standard's own.
 */
export const namedTypes = ({
  parser,
  statements,
}: Pick<SqlTree, 'parser' | 'statements'>): readonly NamedType[] =>
  parser === 'libpg-query' ? postgresTypes(statements) : customTypes(statements)

/** polyglot writes a type that it does not know as `custom`, with the schema in its name. */
const customTypes = (value: TreeValue | undefined): readonly NamedType[] => {
  if (Array.isArray(value)) return (value as readonly TreeValue[]).flatMap(customTypes)
  if (!isNode(value)) return []
  const inside = Object.values(value).flatMap(customTypes)
  if (value.data_type !== 'custom') return inside
  const parts = (textOf(value.name) ?? '').split('.')
  const name = (parts.at(-1) ?? '').replace(/^"(.*)"$/s, '$1')
  return [{ schema: parts.slice(0, -1).join('.') || null, name }, ...inside]
}

const postgresTypes = (statements: SqlTree['statements']): readonly NamedType[] => {
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
