import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { breakDown, openFerries, readWhy } from './ferries.ts'

const byMonth = 'How many tickets are there by month?'

const inMarch = 'How many tickets were there in March 2026?'

describe.each(['sqlite', 'postgres'] as const)('a number taken apart on %s', dialect => {
  let ferries: Awaited<ReturnType<typeof openFerries>>
  beforeAll(async () => {
    ferries = await openFerries(dialect)
  })
  afterAll(() => ferries?.close())

  it('is compared with the month before, and split by what explains most', async () => {
    const { headline, table, assumptions } = await breakDown(ferries.database, byMonth, 'why is March low?')
    expect(headline).toBe(
      'March 2026 was 30 below February 2026 (30 after 60). By route of the ferry, western explains 100% of that, having been 67% of February 2026.',
    )
    expect(table.columns.map(({ name }) => name)).toEqual(['route', 'february_2026', 'march_2026', 'change'])
    expect(table.rows.map(row => row.map(String))).toEqual([
      ['western', '40', '10', '-30'],
      ['eastern', '20', '20', '0'],
    ])
    expect(assumptions).toContain('I compared March 2026 with February 2026, by date sold of the ticket.')
    expect(assumptions.join(' ')).toContain('channel of the ticket')
  })

  it.each([
    [byMonth, 'why did it drop in March?'],
    [byMonth, 'Why was March 2026 so low?'],
    [byMonth, 'how come March is lower than February?'],
    [inMarch, 'why?'],
    [inMarch, 'why is it so low?'],
    ['How many tickets are there by channel?', 'why was March 2026 low?'],
  ])('whatever it is called: %s %s', async (first, said) => {
    const { headline } = await breakDown(ferries.database, first, said)
    expect(headline).toMatch(/^March 2026 was 30 below February 2026 \(30 after 60\)\. By/)
  })

  it('keeps the conditions of the answer, and sums what it summed', async () => {
    const { headline, sql, table } = await breakDown(
      ferries.database,
      'What is the total price of tickets by month?',
      'only web',
      'why is March low?',
    )
    expect(sql).toContain("tickets.channel = 'web'")
    expect(headline).toContain('March 2026 was 150 below February 2026 (150 after 300).')
    expect(table.rows.map(row => Number(row[3]))).toEqual([-150, 0])
  })

  it('says so where all has moved alike', async () => {
    const { headline } = await breakDown(ferries.database, byMonth, 'why is April high?')
    expect(headline).toBe(
      'April 2026 was 30 above March 2026 (60 after 30). The change is spread out: no single value explains much of it.',
    )
  })

  it('says so where the number is not what it is said to be', async () => {
    const { headline, table } = await breakDown(ferries.database, byMonth, 'why is April low?')
    expect(headline).toContain('April 2026 was 30 above March 2026')
    expect(Number(table.rows[0]?.[3])).toBeGreaterThan(0)
  })

  it('says that a period is not over', async () => {
    const { assumptions } = await breakDown(ferries.database, byMonth, 'why is May low?')
    expect(assumptions.join(' ')).toContain('May 2026 is not over yet')
  })

  it('puts a group beside all', async () => {
    const { headline, table } = await breakDown(
      ferries.database,
      'How many tickets are there by route?',
      'why is western low?',
    )
    expect(headline).toMatch(/^western has 70 of 150, 47% of all\./)
    const sums = [1, 2].map(at => table.rows.reduce((sum, row) => sum + Number(row[at]), 0))
    expect(sums).toEqual([70, 150])
  })

  it('loses no row by a key that may be null', async () => {
    const read = readWhy(ferries.database, byMonth, 'why is March low?')
    if (read.kind !== 'breakdown') throw new Error(read.kind)
    const split = read.plan.dimensions.find(({ label }) => label === 'code of the promotion')
    if (!split) throw new Error('no split by promotion')
    const verdict = ferries.database.guard(split.sql.falling)
    if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
    const { rows } = await ferries.database.run(verdict.guarded)
    expect(rows.map(([value]) => value)).toContain(null)
    expect(rows.reduce((sum, row) => sum + Number(row[1]), 0)).toBe(60)
  })

  it('runs the totals and six splits at most', async () => {
    const { runs } = await breakDown(ferries.database, byMonth, 'why is March low?')
    expect(runs).toBeGreaterThan(2)
    expect(runs).toBeLessThanOrEqual(7)
  })

  it('is no answer that later changes build on', () => {
    const read = readWhy(ferries.database, byMonth, 'why is March low?', 'only web')
    expect(read).toMatchObject({ kind: 'edit' })
    expect(read.kind === 'edit' && read.readings[0]?.sql).toContain("WHERE channel = 'web'")
  })

  it.each([
    [byMonth, 'why did it drop?', 'number-not-named', 'why is April 2026 low?'],
    [byMonth, 'why is Atlantis low?', 'unknown-number', 'why is April 2026 low?'],
    ['What is the average price of tickets by month?', 'why is March low?', 'not-additive', 'top 5'],
  ])('cannot be told: %s %s', (first, said, code, example) => {
    const read = readWhy(ferries.database, first, said)
    expect(read).toMatchObject({ kind: 'unreadable', problem: { code } })
    expect(read.kind === 'unreadable' && read.examples).toContain(example)
  })

  it('offers a question that works', async () => {
    const read = readWhy(ferries.database, byMonth, 'why did it drop?')
    const example = read.kind === 'unreadable' ? (read.examples[0] ?? '') : ''
    const { headline } = await breakDown(ferries.database, byMonth, example)
    expect(headline).toContain('April 2026 was 30 above March 2026')
  })
})
