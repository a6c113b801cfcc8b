import type { Table } from '../../domain/catalog.ts'
import { columnOf } from '../../sql/tree/compose-query.ts'
import type { JoinedSource, SelectTree } from '../../sql/tree/query-tree.ts'
import type { LayerIndex } from './layer-index.ts'
import { withShortNames } from './short-names.ts'

/** A SELECT of figures as a person would write it: with short names, and grouped by its headings. */
export const tidied = (query: SelectTree, { models }: LayerIndex): SelectTree =>
  withGroupHeadings(
    withShortNames(query),
    [...models.values()].map(({ table }) => table),
  )

/**
 * Groups by the headings of calculated columns instead of writing them out again, as a person would. A heading that a
 * source has a column of is left alone: there, databases take the column.
 */
const withGroupHeadings = (query: SelectTree, tables: readonly Table[]): SelectTree => {
  const columns = new Set(
    query.from.flatMap(source => columnsOf(source, tables)).map(name => name.toLowerCase()),
  )
  const groupBy = query.groupBy.map(expression => {
    const text = JSON.stringify(expression)
    const output = query.outputs.find(one => JSON.stringify(one.expression) === text)
    const alias = output?.alias ?? null
    return expression.kind === 'column' || alias === null || columns.has(alias.toLowerCase())
      ? expression
      : columnOf(alias)
  })
  return { ...query, groupBy }
}

const columnsOf = ({ source }: JoinedSource, tables: readonly Table[]): readonly string[] => {
  if (source.kind === 'table')
    return tables
      .filter(({ name }) => name === source.name)
      .flatMap(table => table.columns.map(({ name }) => name))
  if (source.kind !== 'derived' || source.query.kind !== 'select') return []
  return source.query.outputs.flatMap(({ expression, alias }) => {
    const name = alias ?? (expression.kind === 'column' ? expression.name : null)
    return name === null ? [] : [name]
  })
}
