import { describe, expect, it } from 'vitest'
import { fingerprintCatalog } from '../../../src/databases/connectors/catalog.ts'
import type { Catalog, Column, Table } from '../../../src/domain/catalog.ts'
import { makeColumn } from '../../helpers/make-column.ts'
import { makeTable } from '../../helpers/make-table.ts'

const column = (name: string, change: Partial<Column> = {}): Column =>
  makeColumn(name, { type: 'integer', kind: 'integer', ...change })

const table = (name: string, change: Partial<Table> = {}): Table => ({
  ...makeTable(name, [column('a'), column('b')], { rowCount: 1, primaryKey: ['a'] }),
  ...change,
})

const key = {
  from: { table: 'x', columns: ['b'] },
  to: { table: 'y', columns: ['a'] },
  source: 'declared',
  inclusion: null,
} as const

const make = (change: Partial<Catalog> = {}) =>
  fingerprintCatalog({ dialect: 'sqlite', tables: [table('x'), table('y')], foreignKeys: [key], ...change })

describe('fingerprintCatalog', () => {
  it('does not depend on the order of tables, on rows or on comments', () => {
    expect(make({ tables: [table('y', { rowCount: 7 }), table('x', { comment: 'news' })] })).toBe(make())
    expect(
      make({ tables: [table('x', { columns: [column('a', { comment: 'id' }), column('b')] }), table('y')] }),
    ).toBe(make())
  })

  it.each<[string, Partial<Catalog>]>([
    ['dialect', { dialect: 'postgres' }],
    ['a table', { tables: [table('x')] }],
    ['a schema', { tables: [table('x', { schema: 's' }), table('y')] }],
    ['a view', { tables: [table('x', { type: 'view' }), table('y')] }],
    [
      'a type',
      { tables: [table('x', { columns: [column('a', { type: 'int8' }), column('b')] }), table('y')] },
    ],
    [
      'nullability',
      { tables: [table('x', { columns: [column('a', { nullable: false }), column('b')] }), table('y')] },
    ],
    ['the order of columns', { tables: [table('x', { columns: [column('b'), column('a')] }), table('y')] }],
    ['the primary key', { tables: [table('x', { primaryKey: ['b'] }), table('y')] }],
    ['a foreign key', { foreignKeys: [] }],
  ])('changes with %s', (_, change) => {
    expect(make(change)).not.toBe(make())
  })
})
