import type { Catalog, ForeignKey } from '../../../src/core/catalog.ts'

/** A catalog by the columns of its tables, the first of which is the key; keys as `orders.boat_id > boats.id`. */
export const catalogOf = (
  tables: Readonly<Record<string, string>>,
  keys: readonly string[] = [],
): Catalog => ({
  dialect: 'sqlite',
  fingerprint: Object.keys(tables).join(),
  tables: Object.entries(tables).map(([name, columns]) => ({
    schema: null,
    name,
    type: 'table',
    comment: null,
    rowCount: null,
    primaryKey: columns.split(' ').slice(0, 1),
    columns: columns.split(' ').map(column => ({
      name: column,
      type: 'text',
      kind: 'text',
      nullable: true,
      comment: null,
      profile: null,
    })),
  })),
  foreignKeys: keys.map(keyOf),
})

const keyOf = (written: string): ForeignKey => {
  const [from, to] = written.split(' > ').map(side => {
    const [table = '', column = ''] = side.split('.')
    return { table, columns: [column] }
  })
  return { from: from!, to: to!, source: 'declared', inclusion: null }
}
