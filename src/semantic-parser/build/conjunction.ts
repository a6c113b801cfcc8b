import type { Expression } from '../../sql/render/expression.ts'

/** All of some expressions by AND, those of an AND among them taken out of it. Null when there are none. */
export const combineWithAnd = (expressions: readonly Expression[]): Expression | null => {
  const parts = expressions.flatMap(one => (one.kind === 'and' ? one.parts : [one]))
  const [only] = parts
  if (!only) return null
  return parts.length === 1 ? only : { kind: 'and', parts }
}
