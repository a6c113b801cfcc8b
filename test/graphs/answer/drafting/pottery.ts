import { makeGuard } from '../../../../src/databases/guard/guard.ts'
import { buildValueIndex } from '../../../../src/databases/value-index/build-value-index.ts'
import type { DraftInput } from '../../../../src/domain/candidate.ts'
import type { Catalog, Column, Table } from '../../../../src/domain/catalog.ts'
import type { Database } from '../../../../src/domain/database.ts'
import type { RenderSchema } from '../../../../src/domain/question-context.ts'
import type { Dialect } from '../../../../src/domain/sql.ts'
import { makeColumn } from '../../../helpers/make-column.ts'
import { makeTable } from '../../../helpers/make-table.ts'

const column = (name: string, kind: Column['kind'] = 'text'): Column => makeColumn(name, { kind })

const table = (name: string, ...columns: readonly Column[]): Table => makeTable(name, columns)

const id = (name: string) => column(name, 'integer')

/** A made-up studio, with the names that statements trip over: capitals, a space, a key word, the same name twice. */
export const potteryTables: readonly Table[] = [
  table('makers', id('maker_id'), column('full_name'), column('city'), id('studio_id')),
  table('studios', id('studio_id'), column('title'), column('city')),
  table('pieces', id('piece_id'), id('maker_id'), column('glaze_colour'), column('fired_on', 'date')),
  table('KilnLog', id('piece_id'), id('maxTemp'), column('group'), column('fuel type')),
]

const values = {
  'makers.city': ['Bergen', 'Aarhus', 'São Tomé'],
  'studios.city': ['Bergen', 'Malmö'],
  'studios.title': ['North Quay', 'Mill Lane'],
  'pieces.glaze_colour': ['Celadon', 'Iron red', 'Iron rust', 'Tenmoku'],
}

const guard = makeGuard()

/** The studio as an opened database whose statements nobody runs: fixing and drafting only read what is known of it. */
export const potteryDatabase = (dialect: Dialect): Database => {
  const index = buildValueIndex(
    Object.entries(values).map(([name, values]) => {
      const [table = '', column = ''] = name.split('.')
      return { table, column, values }
    }),
  )
  const catalog: Catalog = { dialect, tables: potteryTables, foreignKeys: [], fingerprint: 'pottery' }
  const nobodyRunsIt = () => {
    throw new Error('no statement is run here')
  }
  return {
    name: 'pottery',
    dialect,
    catalog,
    findValues: index.find,
    guard: sql => guard(sql, dialect),
    run: nobodyRunsIt,
    indexMilliseconds: 0,
  }
}

/** A question of the studio. */
export const potteryInput = (dialect: Dialect): DraftInput => ({
  understanding: {
    kind: 'data',
    text: 'Which makers from Bergen fired celadon pieces last month?',
    spans: [{ phrase: 'last month', at: [46, 56], from: '2026-10-01', until: '2026-11-01' }],
    today: '2026-11-20',
    timeZone: 'Europe/Oslo',
  },
  database: potteryDatabase(dialect),
  linked: { tables: [{ table: 'makers', keep: 'all' }] },
  matches: [
    { keyword: 'Bergen', table: 'makers', column: 'city', value: 'Bergen', score: 1 },
    { keyword: 'celadon', table: 'pieces', column: 'glaze_colour', value: 'Celadon', score: 0.99 },
  ],
  sample: 7,
})

/** One line a table. */
export const renderPottery: RenderSchema = (catalog, linked, options) =>
  [
    `-- seed ${options?.seed}`,
    ...linked.tables.map(({ table }) => {
      const found = catalog.tables.find(({ name }) => name === table)
      return `${table}(${found?.columns.map(({ name, type }) => `${name} ${type}`).join(', ')})`
    }),
  ].join('\n')
