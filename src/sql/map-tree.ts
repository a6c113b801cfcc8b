import { isNode, type TreeNode, type TreeValue } from './sql-tree.ts'

/**
 * Copies a tree. `change` sees every object with the key it stands under, from the outside in, and returns what
 * shall stand there instead (which is not looked into again), or undefined to go on inside.
 */
export const mapTree = (
  value: TreeValue | undefined,
  change: (node: TreeNode, key: string) => TreeValue | undefined,
  key = '',
): TreeValue => {
  if (Array.isArray(value)) return value.map(item => mapTree(item, change, key))
  if (!isNode(value)) return value ?? null
  return change(value, key) ?? mapChildren(value, change)
}

/** Copies an object with its parts mapped; for a `change` that alters some parts only. */
export const mapChildren = (
  node: TreeNode,
  change: (node: TreeNode, key: string) => TreeValue | undefined,
): TreeNode =>
  Object.fromEntries(Object.entries(node).map(([key, child]) => [key, mapTree(child, change, key)]))
