import { describe, expect, it } from 'vitest'
import type { Table } from '../../src/domain/catalog.ts'
import type { ReferencedTable } from '../../src/domain/schema-drift.ts'
import { findSchemaChanges } from '../../src/verified-queries/recheck-verified.ts'

const boats: ReferencedTable = {
  schema: 'yard',
  name: 'boats',
  whole: false,
  columns: [
    { name: 'id', type: 'integer' },
    { name: 'kind', type: 'text' },
  ],
  definition: null,
}

const now = (columns: Readonly<Record<string, string>>, given: Partial<Table> = {}): { tables: Table[] } => ({
  tables: [
    {
      schema: 'yard',
      name: 'boats',
      type: 'table',
      comment: null,
      rowCount: 7,
      primaryKey: ['id'],
      columns: Object.entries(columns).map(([name, type]) => ({
        name,
        type,
        kind: 'unknown',
        nullable: true,
        comment: null,
        profile: null,
      })),
      ...given,
    },
  ],
})

describe('schema changes that affect a verified query', () => {
  it.each([
    ['nothing', boats, now({ id: 'integer', kind: 'text' }), []],
    ['a column that is not read', boats, now({ id: 'integer', kind: 'text', built: 'date' }), []],
    [
      'another order, rows, keys',
      boats,
      now({ kind: 'text', id: 'integer' }, { rowCount: 9, primaryKey: [] }),
      [],
    ],
    [
      'a column that is read',
      boats,
      now({ id: 'integer', sort: 'text' }),
      ['the column yard.boats.kind is gone'],
    ],
    [
      'types',
      boats,
      now({ id: 'bigint', kind: '' }),
      ['yard.boats.id changed from integer to bigint', 'yard.boats.kind changed from text to no type'],
    ],
    ['the table', boats, { tables: [] }, ['the table yard.boats is gone']],
    [
      'its schema',
      boats,
      now({ id: 'integer', kind: 'text' }, { schema: 'old' }),
      ['the table yard.boats is gone'],
    ],
    [
      'a new column where all are read',
      { ...boats, whole: true },
      now({ id: 'integer', kind: 'text', built: 'date' }),
      ['yard.boats has a new column built, and the query reads all columns'],
    ],
    [
      'what a view is',
      { ...boats, schema: null, definition: 'select 1' },
      now({ id: 'integer', kind: 'text' }, { schema: null, type: 'view', definition: 'select 2' }),
      ['the view boats has a new definition'],
    ],
    [
      'that a definition is told',
      boats,
      now({ id: 'integer', kind: 'text' }, { definition: 'select 2' }),
      [],
    ],
  ] as const)('%s', (_what, before, catalog, expected) => {
    expect(findSchemaChanges([before], catalog)).toEqual(expected)
  })
})
