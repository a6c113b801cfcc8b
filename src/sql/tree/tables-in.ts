import { childrenOf, orderingParts } from './children.ts'
import type { Expression, Frame, FromSource, QueryTree } from './query-tree.ts'

/** Every table and query of WITH that a query reads in FROM, wherever it stands, as often as it is named. */
export const tablesIn = (query: QueryTree): readonly Extract<FromSource, { kind: 'table' }>[] => {
  const found: Extract<FromSource, { kind: 'table' }>[] = []

  const visitQuery = (query: QueryTree): void => {
    for (const frame of [query, ...query.brackets]) visitFrame(frame)
    if (query.kind === 'set') {
      visitQuery(query.left)
      visitQuery(query.right)
      return
    }
    for (const { source, on } of query.from) {
      visitSource(source)
      visit(on)
    }
    for (const { expression } of query.outputs) visit(expression)
    for (const part of [query.where, ...query.groupBy, query.having, query.qualify, ...(query.rows ?? [])])
      visit(part)
  }

  const visitFrame = ({ ctes, orderBy, limit, offset, details }: Frame): void => {
    for (const { query } of ctes) visitQuery(query)
    for (const part of [...orderBy.flatMap(orderingParts), limit, offset, ...details]) visit(part)
  }

  const visitSource = (source: FromSource): void => {
    switch (source.kind) {
      case 'table':
        found.push(source)
        return
      case 'derived':
        visitQuery(source.query)
        return
      case 'joined':
        for (const { source: inner, on } of source.sources) {
          visitSource(inner)
          visit(on)
        }
        return
      case 'function':
        for (const part of source.parts) visit(part)
        return
      case 'reshaped':
      case 'sampled':
      case 'unclear':
        if (source.source !== null) visitSource(source.source)
        for (const part of source.parts) visit(part)
        return
      default: {
        const never: never = source
        throw new Error(`a source of no kind: ${String(never)}`)
      }
    }
  }

  const visit = (expression: Expression | null): void => {
    if (expression === null) return
    if (expression.kind === 'exists' || expression.kind === 'subquery') visitQuery(expression.query)
    if (expression.kind === 'in' && 'kind' in expression.among) visitQuery(expression.among)
    for (const child of childrenOf(expression)) visit(child)
  }

  visitQuery(query)
  return found
}
