import { describe, expect, it } from 'vitest'
import { sqlErrorOf } from '../../helpers/sql-error-of.ts'
import { type OpenedConnector, storedName } from './connector-subject.ts'

/** What comes back, and how much of it. */
export const testResults = ({ subject, run, nothingRuns }: OpenedConnector): void => {
  describe('values', () => {
    it('gives every type as core/result.ts says', async () => {
      const result = await run(subject.typed.sql)
      expect(result.rows).toEqual([subject.typed.row])
      expect(result.columns).toEqual(subject.typed.columns)
      expect(result.truncated).toBeNull()
      expect(result.milliseconds).toBeGreaterThan(0)
    })

    it('keeps NULL, empty text and Unicode apart and whole', async () => {
      const ports = await run('select name, country from ports order by id')
      expect(ports.rows).toEqual([
        ['Ålesund', 'Norway'],
        ['Bilbao', null],
        ['長崎', 'Japan'],
      ])
      expect((await run('select note from stops order by id')).rows).toEqual([["it's 100 %"], [''], [null]])
      expect((await run(`select '🚢' as ship`)).rows).toEqual([['🚢']])
    })

    it('keeps integers past 2^53 whole, and gives smaller ones as numbers', async () => {
      const result = await run('select 9007199254740991, 9007199254740993, -9223372036854775807')
      expect(result.rows).toEqual([[9007199254740991, 9007199254740993n, -9223372036854775807n]])
    })

    it('keeps columns of one name apart', async () => {
      const joined =
        'select a.id, b.id, a.name, b.name from ports a join ships b on b.home_port_id = a.id order by 1'
      if (subject.declares?.joinedNames === null) {
        expect((await sqlErrorOf(run(joined))).errorClass).toBe('ambiguous-column')
        return
      }
      const result = await run(joined)
      expect(result.columns.map(column => column.name)).toEqual(
        subject.declares?.joinedNames ?? ['id', 'id', 'name', 'name'].map(name => storedName(subject, name)),
      )
      expect(result.rows[0]).toEqual([1, 1, 'Ålesund', 'Gull'])
    })

    it('names and types the columns of an empty result', async () => {
      const result = await run('select id, name from ports where id > 99')
      expect(result).toMatchObject({
        columns: [
          { name: storedName(subject, 'id'), kind: 'integer' },
          { name: storedName(subject, 'name'), kind: 'text' },
        ],
        rows: [],
        truncated: null,
      })
    })
  })

  it('finds texts in whatever case they are, as values are looked up that the index leaves out', async () => {
    const sql =
      "SELECT DISTINCT name FROM ports WHERE name IN ('BILBAO', '長崎') OR lower(name) IN ('bilbao', '長崎')"
    const { rows } = await run(sql)
    expect(rows.map(([name]) => name).toSorted()).toEqual(['Bilbao', '長崎'])
  })

  describe('caps', () => {
    it('reads a result that just fits', async () => {
      const result = await run(subject.numbers(1000))
      expect(result.rows.length).toBe(1000)
      expect(result.truncated).toBeNull()
    })

    it('cuts at the row cap, and says so', async () => {
      const result = await run(subject.numbers(100_000), { maxRows: 250 })
      expect(result.rows.map(row => row[0])).toEqual(Array.from({ length: 250 }, (_, index) => index + 1))
      expect(result.truncated).toBe('rows')
    })

    it('reads many batches in order', async () => {
      const result = await run(subject.numbers(12_345), { maxRows: 20_000 })
      expect(result.rows.length).toBe(12_345)
      expect(result.rows.every((row, index) => row[0] === index + 1)).toBe(true)
    })

    it('cuts at the byte cap in front of the row that breaks it', async () => {
      const result = await run(subject.texts(1000, 5000), { maxRows: 10_000, maxBytes: 50_500 })
      expect(result.rows.length).toBe(50)
      expect(result.truncated).toBe('bytes')
    })

    it('gives no row when the first is too large', async () => {
      const result = await run(subject.texts(10_000, 2), { maxBytes: 9_999 })
      expect(result).toMatchObject({ rows: [], truncated: 'bytes' })
    })

    it('goes on after a cut result', async () => {
      await run(subject.numbers(100_000), { maxRows: 10 })
      expect((await run('select 7')).rows).toEqual([[7]])
      await nothingRuns()
    })
  })
}
