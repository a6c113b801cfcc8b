import type { Column, Table } from '../../src/domain/catalog.ts'

/** A table without schema, key, comment or known size, but for what is given. */
export const makeTable = (
  name: string,
  columns: readonly Column[],
  given: Partial<Omit<Table, 'name' | 'columns'>> = {},
): Table => ({
  schema: null,
  name,
  type: 'table',
  comment: null,
  rowCount: null,
  primaryKey: [],
  ...given,
  columns,
})
