import { isNode, listOf, nodeOf, type SqlTree, type TreeNode, type TreeValue } from '../../sql/sql-tree.ts'
import { describeNode } from './noun-of.ts'
import {
  allowedPolyglotKinds,
  allowedRootKinds,
  allowedSelectParts,
  allowedTableParts,
  bracketKinds,
  plainStructures,
  sourceKinds,
} from './polyglot-kinds.ts'

/** What in a polyglot tree is not a plain query, in words; null when nothing is. The whole tree is looked at. */
export const polyglotRefusal = (tree: SqlTree): string | null => {
  const [root] = tree.statements as readonly [TreeNode]
  const kind = Object.keys(root)[0] ?? ''
  if (!allowedRootKinds.has(kind))
    return `it is no query but ${describeNode(kind, tree.tokens[0]?.text ?? '')}`
  return polyglotNodeRefusal(root)
}

const polyglotNodeRefusal = (value: TreeValue | undefined): string | null => {
  if (Array.isArray(value)) return firstPolyglotRefusal(value as readonly TreeValue[])
  if (!isNode(value)) return null
  const entries = Object.entries(value)
  const [kind, body] = entries[0] ?? []
  // polyglot writes a node as an object whose only key is its kind; everything else has several keys.
  if (entries.length === 1 && kind !== undefined && typeof body === 'object' && !Array.isArray(body)) {
    if (!allowedPolyglotKinds.has(kind) && !plainStructures.has(kind))
      return `it has ${describeNode(kind, kind)} in it`
    const odd = isNode(body) ? (unexpectedPart(kind, body) ?? unexpectedSource(kind, body)) : null
    if (odd !== null) return odd
  }
  return firstPolyglotRefusal(entries.map(([, child]) => child))
}

const firstPolyglotRefusal = (values: readonly (TreeValue | undefined)[]): string | null => {
  for (const value of values) {
    const refusal = polyglotNodeRefusal(value)
    if (refusal !== null) return refusal
  }
  return null
}

const unexpectedPart = (kind: string, body: TreeNode): string | null => {
  const allowed = kind === 'select' ? allowedSelectParts : kind === 'table' ? allowedTableParts : null
  const odd =
    allowed === null ? undefined : Object.keys(body).find(key => !allowed.has(key) && isFilled(body[key]))
  if (odd === undefined) return null
  return partNouns[odd] ?? `it has ${odd.replaceAll('_', ' ').toUpperCase()}, which is not allowed`
}

/** In FROM polyglot takes any expression; what is neither table, query nor call, a server reads otherwise. */
const unexpectedSource = (kind: string, body: TreeNode): string | null => {
  const sources = [
    ...listOf(nodeOf(body.from)?.expressions),
    ...listOf(body.joins).map(join => nodeOf(join)?.this),
  ]
  const inside = kind === 'subquery' ? [body.this] : []
  const isOdd = (source: TreeValue | undefined, kinds: ReadonlySet<string>): boolean => {
    const kind = polyglotKind(unaliased(source))
    // What may stand nowhere is named better by its own kind.
    return allowedPolyglotKinds.has(kind) && !kinds.has(kind)
  }
  const odd =
    sources.some(source => isOdd(source, sourceKinds)) || inside.some(source => isOdd(source, bracketKinds))
  return odd ? 'it reads from something that is neither a table nor a query' : null
}

const unaliased = (source: TreeValue | undefined): TreeValue | undefined =>
  nodeOf(nodeOf(source)?.alias)?.this ?? source

const polyglotKind = (value: TreeValue | undefined): string => Object.keys(nodeOf(value) ?? {})[0] ?? ''

const isFilled = (value: TreeValue | undefined): boolean =>
  value !== null && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

const partNouns: Readonly<Record<string, string>> = {
  into: 'it writes its rows somewhere (INTO)',
  locks: 'it locks rows (FOR UPDATE or FOR SHARE)',
  hint: 'it has an optimizer hint',
  operation_modifiers: 'it has a modifier after SELECT that changes how the server works',
  when: 'it reads an older version of a table',
}
