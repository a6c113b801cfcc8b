import { describe, expect, it } from 'vitest'
import { linkSchema, makeLinkSchema } from '../../../src/databases/schema-linking/link-schema.ts'
import type { Catalog, ForeignKey, Table } from '../../../src/domain/catalog.ts'
import type { Understanding, ValueMatch } from '../../../src/domain/question-context.ts'

const understood = (text: string): Understanding => ({
  kind: 'data',
  text,
  spans: [],
  today: '2026-11-20',
  timeZone: 'UTC',
})

const key = (from: string, to: string): ForeignKey => {
  const [fromTable = '', fromColumn = ''] = from.split('.')
  const [toTable = '', toColumn = ''] = to.split('.')
  return {
    from: { table: fromTable, columns: [fromColumn] },
    to: { table: toTable, columns: [toColumn] },
    source: 'declared',
    inclusion: null,
  }
}

const table = (name: string, columns: string): Table => ({
  schema: null,
  name,
  type: 'table',
  comment: null,
  rowCount: null,
  primaryKey: ['id'],
  columns: `id ${columns}`.split(/\s+/).map(column => ({
    name: column,
    type: 'text',
    kind: 'text',
    nullable: true,
    comment: column === 'mmsi' ? 'Radio call number of the vessel' : null,
    profile: null,
  })),
})

/** A shipping line with more tables than a small budget has room for. */
const line: Catalog = {
  dialect: 'sqlite',
  fingerprint: 'line',
  tables: [
    table('vessels', 'name mmsi built_year flag_country dept_id'),
    table('voyages', 'vessel_id departed arrived'),
    table('port_calls', 'voyage_id port_id berth'),
    table('ports', 'name country'),
    table('departments', 'title head_id'),
    table('crew', 'vessel_id full_name rank'),
    table('invoices', 'voyage_id total currency'),
    table('fuel_prices', 'port_id price_per_tonne'),
    table(
      'measurements',
      'vessel_id speed draught wave_height wind_speed air_temperature water_temperature list_angle trim_angle rudder heading',
    ),
  ],
  foreignKeys: [
    key('voyages.vessel_id', 'vessels.id'),
    key('port_calls.voyage_id', 'voyages.id'),
    key('port_calls.port_id', 'ports.id'),
    key('crew.vessel_id', 'vessels.id'),
    key('invoices.voyage_id', 'voyages.id'),
    key('fuel_prices.port_id', 'ports.id'),
    key('measurements.vessel_id', 'vessels.id'),
    key('vessels.dept_id', 'departments.id'),
  ],
}

const link = (text: string, matches: readonly ValueMatch[] = [], tokenBudget = 260) =>
  makeLinkSchema({ tokenBudget })({ understanding: understood(text), catalog: line, matches })

const tablesFor = async (text: string, matches?: readonly ValueMatch[]) =>
  (await link(text, matches)).tables.map(({ table }) => table)

describe('linkSchema', () => {
  it('keeps everything that fits', async () => {
    expect(await linkSchema({ understanding: understood('anything'), catalog: line, matches: [] })).toEqual({
      tables: line.tables.map(({ name }) => ({ table: name, keep: 'all' })),
    })
  })

  it('keeps a schema of a few columns whole under any budget', async () => {
    const small = { ...line, tables: line.tables.slice(0, 4) }
    const linked = await makeLinkSchema({ tokenBudget: 1 })({
      understanding: understood('x'),
      catalog: small,
      matches: [],
    })
    expect(linked.tables).toHaveLength(4)
  })

  it('keeps the tables that the words of the question name, in singular or plural', async () => {
    expect(await tablesFor('Which port has the highest fuel price?')).toEqual(
      expect.arrayContaining(['ports', 'fuel_prices']),
    )
    expect(await tablesFor('crew ranks of each vessel')).toEqual(expect.arrayContaining(['vessels', 'crew']))
  })

  it('keeps the tables in between, so that what is kept can be joined', async () => {
    expect(await tablesFor('invoice totals by port name')).toEqual(
      expect.arrayContaining(['invoices', 'voyages', 'port_calls', 'ports']),
    )
  })

  it('follows the values found, descriptions and abbreviations', async () => {
    const found: ValueMatch = {
      keyword: 'Ada',
      table: 'crew',
      column: 'full_name',
      value: 'Ada Byron',
      score: 1,
    }
    expect(await tablesFor('where is Ada?', [found])).toContain('crew')
    expect(await tablesFor('radio call number')).toContain('vessels')
    expect(await tablesFor('list the dept')).toContain('departments')
  })

  it('keeps at least three tables, even for words that say nothing', async () => {
    expect((await tablesFor('xyzzy')).length).toBeGreaterThanOrEqual(3)
    expect((await link('vessel name', [], 1)).tables.length).toBeGreaterThanOrEqual(3)
  })

  it('keeps of a wide table its keys and the columns that the question points to', async () => {
    const { tables } = await linkSchema({
      understanding: understood('average wave height by vessel name'),
      catalog: line,
      matches: [],
      columns: 8,
    })
    const measurements = tables.find(({ table }) => table === 'measurements')
    expect(measurements?.keep).toEqual(expect.arrayContaining(['vessel_id', 'wave_height']))
    expect(measurements?.keep).not.toContain('heading')
  })

  it('keeps as many columns as it is told, all keys counted', async () => {
    for (const columns of [1, 5, 12, 20]) {
      const { tables } = await linkSchema({
        understanding: understood('invoice totals by port name'),
        catalog: line,
        matches: [],
        columns,
      })
      const kept = tables.map(({ table, keep }) =>
        keep === 'all' ? line.tables.find(({ name }) => name === table)!.columns.length : keep.length,
      )
      expect(kept.reduce((sum, one) => sum + one, 0)).toBe(columns)
    }
  })

  it('stops when told to', async () => {
    const signal = AbortSignal.abort(new Error('stopped'))
    const asked = { understanding: understood('x'), catalog: line, matches: [], signal }
    await expect(linkSchema(asked)).rejects.toThrow('stopped')
  })
})
