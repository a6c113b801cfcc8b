import type { SelectQuery } from '../../sql/render/select-query.ts'

const emptyClauses: Omit<SelectQuery, 'from' | 'items'> = {
  kind: 'select',
  distinct: false,
  joins: [],
  where: null,
  groupBy: [],
  having: null,
  orderBy: [],
  limit: null,
}

/** A SELECT of the given parts; all other clauses are left out. */
export const simpleQuery = (
  parts: Pick<SelectQuery, 'from' | 'items'> & Partial<SelectQuery>,
): SelectQuery => ({ ...emptyClauses, ...parts })
