import type { Catalog, Column, Table } from '../../../src/domain/catalog.ts'
import type { ValueKind } from '../../../src/domain/result.ts'
import { makeColumn } from '../../helpers/make-column.ts'
import { makeTable } from '../../helpers/make-table.ts'

const column = (name: string, kind: ValueKind = 'text'): Column => makeColumn(name, { kind })

const table = (name: string, primaryKey: string, columns: readonly Column[]): Table =>
  makeTable(name, [column(primaryKey, 'integer'), ...columns], { primaryKey: [primaryKey] })

/** A plant nursery: growers and what they grow. */
export const nursery: Catalog = {
  dialect: 'sqlite',
  tables: [
    table('grower', 'grower_id', [column('grower_name'), column('city'), column('founded', 'integer')]),
    table('plant', 'plant_id', [
      column('name'),
      column('height', 'number'),
      column('price', 'number'),
      column('grower_id', 'integer'),
    ]),
  ],
  foreignKeys: [
    {
      from: { table: 'plant', columns: ['grower_id'] },
      to: { table: 'grower', columns: ['grower_id'] },
      source: 'declared',
      inclusion: null,
    },
  ],
  fingerprint: 'nursery',
}
