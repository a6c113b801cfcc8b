import { describe, expect, it } from 'vitest'
import { seesEveryValue, seesNoValue } from '../../../src/domain/access/sees-value.ts'
import { hideLiterals, hideValues } from '../../../src/sql/rewrite/hide-values.ts'

const sees = (value: string): boolean => value === 'paid'

describe('a statement for a reader who does not see all of its rows', () => {
  it.each([
    [
      "select sum(total) from orders where customer = 'Acme' and status = 'paid'",
      "select sum(total) from orders where customer = '...' and status = 'paid'",
    ],
    [
      'select * from orders where id in (42, 43) limit 10',
      'select * from orders where id in (..., ...) limit ...',
    ],
    [
      "select 1 as acme -- of Acme\nfrom orders where customer like '%Acme%'",
      "select ... as ... \nfrom orders where customer like '...'",
    ],
    [
      "select case customer when 'Acme' then 'Best' end from orders",
      "select case customer when '...' then '...' end from orders",
    ],
    [
      "select date_trunc('month', placed_at) from orders where placed_at >= '2026-10-01'",
      "select date_trunc('month', placed_at) from orders where placed_at >= '...'",
    ],
    ["select 'open", '...'],
  ])('has no value that they do not see: %s', (sql, shown) => {
    expect(hideLiterals(sql, 'postgres', sees)).toBe(shown)
  })

  it('has no text in double quotes either, which SQLite reads as a value', () => {
    expect(hideLiterals('select count(*) from "orders" where customer = "Acme"', 'sqlite', sees)).toBe(
      `select count(*) from "orders" where customer = '...'`,
    )
  })

  it('is as it was for a reader who sees everything', () => {
    const sql = "select 42 from orders where customer = 'Acme' -- why"
    expect(hideLiterals(sql, 'postgres', seesEveryValue)).toBe(sql)
  })
})

describe('the words of a statement', () => {
  const read = (words: string, sql: string, slots: Parameters<typeof hideValues>[0]['slots'] = []) =>
    hideValues({ sql, dialect: 'postgres', words, slots }, sees)

  it('name no value that the reader does not see', () => {
    const sql = "select count(*) from orders where customer = 'Acme Corp' and status = 'paid'"
    expect(read('How many orders of ACME Corp are paid?', sql)).toMatchObject({
      words: 'How many orders of ... are paid?',
      isOpen: false,
    })
  })

  it('are left out whole if a value may stand anywhere in them', () => {
    for (const condition of ['customer_id = 42', "customer = 'Umbrella'"])
      expect(
        read('How is our best customer doing?', `select 1 from orders where ${condition}`),
      ).toMatchObject({
        words: '...',
        isOpen: false,
      })
  })

  it('are whole if the statement names no row', () => {
    const words = 'How many paid orders were there in October?'
    const sql = "select count(*) from orders where status = 'paid' and placed_at >= '2026-10-01'"
    expect(read(words, sql)).toMatchObject({ words, isOpen: true })
    expect(hideValues({ sql, dialect: 'postgres', words }, seesNoValue)).toMatchObject({ isOpen: false })
  })

  it('name no value of a slot that was found by other words', () => {
    const words = 'How many orders did the umbrella people place?'
    const slot = {
      kind: 'value',
      at: [24, 32],
      table: 'orders',
      column: 'customer',
      value: 'Ümbrella',
    } as const
    expect(read(words, "select 1 from orders where customer = 'Ümbrella'", [slot]).words).toBe(
      'How many orders did the ... people place?',
    )
  })
})
