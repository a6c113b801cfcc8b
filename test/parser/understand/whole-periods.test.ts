import { describe, expect, it } from 'vitest'
import { firstDayOfSeries } from '../../../src/parser/understand/whole-periods.ts'

/** Friday, November 20, 2026. */
const today = '2026-11-20'

const firstDay = (
  phrase: string,
  from: string | null,
  unit: Parameters<typeof firstDayOfSeries>[1],
  until = '2026-11-21',
): string | null => firstDayOfSeries({ phrase, from, until }, unit, today)

describe('a series of the last so many periods', () => {
  it.each([
    ['last 12 months', '2025-11-21', 'month', '2025-12-01'],
    ['the past 4 quarters', '2025-11-21', 'quarter', '2026-01-01'],
    ['past 2 years', '2024-11-21', 'year', '2025-01-01'],
    ['last 8 weeks', '2026-09-26', 'week', '2026-09-28'],
    ['last 12 months', '2025-11-21', 'quarter', '2026-01-01'],
    ['the past year', '2025-11-21', 'month', '2025-12-01'],
    ['trailing twelve months', '2025-11-21', 'month', '2025-12-01'],
  ] as const)('%s from %s by %s begins on %4$s', (phrase, from, unit, first) => {
    expect(firstDay(phrase, from, unit)).toBe(first)
  })

  it.each([
    ['last 3 months', '2026-08-21', 'week', '2026-08-17'],
    ['last 90 days', '2026-08-23', 'month', '2026-08-01'],
    ['last 18 months', '2025-05-21', 'year', '2025-01-01'],
  ] as const)(
    'begins with the period of its first day if %s are no number of them',
    (phrase, from, unit, first) => {
      expect(firstDay(phrase, from, unit)).toBe(first)
    },
  )

  it('has one day for each of the last 7 days', () => {
    expect(firstDay('last 7 days', '2026-11-14', 'day')).toBe('2026-11-14')
  })

  it('leaves calendar periods, open ends, and days that were named as they are', () => {
    expect(firstDay('this year', '2026-01-01', 'month', '2027-01-01')).toBe('2026-01-01')
    expect(firstDay('last month', '2026-10-01', 'week', '2026-11-01')).toBe('2026-10-01')
    expect(firstDay('before June', null, 'month', '2026-06-01')).toBeNull()
    expect(firstDay('from November 5 to November 20', '2026-11-05', 'month')).toBe('2026-11-05')
  })

  it('leaves days to come as they are', () => {
    expect(firstDay('next 3 months', '2026-11-21', 'month', '2027-02-21')).toBe('2026-11-21')
  })
})
