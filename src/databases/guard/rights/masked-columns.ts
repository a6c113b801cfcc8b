import type { ColumnMask, DataRights } from '../../../domain/access/data-rights.ts'
import type { Catalog, Column, Table } from '../../../domain/catalog.ts'
import { generatedColumns, inheritedColumns, keyColumns, type TableColumn } from '../scope/copied-columns.ts'
import { matchesColumn } from '../scope/scoped-tables.ts'

/** How a column is shown that is not shown as it is: behind a mask, or not at all. */
export type ColumnForm = ColumnMask | { readonly mask: 'none' }

/** The columns of each table that are not shown as they are. Tables without any are left out. */
export type MaskedColumns = ReadonlyMap<Table, ReadonlyMap<Column, ColumnForm>>

/**
 * The columns that rights mask, with those that show values of a masked one. What is generated from a masked column is
 * not shown at all, since its values may tell anything of it. The same column of a table that inherits, and a column
 * with a declared foreign key to or from a masked one, carry its mask. A column with a mask of its own keeps that.
 */
export const maskedColumns = (catalog: Catalog, { columnMasks }: DataRights): MaskedColumns => {
  const { dialect } = catalog
  const masked = new Map<Table, Map<Column, ColumnForm>>()
  const own = new Set<Column>()
  const put = ({ table, column }: TableColumn, form: ColumnForm): void => {
    const forms = masked.get(table) ?? new Map<Column, ColumnForm>()
    masked.set(table, forms.set(column, form))
  }
  for (const table of catalog.tables)
    for (const column of table.columns) {
      const mask = columnMasks.find(one => matchesColumn(one.column, table, column, dialect))
      if (mask === undefined) continue
      put({ table, column }, mask)
      own.add(column)
    }
  if (own.size === 0) return masked

  const formOf = ({ table, column }: TableColumn): ColumnForm | undefined => masked.get(table)?.get(column)
  let isStable = false
  const carry = (to: TableColumn, form: ColumnForm | undefined): void => {
    if (form === undefined || own.has(to.column)) return
    const before = formOf(to)
    const after = stricterForm(before, form, to.column)
    if (before !== undefined && isSame(before, after)) return
    put(to, after)
    isStable = false
  }
  const generated = catalog.tables.flatMap(table =>
    generatedColumns(table, dialect).map(one => ({ ...one, table })),
  )
  const [inherited, keys] = [inheritedColumns(catalog), keyColumns(catalog)]
  while (!isStable) {
    isStable = true
    for (const { table, column, from } of generated)
      if (from.some(one => formOf({ table, column: one }) !== undefined))
        carry({ table, column }, { mask: 'none' })
    for (const [one, other] of inherited) {
      carry(one, formOf(other))
      carry(other, formOf(one))
    }
    for (const [one, other] of keys) {
      carry(one, keyForm(formOf(other), one.column))
      carry(other, keyForm(formOf(one), other.column))
    }
  }
  return masked
}

/** A key of another table stays, so that rows can still be counted by it and joined; a hash tells least of it. */
const keyForm = (form: ColumnForm | undefined, { name }: Column): ColumnForm | undefined =>
  form?.mask === 'none' ? { column: name, mask: 'hash' } : form

/** Of two forms that one column would have: the one that shows less. Two masks that differ make a hash. */
const stricterForm = (
  before: ColumnForm | undefined,
  form: ColumnForm,
  { name, kind }: Column,
): ColumnForm => {
  if (before?.mask === 'none' || form.mask === 'none') return { mask: 'none' }
  const hash = { column: name, mask: 'hash' } as const
  if (form.mask === 'bucket' && kind !== 'integer' && kind !== 'number') return hash
  return before === undefined || isSame(before, form) ? form : hash
}

const isSame = (a: ColumnForm, b: ColumnForm): boolean =>
  a.mask === b.mask && (a.mask !== 'bucket' || b.mask !== 'bucket' || a.width === b.width)
