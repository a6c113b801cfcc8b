import { describe, expect, it } from 'vitest'
import {
  formatDays,
  formatFigure,
  formatMeant,
  formatPeriod,
  headingOf,
} from '../../src/lib/format-figure.ts'

describe('a figure in its unit', () => {
  it.each([
    [33_914_759, { kind: 'currency', code: 'EUR', scale: 0.01 }, '€339,147.59'],
    [27_294.465097, { kind: 'currency', code: 'EUR', scale: 0.01 }, '€272.94'],
    [1_200, { kind: 'currency', code: null, scale: 1 }, '1,200'],
    [0.2894, { kind: 'percent', scale: 100 }, '29%'],
    [4.25, { kind: 'percent', scale: 1 }, '4.3%'],
    [36, { kind: 'duration', unit: 'hour' }, '36 h'],
    [1, { kind: 'duration', unit: 'day' }, '1 day'],
    [0.4, { kind: 'duration', unit: 'day' }, '9.6 h'],
    [-0.01, { kind: 'duration', unit: 'day' }, '-14.4 min'],
    [0, { kind: 'duration', unit: 'day' }, '0 days'],
    [1_234.5, { kind: 'other', suffix: 'kg', scale: 1 }, '1,234.5 kg'],
    [1_428, { kind: 'count' }, '1,428'],
    [0.000123, null, '0.00012'],
  ] as const)('%s as %o is %s', (value, unit, text) => {
    expect(formatFigure(value, unit)).toBe(text)
  })
})

describe('a period by its grain', () => {
  it.each([
    ['day', 'Nov 20, 2026'],
    ['week', 'Week of Nov 20, 2026'],
    ['month', 'Nov 2026'],
    ['quarter', 'Q4 2026'],
    ['year', '2026'],
  ] as const)('a %s is %s', (grain, text) => {
    expect(formatPeriod('2026-11-20', grain)).toBe(text)
  })

  it('is nothing if it is no day', () => {
    expect(formatPeriod('soon', 'month')).toBeNull()
  })
})

it.each([
  ['2026-10-01', '2026-11-01', 'Oct 1 to 31, 2026'],
  ['2026-10-22', '2026-11-21', 'Oct 22 to Nov 20, 2026'],
  ['2025-12-30', '2026-01-03', 'Dec 30, 2025 to Jan 2, 2026'],
  ['2026-11-20', '2026-11-21', 'Nov 20, 2026'],
  ['2026-11-20', null, 'since Nov 20, 2026'],
  [null, '2026-11-20', 'before Nov 20, 2026'],
  [null, null, 'all time'],
] as const)('days from %s until %s are %s', (from, until, text) => {
  expect(formatDays(from, until)).toBe(text)
})

describe('a value as its column means it', () => {
  const revenue = {
    label: 'Revenue',
    unit: { kind: 'currency', code: 'USD', scale: 1 },
    role: { kind: 'figure' },
  } as const
  const weekday = { label: 'Weekday', unit: null, role: { kind: 'date-part', part: 'weekday' } } as const

  it('has a heading, a unit and a calendar', () => {
    expect(headingOf({ name: 'total_cents', meaning: revenue })).toBe('Revenue')
    expect(headingOf({ name: 'total_cents' })).toBe('Total cents')
    expect(headingOf({ name: 'customerID' })).toBe('Customer ID')
    expect(headingOf({ name: 'avg(price)' })).toBe('avg(price)')
    expect(formatMeant('12.5', { kind: 'unknown', meaning: revenue })).toBe('$12.50')
    expect(formatMeant(1, { kind: 'unknown', meaning: weekday })).toBe('Monday')
    const flag = { label: 'Newsletter', unit: null, role: { kind: 'flag' as const } }
    expect(formatMeant(true, { kind: 'boolean' })).toBe('yes')
    expect(formatMeant(0, { kind: 'integer', meaning: flag })).toBe('no')
    expect(formatMeant('t', { kind: 'text', meaning: flag })).toBe('yes')
  })

  it('is marked if its period has not ended', () => {
    const month = {
      label: 'Month',
      unit: null,
      role: { kind: 'period', grain: 'month', runningOn: '2026-11-20' },
    } as const
    expect(formatMeant('2026-11-01', { kind: 'date', meaning: month })).toBe('Nov 2026 so far')
    expect(formatMeant('2026-10-01', { kind: 'date', meaning: month })).toBe('Oct 2026')
    const year = {
      label: 'Year',
      unit: null,
      role: { kind: 'period', grain: 'year', runningOn: '2026-11-20' },
    } as const
    expect([2025, 2026].map(cell => formatMeant(cell, { kind: 'integer', meaning: year }))).toEqual([
      '2025',
      '2026 so far',
    ])
  })

  it('is a day or a moment in the order in which people write it', () => {
    expect(formatMeant('2026-11-20', { kind: 'date' })).toBe('Nov 20, 2026')
    expect(formatMeant('2026-11-20T14:05:00Z', { kind: 'timestamp' })).toBe('Nov 20, 2026, 14:05')
    expect(formatMeant('2026-11-20T00:00:00Z', { kind: 'timestamp' })).toBe('Nov 20, 2026')
    expect(
      formatMeant('2026-11-20 09:30:00', {
        kind: 'text',
        meaning: { label: 'Sent', unit: null, role: { kind: 'moment' } },
      }),
    ).toBe('Nov 20, 2026, 09:30')
    expect(formatMeant('in 2026', { kind: 'timestamp' })).toBeNull()
  })

  it('is left to others if it is missing or means nothing', () => {
    expect(formatMeant(null, { kind: 'unknown', meaning: revenue })).toBeNull()
    expect(formatMeant('n/a', { kind: 'unknown', meaning: revenue })).toBeNull()
    expect(formatMeant(3, { kind: 'integer' })).toBeNull()
  })
})
