import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { deriveHashKey } from '../../../src/databases/guard/rights/hash-key.ts'
import { applyScope } from '../../../src/databases/guard/scope/apply-scope.ts'
import { withoutLabels } from '../../../src/databases/guard/scope/type-labels.ts'
import { type OpenDatabase, openDatabase } from '../../../src/databases/open-database.ts'
import { type DataRights, plainSession } from '../../../src/domain/access/data-rights.ts'
import { unrestrictedScope } from '../../../src/domain/database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { makeColumn } from '../../helpers/make-column.ts'
import { tryStatement } from './rights/try-rights.ts'
import { fullScope } from './scope-catalog.ts'

const folder = mkdtempSync(join(tmpdir(), 'querent-labels-'))

const path = join(folder, 'people.duckdb')

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Asks a type that was made from people.ssn for its labels, or whether it has one. */
const asking = [
  'SELECT enum_range(NULL::ssn_type) FROM visits',
  'SELECT enum_range(kind) FROM visits',
  'SELECT enum_first(kind) FROM visits',
  'SELECT enum_last(kind) FROM visits',
  'SELECT enum_range_boundary(kind, NULL) FROM visits',
  'SELECT v.kind.enum_range() FROM visits v',
  'SELECT typeof(kind) FROM visits',
  'SELECT typeof(pair) FROM visits',
  "SELECT TRY_CAST('hidden-2' AS ssn_type) FROM visits",
  "SELECT 'hidden-2'::main.ssn_type FROM visits",
  `SELECT CAST('hidden-2' AS "SSN_Type") FROM visits`,
  "SELECT {'s': 'hidden-2'}::STRUCT(s ssn_type) FROM visits",
  "SELECT ['hidden-2']::ssn_type[] FROM visits",
  "SELECT {'s': 'hidden-2'}::pair_type FROM visits",
  `SELECT from_json('"hidden-2"', '"ssn_type"') FROM visits`,
  `SELECT json_transform('"hidden-2"', '"ssn_type"') FROM visits`,
  "SELECT replace_type('hidden-2', ''::varchar, kind) FROM visits",
  'SELECT * FROM (FROM visits PIVOT (count(*) FOR kind IN ssn_type))',
  "SELECT * FROM (FROM visits PIVOT (count(*) FOR kind IN 'ssn_type'))",
  'SELECT s FROM labels',
]

const ordinary = [
  'SELECT kind, count(*) FROM visits GROUP BY kind',
  "SELECT id FROM visits WHERE kind = 'open-1' AND id IN (1, 2)",
  'SELECT CAST(id AS varchar), id::decimal(8, 2) FROM visits',
]

const rights = (rules: Partial<DataRights>): DataRights => ({
  key: '0123456789abcdef',
  group: 'some',
  scope: unrestrictedScope,
  rowRules: [],
  columnMasks: [],
  mayExport: true,
  session: plainSession,
  ...rules,
})

const open = (options: Partial<Parameters<typeof openDatabase>[1]>): Promise<OpenDatabase> =>
  openDatabase(parseDatabaseReference(`duckdb:${path}`, { baseFolder: '/' }), {
    audit: silentAudit,
    guard: makeGuard(),
    hashKey: deriveHashKey(Buffer.from('a secret for tests'), 'labels'),
    limits: { timeoutMs: 10_000, maxRows: 100, maxBytes: 100_000 },
    ...options,
  })

beforeAll(async () => {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  for (const sql of [
    'CREATE TABLE people (id integer, ssn varchar)',
    "INSERT INTO people VALUES (1, 'open-1'), (2, 'hidden-2')",
    'CREATE TYPE ssn_type AS ENUM (SELECT ssn FROM people)',
    'CREATE TYPE pair_type AS STRUCT(s ssn_type)',
    'CREATE TABLE visits (id integer, kind ssn_type, pair STRUCT(s ssn_type))',
    "INSERT INTO visits VALUES (1, 'open-1', {'s': 'open-1'})",
    'CREATE VIEW labels AS SELECT enum_range(NULL::ssn_type) AS s',
  ])
    await connection.run(sql)
  connection.closeSync()
  instance.closeSync()
})

describe.each([
  ['an excluded column', { scope: fullScope({ columns: { exclude: ['people.ssn'] } }) }],
  ['a masked column', { scope: fullScope({ columns: { mask: ['people.ssn'] } }) }],
  ['a row rule', { rights: rights({ rowRules: [{ table: 'people', condition: 'id = 1' }] }) }],
  ['a mask of a group', { rights: rights({ columnMasks: [{ column: 'people.ssn', mask: 'hash' }] }) }],
])('labels of a DuckDB type, with %s', (_, options) => {
  test('are in no catalog, result or message', async () => {
    const opened = await open(options)
    try {
      expect(JSON.stringify(opened.database.catalog)).not.toContain('hidden-2')
      for (const sql of asking) {
        const { status, shown } = await tryStatement(opened, sql)
        expect({ sql, status }).not.toEqual({ sql, status: 'rows' })
        expect(shown.replaceAll(sql, '')).not.toContain('hidden-2')
      }
      for (const sql of ordinary)
        expect({ sql, ...(await tryStatement(opened, sql)) }).toMatchObject({ status: 'rows' })
    } finally {
      await opened.close()
    }
  })
})

test('where everything is open, labels of a DuckDB type can be asked for', async () => {
  const opened = await open({})
  try {
    expect(JSON.stringify(opened.database.catalog)).toContain('hidden-2')
    for (const sql of asking)
      expect({ sql, ...(await tryStatement(opened, sql)) }).toMatchObject({ status: 'rows' })
  } finally {
    await opened.close()
  }
})

test.each(['mysql', 'clickhouse', 'duckdb'] as const)(
  'a masked column of %s shows no labels',
  async dialect => {
    const type = "enum('it''s','b(')"
    const { introspect } = await applyScope(
      {
        introspect: async () => ({
          dialect,
          tables: [
            {
              ...{ schema: null, name: 't', type: 'table', comment: null, rowCount: null, primaryKey: [] },
              columns: [makeColumn('secret', { type }), makeColumn('plain', { type })],
            },
          ],
          foreignKeys: [],
          fingerprint: 'test',
        }),
        guard: makeGuard(),
      },
      fullScope({ columns: { mask: ['t.secret'] } }),
    )
    const [table] = (await introspect()).tables
    // Labels of DuckDB may come from any column.
    expect(table?.columns.map(column => column.type)).toEqual(['enum', dialect === 'duckdb' ? 'enum' : type])
  },
)

test.each([
  ["ENUM('a', 'b')[]", 'ENUM[]'],
  ["STRUCT(s ENUM('a)', 'it''s'), n INTEGER)", 'STRUCT(s ENUM, n INTEGER)'],
  ["Nullable(Enum8('a\\'(' = 1, 'b' = 2))", 'Nullable(Enum8)'],
  ["set('x','y')", 'set'],
  ["enum('never closed", 'enum'],
  ['decimal(10, 2)', 'decimal(10, 2)'],
])('the type %s without its labels is %s', (type, plain) => {
  expect(withoutLabels(type)).toBe(plain)
})
