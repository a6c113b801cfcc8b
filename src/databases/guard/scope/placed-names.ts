import type { Dialect } from '../../../domain/sql.ts'
import { childrenOf, orderingParts } from '../../../sql/tree/children.ts'
import type { Expression, Frame, FromSource, JoinedSource, QueryTree } from '../../../sql/tree/query-tree.ts'
import { foldName } from './name-lookup.ts'

/** How often each name stands in a place of the tree that is for names. */
export const placedNames = (query: QueryTree, dialect: Dialect): ReadonlyMap<string, number> => {
  const placed = new Map<string, number>()
  const place = (...names: readonly (string | null)[]): void => {
    for (const name of names) {
      if (name === null) continue
      const folded = foldName(name, dialect)
      placed.set(folded, (placed.get(folded) ?? 0) + 1)
    }
  }

  const visitQuery = (query: QueryTree): void => {
    for (const frame of [query, ...query.brackets]) visitFrame(frame)
    if (query.kind === 'set') {
      visitQuery(query.left)
      visitQuery(query.right)
      return
    }
    for (const { expression, alias } of query.outputs) {
      place(alias)
      visit(expression)
    }
    visitFrom(query.from)
    for (const part of [query.where, ...query.groupBy, query.having, query.qualify, ...(query.rows ?? [])])
      if (part !== null) visit(part)
  }

  const visitFrame = (frame: Frame): void => {
    for (const { name, renamed, query } of frame.ctes) {
      place(name, ...renamed)
      visitQuery(query)
    }
    for (const part of clausesOf(frame)) visit(part)
  }

  const visitFrom = (from: readonly JoinedSource[]): void => {
    for (const { source, on, using } of from) {
      place(...using)
      visitSource(source)
      if (on !== null) visit(on)
    }
  }

  const visitSource = (source: FromSource): void => {
    place(source.alias, ...source.renamed)
    switch (source.kind) {
      case 'table':
        place(source.catalog, source.schema, source.name)
        return
      case 'derived':
        visitQuery(source.query)
        return
      case 'joined':
        visitFrom(source.sources)
        return
      case 'function':
        for (const part of source.parts) visit(part)
        return
      case 'reshaped':
      case 'sampled':
        visitSource(source.source)
        for (const part of source.parts) visit(part)
        return
      case 'unclear':
        return
      default: {
        const never: never = source
        throw new Error(`a source of no kind: ${String(never)}`)
      }
    }
  }

  const visit = (expression: Expression): void => {
    switch (expression.kind) {
      case 'column':
        place(...expression.outer, expression.qualifier, expression.name)
        return
      case 'star':
        place(...expression.except, expression.qualifier)
        break
      case 'field':
      case 'named':
        place(expression.name)
        break
      case 'lambda':
        place(...expression.names)
        break
      case 'exists':
      case 'subquery':
        visitQuery(expression.query)
        break
      case 'in':
        if ('kind' in expression.among) visitQuery(expression.among)
        break
    }
    for (const child of childrenOf(expression)) visit(child)
  }

  visitQuery(query)
  return placed
}

/** What belongs to a query as a whole: ORDER BY, LIMIT, and clauses without a place of their own. */
export const clausesOf = ({ orderBy, limit, offset, details }: Frame): readonly Expression[] =>
  [...orderBy.flatMap(orderingParts), limit, offset, ...details].filter(part => part !== null)
