import type { Expression, Ordering, QueryTree } from '../tree/query-tree.ts'
import { isNode, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from './sql-tree.ts'

/** What the readers of the parts of a polyglot tree need of one another. */
export interface PolyglotReader {
  /** The query of a node, or null if it is none. */
  readonly query: (value: TreeValue | undefined) => QueryTree | null
  readonly expression: (value: TreeValue | undefined) => Expression
  /** Every expression inside a value, whatever holds it, without the parts of a node that are named in `except`. */
  readonly rest: (value: TreeValue | undefined, except?: ReadonlySet<string>) => readonly Expression[]
  readonly orderBy: (clause: TreeValue | undefined) => readonly Ordering[]
}

/** A node of polyglot is an object whose only key is its kind. */
export const nodeKind = (value: TreeValue | undefined): string => Object.keys(nodeOf(value) ?? {})[0] ?? ''

/** True for a node with a body; plain structures have several keys, or none that holds an object. */
export const isTagged = (value: TreeValue | undefined): value is TreeNode =>
  isNode(value) && Object.keys(value).length === 1 && isNode(Object.values(value)[0])

/** The name of an identifier. */
export const nameOf = (value: TreeValue | undefined): string | null => textOf(nodeOf(value)?.name)

/** The names of a list of identifiers. */
export const namesOf = (list: TreeValue | undefined): readonly string[] =>
  listOf(list).map(item => nameOf(nodeOf(item)?.identifier ?? item) ?? textOf(item) ?? '')
