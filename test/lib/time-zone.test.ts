import { describe, expect, it } from 'vitest'
import { nextAtHour } from '../../src/lib/time-zone.ts'

const next = (now: string, hour: number, timeZone: string) =>
  nextAtHour(new Date(now), hour, timeZone).toISOString()

describe('nextAtHour', () => {
  it('is today where the hour is still to come, else tomorrow', () => {
    expect(next('2026-06-03T00:30:00Z', 3, 'UTC')).toBe('2026-06-03T03:00:00.000Z')
    expect(next('2026-06-03T03:30:00Z', 3, 'UTC')).toBe('2026-06-04T03:00:00.000Z')
  })

  it('is never now: at the hour itself it is tomorrow', () => {
    expect(next('2026-06-03T03:00:00Z', 3, 'UTC')).toBe('2026-06-04T03:00:00.000Z')
    expect(next('2026-06-03T02:59:59.999Z', 3, 'UTC')).toBe('2026-06-03T03:00:00.000Z')
  })

  it('counts in the days of the time zone', () => {
    expect(next('2026-06-03T23:30:00Z', 3, 'Europe/Berlin')).toBe('2026-06-04T01:00:00.000Z')
    expect(next('2026-06-03T12:00:00Z', 3, 'Pacific/Auckland')).toBe('2026-06-03T15:00:00.000Z')
    expect(next('2026-06-03T12:00:00Z', 0, 'Asia/Kolkata')).toBe('2026-06-03T18:30:00.000Z')
  })

  it('comes once on days of 23 and of 25 hours', () => {
    // Clocks go from 2 to 3 on 29 March, and from 3 back to 2 on 25 October.
    expect(next('2026-03-28T12:00:00Z', 2, 'Europe/Berlin')).toBe('2026-03-29T01:00:00.000Z')
    expect(next('2026-03-29T01:00:00Z', 2, 'Europe/Berlin')).toBe('2026-03-30T00:00:00.000Z')
    expect(next('2026-10-24T12:00:00Z', 2, 'Europe/Berlin')).toBe('2026-10-25T00:00:00.000Z')
    expect(next('2026-10-25T00:00:00Z', 2, 'Europe/Berlin')).toBe('2026-10-26T01:00:00.000Z')
  })
})
