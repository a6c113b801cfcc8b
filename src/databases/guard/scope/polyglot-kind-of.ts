import { nodeOf, type TreeValue } from '../../../sql/sql-tree.ts'

/** Nodes of polyglot that are queries. */
export const queryKinds = new Set(['select', 'union', 'intersect', 'except', 'values', 'subquery', 'paren'])

/** A node of polyglot is an object whose only key is its kind. */
export const nodeKind = (value: TreeValue | undefined): string => Object.keys(nodeOf(value) ?? {})[0] ?? ''
