import { afterAll, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '../../../../src/databases/open-database.ts'
import { requireService } from '../../../helpers/services/require-service.ts'
import { equalStatements, tricks, type World, worldRights, worldStatements } from './rights-world.ts'
import { type MakeDatabase, makeServers } from './servers.ts'
import { inAnyOrder, openUnder, tryStatement } from './try-rights.ts'

const mysqlUrl = requireService('MYSQL_URL', 'row rules and masks on MariaDB and MySQL')

const undo: (() => unknown)[] = []

afterAll(async () => {
  for (const step of undo.reverse()) await step()
})

const servers = makeServers(undo, mysqlUrl)

const open = async (make: MakeDatabase, world: World): Promise<{ opened: OpenDatabase; schema: string }> => {
  const { address, schema } = await make(worldStatements(world))
  const opened = await openUnder(address, world === 'copy' ? null : worldRights(schema))
  undo.push(opened.close)
  return { opened, schema }
}

const openPlain = async (make: MakeDatabase, world: World): Promise<OpenDatabase> => {
  const { address } = await make(worldStatements(world))
  const opened = await openUnder(address, null)
  undo.push(opened.close)
  return opened
}

describe.each(servers)('row rules and masks on %s', (_, make) => {
  test('give what a copy of the visible rows gives', async () => {
    const [{ opened: seen, schema }, { opened: copy, schema: copied }] = await Promise.all([
      open(make, 'first'),
      open(make, 'copy'),
    ])
    const expected = equalStatements(copied)
    for (const [at, sql] of equalStatements(schema).entries()) {
      const result = await tryStatement(seen, sql)
      expect({ sql, ...result }).toEqual({ sql, ...(await tryStatement(copy, expected[at] ?? '')) })
      expect({ sql, status: result.status }).toEqual({ sql, status: 'rows' })
    }
  }, 60_000)

  test('show nothing else, whatever is tried', async () => {
    const [{ opened: first, schema }, { opened: second, schema: other }] = await Promise.all([
      open(make, 'first'),
      open(make, 'second'),
    ])
    const others = tricks(other)
    const statuses = new Set<string>()
    for (const [at, sql] of tricks(schema).entries()) {
      const [one, two] = [await tryStatement(first, sql), await tryStatement(second, others[at] ?? '')]
      statuses.add(one.status)
      const seen = ({ status, shown }: typeof one, name: string) => ({
        ...{ sql, status },
        shown: (status === 'rows' ? inAnyOrder(shown) : shown).replaceAll(name, ''),
      })
      expect(seen(one, schema)).toEqual(seen(two, other))
      expect(one.shown, sql).not.toMatch(/zinc|quartz/)
    }
    expect([...statuses].sort()).toEqual(['failed', 'refused', 'rows'])
    // Without rights they do show what is hidden.
    const [plain, plainOther] = [await openPlain(make, 'first'), await openPlain(make, 'second')]
    const differing = []
    for (const sql of ['SELECT note FROM order_notes', 'SELECT max(total) FROM orders'])
      if ((await tryStatement(plain, sql)).shown !== (await tryStatement(plainOther, sql)).shown)
        differing.push(sql)
    expect(differing).toHaveLength(2)
  }, 60_000)

  test('hold for the catalog, its profiles and the value index', async () => {
    const { opened } = await open(make, 'first')
    const { catalog, findValues } = opened.database
    expect(catalog.tables.map(({ name }) => name).sort()).toEqual([
      'customers',
      'orders',
      'region_names',
      'regions',
      'tenants',
    ])
    expect(JSON.stringify(catalog)).not.toMatch(/zinc|quartz/)
    expect(catalog.tables.find(({ name }) => name === 'orders')?.rowCount).toBe(7)
    expect(findValues('zinc 51')).toEqual([])
    expect(findValues('note 2')[0]?.value).toBe('note 2')
  }, 60_000)
})

/** Numbers that are bucketed by 7, and their buckets: the lowest of a type stands for one that would begin below it. */
const bucketed: readonly (readonly [type: string, numbers: readonly (readonly [string, string])[]])[] = [
  [
    'SMALLINT',
    [
      ['20', '14'],
      ['-1', '-7'],
      ['-32768', '-32768'],
      ['32767', '32767'],
    ],
  ],
  [
    'INTEGER',
    [
      ['20', '14'],
      ['-8', '-14'],
      ['0', '0'],
      ['-2147483648', '-2147483648'],
    ],
  ],
  [
    'BIGINT',
    [
      ['9007199254740994', '9007199254740988'],
      ['6999999999999999999', '6999999999999999993'],
      ['-9223372036854775808', '-9223372036854775808'],
    ],
  ],
  [
    'NUMERIC(10, 2)',
    [
      ['20.55', '14.00'],
      ['-0.01', '-7.00'],
      ['7.00', '7.00'],
    ],
  ],
  [
    'DOUBLE PRECISION',
    [
      ['20.5', '14'],
      ['-0.5', '-7'],
    ],
  ],
]

describe.each(servers.filter(([name]) => name === 'Postgres' || name === 'DuckDB'))(
  'masks in buckets on %s',
  (_, make) => {
    test.each(bucketed)('keep the type of a column that is %s', async (type, numbers) => {
      const world = (side: 0 | 1): readonly string[] => [
        `CREATE TABLE sales (id INTEGER, amount ${type})`,
        `INSERT INTO sales VALUES ${numbers.map((pair, at) => `(${at}, ${pair[side]})`).join(', ')}, (99, NULL)`,
      ]
      const { rowRules: _rows, columnMasks: _masks, ...rights } = worldRights('main')
      const seen = await openUnder((await make(world(0))).address, {
        ...rights,
        rowRules: [],
        columnMasks: [{ column: 'sales.amount', mask: 'bucket', width: 7 }],
      })
      const copy = await openUnder((await make(world(1))).address, null)
      undo.push(seen.close, copy.close)
      for (const sql of [
        'SELECT id, amount FROM sales ORDER BY id',
        'SELECT amount / 4 AS part FROM sales ORDER BY id',
        'SELECT CAST(amount AS VARCHAR(40)) AS written FROM sales ORDER BY id',
        'SELECT count(*), min(amount), max(amount) FROM sales',
        'SELECT count(*) FROM sales WHERE amount IN (14, -7)',
      ])
        expect({ sql, ...(await tryStatement(seen, sql)) }).toEqual({
          sql,
          ...(await tryStatement(copy, sql)),
        })
    })
  },
)
