import { describe, expect, it } from 'vitest'
import { touchedTables } from '../../../../graphs/answer/verified/read-verified.ts'
import { makeColumn } from '../../../helpers/make-column.ts'
import { makeTable } from '../../../helpers/make-table.ts'

const tableOf = (name: string, columns: readonly string[], given: Parameters<typeof makeTable>[2] = {}) =>
  makeTable(
    name,
    columns.map(column => makeColumn(column)),
    given,
  )

const catalog = {
  tables: [
    tableOf('boats', ['id', 'name', 'port_id']),
    tableOf('ports', ['port_id', 'name', 'country']),
    tableOf('ports', ['port_id', 'closed_on'], { schema: 'archive' }),
    tableOf('big_boats', ['id'], { type: 'view', definition: 'select id from boats' }),
  ],
}

/** As `boats: id, name`; with `*` behind a table all of whose columns are read. */
const touched = (sql: string): readonly string[] | null =>
  touchedTables(sql, { catalog, dialect: 'postgres' })?.map(
    ({ schema, name, whole, columns }) =>
      `${schema === null ? '' : `${schema}.`}${name}${whole ? '*' : ''}: ${columns.map(({ name }) => name).join(', ')}`,
  ) ?? null

describe('what a statement touches', () => {
  it.each([
    ['select name from boats where id > 3', ['boats: id, name']],
    ['SELECT B."name" FROM Boats AS B', ['boats: name']],
    ['select count(*) from boats', ['boats: ']],
    ['select * from boats', ['boats*: id, name, port_id']],
    ['select b.* from boats b join ports p using (port_id)', ['boats*: id, name, port_id', 'ports: port_id']],
    ['select closed_on from archive.ports', ['archive.ports: closed_on']],
    ['with big as (select id from boats) select id from big', ['boats: id']],
    [
      'select id from boats where exists (select 1 from big_boats v where v.id = boats.id)',
      ['boats: id', 'big_boats: id'],
    ],
    ['select 1', []],
    ['select name from nowhere', []],
    ['no sql at all', null],
  ])('%s', (sql, expected) => {
    expect(touched(sql)).toEqual(expected)
  })

  it('keeps types, and what a view is', () => {
    expect(touchedTables('select id from big_boats', { catalog, dialect: 'postgres' })).toEqual([
      {
        schema: null,
        name: 'big_boats',
        whole: false,
        columns: [{ name: 'id', type: 'text' }],
        definition: 'select id from boats',
      },
    ])
  })
})
