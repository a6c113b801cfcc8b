import type { Catalog, Column } from '../../../src/domain/catalog.ts'
import type { ValueKind } from '../../../src/domain/result.ts'
import type { Dialect } from '../../../src/domain/sql.ts'
import { makeColumn } from '../../helpers/make-column.ts'
import { makeTable } from '../../helpers/make-table.ts'

const column = (name: string, kind: ValueKind): Column => makeColumn(name, { kind })

const table = (name: string, columns: readonly Column[]) =>
  makeTable(name, columns, { rowCount: 10, primaryKey: ['id'] })

/** Boats, their trips, and the harbors that trips end in. */
export const harborCatalog = (dialect: Dialect = 'sqlite'): Catalog => ({
  dialect,
  fingerprint: 'harbours',
  tables: [
    table('boats', [
      column('id', 'integer'),
      column('name', 'text'),
      column('length', 'number'),
      column('built', 'date'),
      column('country', 'text'),
    ]),
    table('trips', [
      column('id', 'integer'),
      column('boat_id', 'integer'),
      column('harbour_id', 'integer'),
      column('start_date', 'date'),
      column('distance', 'number'),
      column('skipper', 'text'),
    ]),
    table('harbours', [column('id', 'integer'), column('city', 'text'), column('depth', 'number')]),
  ],
  foreignKeys: [
    {
      from: { table: 'trips', columns: ['boat_id'] },
      to: { table: 'boats', columns: ['id'] },
      source: 'declared',
      inclusion: null,
    },
    {
      from: { table: 'trips', columns: ['harbour_id'] },
      to: { table: 'harbours', columns: ['id'] },
      source: 'declared',
      inclusion: null,
    },
  ],
})
