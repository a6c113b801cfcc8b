import type { TreeNode } from './sql-tree.ts'

const origins = new WeakMap<object, TreeNode>()

/**
 * Remembers which node of the parser's tree a part of a query was read from, so that the names in it can be found in the
 * text again. Returns the part.
 */
export const keepOrigin = <Part extends object>(part: Part, node: TreeNode): Part => {
  origins.set(part, node)
  return part
}

/** The node that a part of a query was read from; null for one that was not read. */
export const originOf = (part: object): TreeNode | null => origins.get(part) ?? null
