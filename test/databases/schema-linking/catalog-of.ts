import type { Catalog, ForeignKey } from '../../../src/domain/catalog.ts'
import { makeColumn } from '../../helpers/make-column.ts'
import { makeTable } from '../../helpers/make-table.ts'

/** A catalog by the columns of its tables, the first of which is the key; keys as `orders.boat_id > boats.id`. */
export const catalogOf = (
  tables: Readonly<Record<string, string>>,
  keys: readonly string[] = [],
): Catalog => ({
  dialect: 'sqlite',
  fingerprint: Object.keys(tables).join(),
  tables: Object.entries(tables).map(([name, written]) => {
    const columns = written.split(' ')
    return makeTable(
      name,
      columns.map(column => makeColumn(column)),
      { primaryKey: columns.slice(0, 1) },
    )
  }),
  foreignKeys: keys.map(keyOf),
})

const keyOf = (written: string): ForeignKey => {
  const [from, to] = written.split(' > ').map(side => {
    const [table = '', column = ''] = side.split('.')
    return { table, columns: [column] }
  })
  return { from: from!, to: to!, source: 'declared', inclusion: null }
}
