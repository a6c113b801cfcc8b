import type { NameRules } from '../../../sql/sql-dialect.ts'
import { childrenOf } from '../../../sql/tree/children.ts'
import type { ColumnName, Expression, JoinedSource, SelectTree } from '../../../sql/tree/query-tree.ts'
import type { NamedSource } from './name-layers.ts'

/** The names of a query's columns; `isOpen` if there may be others. */
export interface Columns {
  readonly names: readonly string[]
  readonly isOpen: boolean
}

/** The columns of a SELECT, by the sources that it names. */
export const outputColumns = (
  select: SelectTree,
  sources: readonly NamedSource[],
  same: NameRules['same'],
): Columns => {
  const names: string[] = []
  let isOpen = false
  for (const { expression, alias } of select.outputs) {
    if (expression.kind === 'star') {
      const { qualifier, except, replace, renames } = expression
      const meant = sources.filter(
        ({ known }) => qualifier === null || (known !== null && same(known, qualifier, 'table') !== 'no'),
      )
      names.push(...meant.flatMap(source => source.columns))
      isOpen ||= meant.length === 0 || meant.some(source => source.isOpen)
      isOpen ||= except.length > 0 || replace.length > 0 || renames
    } else {
      const name = alias ?? partsOf(expression)?.at(-1) ?? null
      if (name === null) isOpen = true
      else names.push(name)
    }
  }
  return { names, isOpen }
}

/** `t(a, b)` names the first columns of a source. */
export const renameColumns = ({ names, isOpen }: Columns, renamed: readonly string[]): Columns => ({
  names: [...renamed, ...names.slice(renamed.length)],
  isOpen: isOpen && renamed.length === 0,
})

/** The columns that USING makes one, also of joins in brackets. */
export const mergedColumns = (from: readonly JoinedSource[]): readonly string[] =>
  from.flatMap(({ using, source }) => [
    ...using,
    ...(source.kind === 'joined' && source.alias === null ? mergedColumns(source.sources) : []),
  ])

/** A name of one or more parts, the outermost first; null for any other expression. */
export const partsOf = (expression: Expression): readonly string[] | null => {
  if (expression.kind === 'column') {
    const { outer, qualifier, name } = expression
    return [...outer, ...(qualifier === null ? [] : [qualifier]), name]
  }
  if (expression.kind !== 'field') return null
  const inner = partsOf(expression.operand)
  return inner === null ? null : [...inner, expression.name]
}

/** The column that a name of several parts begins with. */
export const columnOf = (expression: Expression): ColumnName | null =>
  expression.kind === 'column'
    ? expression
    : expression.kind === 'field'
      ? columnOf(expression.operand)
      : null

/** Names that are given inside an expression: `sum(a AS b)`. */
export const namesGivenIn = (expression: Expression): readonly string[] => [
  ...(expression.kind === 'named' ? [expression.name] : []),
  ...childrenOf(expression).flatMap(namesGivenIn),
]
