import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { type OpenDatabase, type OpenOptions, openDatabase } from '../../../src/databases/open-database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'

/** More guests than the value index may hold: of names and codes, it has the first few hundred. */
const hotel = makeSqliteFile(`
  create table guests (id integer primary key, name text, code text unique, badge text, mood text);
  with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 6000)
  insert into guests
    select n, 'Guest ' || char(97 + n / 676) || char(97 + n / 26 % 26) || char(97 + n % 26) || ' McX',
      printf('G-%06d', n), printf('%08x-0000-4000-8000-%012x', n * 7919, n),
      case n % 2 when 0 then 'glad' else 'tired' end
    from numbers;
  create table stays (id integer primary key, guest_code text references guests(code), nights integer);
  with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 6000)
  insert into stays select n, printf('G-%06d', n), n % 9 + 1 from numbers;
`)

const opened: OpenDatabase[] = []

afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

afterAll(() => hotel.remove())

/** The database, and the statements that were sent for people since it was opened. */
const open = async (options: Partial<OpenOptions> = {}) => {
  const sent: string[] = []
  const inner = makeGuard()
  const one = await openDatabase(
    { dialect: 'sqlite', name: 'hotel', location: hotel.file },
    {
      audit: silentAudit,
      guard: (sql, dialect) => {
        // Each is checked again with its cap.
        if (!/\bLIMIT\b/.test(sql)) sent.push(sql)
        return inner(sql, dialect)
      },
      limits: { timeoutMs: 10_000, maxRows: 1_000, maxBytes: 1_000_000 },
      valueBytes: 40_000,
      ...options,
    },
  )
  opened.push(one)
  sent.splice(0)
  const { lookUpValues = () => Promise.reject(new Error('nothing is looked up')), findValues } = one.database
  return { lookUpValues, findValues, sent }
}

const place = { table: 'guests', score: expect.closeTo(1, 1) }

/** Of the 5,999th guest, whom no sample of the first values has. */
const badge = `${(5999 * 7919).toString(16).padStart(8, '0')}-0000-4000-8000-${(5999).toString(16).padStart(12, '0')}`

describe('texts that the value index leaves out', () => {
  it('are found where they are: codes, names in any case, and badges that nobody would type', async () => {
    const { lookUpValues, findValues } = await open()
    expect(findValues('G-005999').some(({ value }) => value === 'G-005999')).toBe(false)
    const matches = await lookUpValues(['g-005999', 'guest iwt mcx', badge])
    expect(matches.toSorted((a, b) => a.column.localeCompare(b.column))).toEqual([
      { ...place, keyword: badge, column: 'badge', value: badge },
      { ...place, keyword: 'g-005999', column: 'code', value: 'G-005999' },
      { ...place, keyword: 'guest iwt mcx', column: 'name', value: 'Guest iwt McX' },
    ])
  })

  it('are asked for once, in columns whose values look alike, and not where a key points elsewhere', async () => {
    const { lookUpValues, sent } = await open()
    expect(await lookUpValues(['G-005998'])).toHaveLength(1)
    expect(await lookUpValues(['G-005998'])).toHaveLength(1)
    expect(sent).toEqual([
      "SELECT DISTINCT code FROM guests WHERE code IN ('G-005998') OR lower(code) IN ('g-005998')",
    ])
  })

  it('are not asked for if the index holds them, and no column is read that it holds whole', async () => {
    const { lookUpValues, findValues, sent } = await open()
    const [held] = findValues('G-000', { columns: [{ table: 'guests', column: 'code' }] })
    expect(held?.value).toMatch(/^G-\d+$/)
    expect(await lookUpValues([held?.value ?? '', 'tired'])).toEqual([])
    expect(sent).toEqual([])
    const whole = await open({ valueBytes: 10_000_000 })
    expect(await whole.lookUpValues(['G-009999', 'Guest zzz McX'])).toEqual([])
    expect(whole.sent).toEqual([])
  })

  it('do no harm: what is written like SQL is a text', async () => {
    const { lookUpValues } = await open()
    expect(await lookUpValues(["x') or 1 = 1 --", "Guest' iwt"])).toEqual([])
    expect(await lookUpValues(['Guest iwt McX'])).toHaveLength(1)
  })

  it('are left out where the table is too large to be searched, which is tried once', async () => {
    const { lookUpValues, sent } = await open({ heavyRows: 1_000 })
    expect(await lookUpValues(['Guest iwt McX'])).toEqual([])
    expect(await lookUpValues(['Guest iws McX'])).toEqual([])
    expect(sent).toHaveLength(1)
  })

  it('reject when the question is stopped', async () => {
    const { lookUpValues } = await open()
    await expect(lookUpValues(['G-005997'], { signal: AbortSignal.abort() })).rejects.toThrow()
  })
})
