import type { Catalog, Column, ColumnProfile, Table } from '../../../src/domain/catalog.ts'

const profileOf = (given: Partial<ColumnProfile>): ColumnProfile => ({
  nullShare: 0,
  distinctCount: 0,
  min: null,
  max: null,
  mostFrequent: [],
  meanLength: 5,
  ...given,
})

const column = (
  name: string,
  type: string,
  kind: Column['kind'],
  rest: Partial<Omit<Column, 'profile'>> & { profile?: Partial<ColumnProfile> } = {},
): Column => ({
  name,
  type,
  kind,
  nullable: true,
  comment: null,
  ...rest,
  profile: rest.profile ? profileOf(rest.profile) : null,
})

const table = (name: string, columns: readonly Column[], rest: Partial<Table> = {}): Table => ({
  schema: null,
  name,
  type: 'table',
  comment: null,
  rowCount: null,
  primaryKey: [],
  ...rest,
  columns,
})

const values = (...list: readonly (string | number)[]) =>
  list.map((value, n) => ({ value, count: list.length - n }))

/** A catalog with one of everything that a rendering may meet. */
export const harborCatalog: Catalog = {
  dialect: 'postgres',
  fingerprint: 'harbour',
  tables: [
    table(
      'ports',
      [
        column('id', 'integer', 'integer', {
          nullable: false,
          profile: { min: 1, max: 9, distinctCount: 9 },
        }),
        column('name', 'text', 'text', {
          nullable: false,
          comment: "What sailors call it.\n); DROP TABLE ports; -- it's old",
          profile: { distinctCount: 9, mostFrequent: values('Hamburg', "L'Estaque", 'Rotterdam', 'Split') },
        }),
        column('open', 'boolean', 'boolean', { profile: { distinctCount: 0 } }),
        column('size', 'text', 'text', {
          profile: { distinctCount: 3, mostFrequent: values('S', 'M', 'L') },
        }),
      ],
      { comment: 'Where ships lie', rowCount: 9, primaryKey: ['id'] },
    ),
    table(
      'Ship Visits',
      [
        column('port_id', 'integer', 'integer', { nullable: false }),
        column('number', 'integer', 'integer', { nullable: false }),
        column('arrived', 'text', 'date', {
          profile: { min: '2020-01-01', max: '2026-10-30', distinctCount: 80 },
        }),
        column('dues', 'text', 'text', {
          profile: { distinctCount: 80, numericText: true, mostFrequent: values('10.50', '7') },
        }),
        column('cargo', 'text', 'text', {
          profile: { distinctCount: 80, mostFrequent: values('x'.repeat(60), 'line\nbreak') },
        }),
        column('seal', 'text', 'text', {
          comment: 'Either | or',
          profile: {
            distinctCount: 120,
            mostFrequent: [
              { value: 'AA-0001', count: 1 },
              { value: 'AA-0002', count: 1 },
            ],
            format: { pattern: 'AA-9999', share: 0.9 },
            samples: ['QX-7731', 'none'],
          },
        }),
      ],
      { schema: 'log', primaryKey: ['port_id', 'number'], rowCount: 120 },
    ),
    table('busy', [column('port', 'integer', 'integer'), column('anything', '', 'unknown')], {
      type: 'view',
    }),
  ],
  foreignKeys: [
    {
      from: { table: 'Ship Visits', columns: ['port_id'] },
      to: { table: 'ports', columns: ['id'] },
      source: 'declared',
      inclusion: null,
    },
    {
      from: { table: 'busy', columns: ['port'] },
      to: { table: 'ports', columns: ['id'] },
      source: 'derived',
      inclusion: 0.987,
    },
  ],
}

/** People on ships, and keys that mean something beside keys that do not. */
export const crewCatalog: Catalog = {
  dialect: 'postgres',
  fingerprint: 'crew',
  tables: [
    table(
      'flags',
      [
        column('code', 'text', 'text', {
          nullable: false,
          profile: { distinctCount: 3, meanLength: 2, mostFrequent: values('NO', 'PA', 'LR') },
        }),
        column('country', 'text', 'text', {
          profile: { distinctCount: 3, mostFrequent: values('Norway', 'Panama', 'Liberia') },
        }),
      ],
      { primaryKey: ['code'] },
    ),
    table(
      'crew',
      [
        column('crew_id', 'text', 'text', {
          nullable: false,
          profile: {
            distinctCount: 400,
            meanLength: 36,
            mostFrequent: values('3f2b8c1e-9a4d-4e7b-8f60-1c2d3e4f5a6b'),
          },
        }),
        column('flag_code', 'text', 'text', {
          profile: { distinctCount: 3, meanLength: 2, mostFrequent: values('NO', 'PA', 'LR') },
        }),
        column('last_name', 'text', 'text', {
          profile: { distinctCount: 300, mostFrequent: values('Haugen', 'Haugland') },
        }),
        column('born', 'date', 'date', {
          profile: { min: '1958-02-11', max: '2007-09-30', distinctCount: 390 },
        }),
        column('reachable_at', 'text', 'text', {
          profile: {
            distinctCount: 400,
            mostFrequent: values('ada@pier.example', 'bo@pier.example'),
            format: { pattern: 'a+@a+.a+', share: 1 },
          },
        }),
        column('rank', 'text', 'text', {
          profile: { distinctCount: 9, mostFrequent: values('Second Mate', 'Cook', 'Able Seaman') },
        }),
      ],
      { primaryKey: ['crew_id'] },
    ),
  ],
  foreignKeys: [
    {
      from: { table: 'crew', columns: ['flag_code'] },
      to: { table: 'flags', columns: ['code'] },
      source: 'declared',
      inclusion: null,
    },
  ],
}

/** All of a catalog. */
export const everything = (catalog: Catalog) => ({
  tables: catalog.tables.map(({ name }) => ({ table: name, keep: 'all' as const })),
})
