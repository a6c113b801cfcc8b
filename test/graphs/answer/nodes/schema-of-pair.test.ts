import { describe, expect, it } from 'vitest'
import { schemaOfPair } from '../../../../graphs/answer/nodes/compare-groups.ts'
import { widenSchema } from '../../../../src/databases/schema-linking/link-schema.ts'
import { potteryDatabase } from '../drafting/pottery.ts'

const linked = { tables: [{ table: 'KilnLog', keep: 'all' as const }] }

const unionOf = (first: string, second: string) =>
  Object.fromEntries(
    schemaOfPair(
      { statements: [first, second], database: potteryDatabase('sqlite'), linked },
      widenSchema,
    ).tables.map(({ table, keep }) => [table, keep === 'all' ? keep : keep.toSorted()]),
  )

describe('the schema of a pair', () => {
  it('is what either statement reads', () => {
    expect(
      unionOf(
        "SELECT m.full_name FROM makers AS m WHERE m.city = 'Bergen'",
        "SELECT p.piece_id FROM pieces AS p WHERE p.glaze_colour = 'Celadon'",
      ),
    ).toMatchObject({
      makers: expect.arrayContaining(['city', 'full_name']),
      pieces: expect.arrayContaining(['glaze_colour', 'piece_id']),
    })
  })

  it('leaves out columns that neither names', () => {
    const { pieces } = unionOf('SELECT piece_id FROM pieces', 'SELECT glaze_colour FROM pieces')
    expect(pieces).not.toContain('fired_on')
  })

  it('has a table whole of which no column is named', () => {
    expect(unionOf('SELECT count(*) FROM studios', 'SELECT count(*) FROM studios')).toEqual({
      studios: 'all',
    })
  })

  it('gives a bare name to whichever of the joined tables has it', () => {
    const { pieces, makers } = unionOf(
      'SELECT full_name FROM makers JOIN pieces ON pieces.maker_id = makers.maker_id WHERE glaze_colour = 1',
      'SELECT piece_id FROM pieces',
    )
    expect(makers).toContain('full_name')
    expect(pieces).toContain('glaze_colour')
  })

  it('reads what stands in subqueries and CTEs', () => {
    const tables = unionOf(
      'WITH x AS (SELECT maker_id FROM pieces) SELECT * FROM x',
      'SELECT full_name FROM makers WHERE studio_id IN (SELECT studio_id FROM studios)',
    )
    expect(Object.keys(tables).toSorted()).toEqual(['makers', 'pieces', 'studios'])
  })

  it('is what the question was linked to where a statement cannot be read or names nothing', () => {
    expect(unionOf('SELECT FROM WHERE', 'SELECT full_name FROM makers')).toEqual({ KilnLog: 'all' })
    expect(unionOf('SELECT 1', 'SELECT 2')).toEqual({ KilnLog: 'all' })
  })
})
