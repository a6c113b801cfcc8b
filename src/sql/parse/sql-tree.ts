import type { ParseDialect } from '../../domain/sql.ts'
import type { SqlComment, SqlToken } from './sql-tokens.ts'

/** A value inside a tree: what JSON can hold. */
export type TreeValue = null | boolean | number | string | readonly TreeValue[] | TreeNode

/** A node as its parser writes it. */
export interface TreeNode {
  readonly [key: string]: TreeValue | undefined
}

/**
 * A statement list as a tree. Postgres trees are libpg-query's (tags in capitals, as in Postgres's own sources);
 * all others are polyglot's (one key in small letters names the kind).
 */
export interface SqlTree {
  readonly parser: 'libpg-query' | 'polyglot'
  readonly dialect: ParseDialect
  readonly sql: string
  /** The text that the parser was given, to which positions in the tree refer: `sql` with its comments blanked. */
  readonly read: string
  readonly statements: readonly TreeNode[]
  readonly tokens: readonly SqlToken[]
  readonly comments: readonly SqlComment[]
}

/** True for an object of the tree: not a list, not a leaf. */
export const isNode = (value: TreeValue | undefined): value is TreeNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value as a node, or null. */
export const nodeOf = (value: TreeValue | undefined): TreeNode | null => (isNode(value) ? value : null)

/** The value as a list; an absent one is empty. */
export const listOf = (value: TreeValue | undefined): readonly TreeValue[] =>
  Array.isArray(value) ? value : []

/** The value as text, or null. */
export const textOf = (value: TreeValue | undefined): string | null =>
  typeof value === 'string' ? value : null

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
