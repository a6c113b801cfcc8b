import {
  isNode,
  listOf,
  nodeOf,
  type SqlTree,
  type TreeNode,
  type TreeValue,
  textOf,
} from '../parse/sql-tree.ts'

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
  parser === 'libpg-query' ? typeNamesIn(statements) : customTypes(statements)

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

/** Each name of a type in a Postgres tree, with its node. */
export const typeNamesIn = (
  part: TreeValue | undefined,
): readonly (NamedType & { readonly node: TreeNode })[] => {
  const types: (NamedType & { readonly node: TreeNode })[] = []
  const visit = (value: TreeValue | undefined): void => {
    if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) visit(item)
    if (!isNode(value)) return
    for (const [key, child] of Object.entries(value)) {
      const node = nodeOf(child)
      if (node !== null && /^type_?name$/i.test(key)) {
        const parts = listOf(node.names).map(part => stringOf(part) ?? '')
        if (parts.length > 0)
          types.push({ schema: parts.slice(0, -1).join('.') || null, name: parts.at(-1) ?? '', node })
      }
      visit(child)
    }
  }
  visit(part)
  return types
}

/** A type without its schema, its length and brackets for lists: `sales.order_status[]` is `order_status`. */
export const bareType = (type: string): string =>
  (
    type
      .replace(/(?:\[\])+$/, '')
      .replace(/\([\w, -]*\)/, '')
      .split('.')
      .at(-1) ?? ''
  )
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll('""', '"')

/** The text of a node that holds one; null for any other. */
export const stringOf = (part: TreeValue | undefined): string | null =>
  textOf(nodeOf(nodeOf(part)?.String)?.sval)
