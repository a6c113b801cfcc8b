import { Cron } from 'croner'
import fc from 'fast-check'
import { IANAZone } from 'luxon'
import { describe, expect, it } from 'vitest'
import { countMissedRuns } from '../../../src/digests/due-digests.ts'
import { nextDue } from '../../../src/digests/schedule/next-due.ts'
import type { ParsedSchedule } from '../../../src/domain/digests/digest.ts'

const MINUTE_MS = 60_000

const DAY_MS = 24 * 60 * MINUTE_MS

const scheduleOf = (cron: string, timeZone: string) =>
  ({ cron, timeZone, words: '' }) as unknown as ParsedSchedule

const dueFrom = (cron: string, zone: string, from: string | number, count: number): string[] => {
  const found: string[] = []
  let after = new Date(from)
  for (let i = 0; i < count; i++) {
    const due = nextDue(scheduleOf(cron, zone), after)
    if (!due) break
    found.push(due.toISOString())
    after = due
  }
  return found
}

const cronerFrom = (cron: string, zone: string, from: string | number, count: number): string[] =>
  new Cron(cron, { timezone: zone }).nextRuns(count, new Date(from)).map(due => due.toISOString())

/** A moment within two days of a change of the clocks: where things go wrong. */
const changes: Readonly<Record<string, readonly string[]>> = {
  'Europe/Berlin': ['2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z'],
  'America/New_York': ['2026-03-08T07:00:00Z', '2026-11-01T06:00:00Z'],
  // Half an hour.
  'Australia/Lord_Howe': ['2026-04-04T15:00:00Z', '2026-10-03T15:30:00Z'],
  'Asia/Kolkata': ['2026-06-01T00:00:00Z'],
  // Back and forth within six weeks, around Ramadan.
  'Africa/Casablanca': ['2026-02-15T02:00:00Z', '2026-03-22T02:00:00Z'],
  'Pacific/Chatham': ['2026-04-04T14:00:00Z', '2026-09-26T14:00:00Z'],
}

const nearChange = fc
  .constantFrom(
    ...Object.entries(changes).flatMap(([zone, moments]) => moments.map(at => [zone, at] as const)),
  )
  .chain(([zone, at]) =>
    fc.integer({ min: -2 * 1440, max: 2 * 1440 }).map(minutes => ({
      zone,
      from: Date.parse(at) + minutes * MINUTE_MS,
    })),
  )

const days = fc.constantFrom(
  '* * *',
  '* * 1-5',
  '* * 0,6',
  '1 * *',
  'L * *',
  '* * 1#1',
  '15,29 * *',
  '29 3,10 0',
  '* * 5L',
)

const minute = fc.integer({ min: 0, max: 59 })

const hour = fc.integer({ min: 0, max: 23 })

/**
 * The rule itself, minute by minute: what the clocks show is due the first time that they show it, and what they jump
 * over is due right after. Only the clocks are asked, by the time zone's own offsets.
 */
const byWatchingTheClock = (
  due: ReadonlySet<number>,
  zone: string,
  from: number,
  until: number,
): string[] => {
  const clocks = IANAZone.create(zone)
  const offsets = new Map<number, number>()
  const shows = (at: number): number => {
    const half = Math.floor(at / (30 * MINUTE_MS))
    const offset = offsets.get(half) ?? clocks.offset(at)
    offsets.set(half, offset)
    return at + offset * MINUTE_MS
  }
  const found = new Set<number>()
  const begin = from - 2 * DAY_MS
  let latest = shows(begin)
  for (let at = begin + MINUTE_MS; at <= until; at += MINUTE_MS) {
    // What is shown again, further back than the latest, was due before.
    for (let wall = latest + MINUTE_MS; wall <= shows(at); wall += MINUTE_MS)
      if (due.has(((wall % DAY_MS) + DAY_MS) % DAY_MS)) found.add(at)
    latest = Math.max(latest, shows(at))
  }
  return [...found].filter(at => at > from).map(at => new Date(at).toISOString())
}

describe('nextDue against croner, two days before and after changes of the clocks', () => {
  it('agrees on one time of the day, on any days', () => {
    fc.assert(
      fc.property(nearChange, minute, hour, days, ({ zone, from }, minute, hour, days) => {
        const cron = `${minute} ${hour} ${days}`
        expect(dueFrom(cron, zone, from, 4)).toEqual(cronerFrom(cron, zone, from, 4))
      }),
      { numRuns: 400 },
    )
  })

  it('agrees on what is due in every hour', () => {
    const minutes = fc.oneof(minute.map(String), fc.constantFrom('*/5', '*/15', '*/20', '0,30'))
    fc.assert(
      fc.property(nearChange, minutes, ({ zone, from }, minutes) => {
        expect(dueFrom(`${minutes} * * * *`, zone, from, 40)).toEqual(
          cronerFrom(`${minutes} * * * *`, zone, from, 40),
        )
      }),
      { numRuns: 120 },
    )
  })
})

describe('nextDue, unlike croner', () => {
  it('follows the clock: each time of a day is due once', () => {
    const hours = fc.uniqueArray(hour, { minLength: 2, maxLength: 8 })
    fc.assert(
      fc.property(
        nearChange,
        hours,
        fc.constantFrom([0], [0, 30], [10, 45]),
        ({ zone, from }, hours, minutes) => {
          const due = new Set(hours.flatMap(hour => minutes.map(minute => (hour * 60 + minute) * MINUTE_MS)))
          const until = from + 2 * DAY_MS
          const expected = byWatchingTheClock(due, zone, from, until)
          const cron = `${minutes.join(',')} ${hours.join(',')} * * *`
          expect(dueFrom(cron, zone, from, expected.length)).toEqual(expected)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('makes up for a half-hourly time in a skipped hour', () => {
    const from = '2026-03-28T12:00:00Z'
    expect(dueFrom('0,30 2 * * *', 'Europe/Berlin', from, 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:00:00.000Z',
    ])
    expect(cronerFrom('0,30 2 * * *', 'Europe/Berlin', from, 1)).toEqual(['2026-03-30T00:00:00.000Z'])
  })

  it('is due once if an hour occurs twice', () => {
    expect(dueFrom('0,30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 3)).toEqual([
      '2026-10-25T00:00:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:00:00.000Z',
    ])
  })

  it('makes up for the day that Samoa skipped', () => {
    expect(dueFrom('0 9 * * *', 'Pacific/Apia', '2011-12-29T00:00:00Z', 3)).toEqual([
      '2011-12-29T19:00:00.000Z',
      '2011-12-30T10:00:00.000Z',
      '2011-12-30T19:00:00.000Z',
    ])
  })
})

describe('nextDue', () => {
  it('is strictly after the given moment', () => {
    fc.assert(
      fc.property(nearChange, minute, hour, ({ zone, from }, minute, hour) => {
        const due = dueFrom(`${minute} ${hour},${(hour + 7) % 24} * * *`, zone, from, 6).map(Date.parse)
        expect(due[0]).toBeGreaterThan(from)
        expect(due).toEqual([...new Set(due)].sort((a, b) => a - b))
      }),
    )
  })

  it('finds schedules due once in many years, and null for those that never are', () => {
    expect(dueFrom('0 9 29 2 *', 'Asia/Kolkata', '2026-01-01T00:00:00Z', 1)).toEqual([
      '2028-02-29T03:30:00.000Z',
    ])
    expect(nextDue(scheduleOf('0 9 30 2 *', 'UTC'), new Date())).toBeNull()
  })

  it('treats days of the month and of the week as either, like cron', () => {
    const from = '2026-06-01T12:00:00Z'
    expect(dueFrom('0 9 13 * 5', 'UTC', from, 4)).toEqual(cronerFrom('0 9 13 * 5', 'UTC', from, 4))
    expect(dueFrom('0 9 13 * 5', 'UTC', from, 2)).toEqual([
      '2026-06-05T09:00:00.000Z',
      '2026-06-12T09:00:00.000Z',
    ])
  })
})

describe('missedDue', () => {
  const daily = scheduleOf('0 9 * * *', 'UTC')

  it('is only the first while the next is not due', () => {
    const first = new Date('2026-06-01T09:00:00Z')
    expect(countMissedRuns(daily, { first, now: new Date('2026-06-01T09:00:10Z') })).toEqual({
      last: first,
      count: 1,
    })
  })

  it('counts all, and returns the last', () => {
    const first = new Date('2026-06-01T09:00:00Z')
    expect(countMissedRuns(daily, { first, now: new Date('2026-06-05T08:59:00Z') })).toEqual({
      last: new Date('2026-06-04T09:00:00Z'),
      count: 4,
    })
  })

  it('returns the last even beyond its counting limit', () => {
    const first = new Date('2026-01-01T00:00:00Z')
    const often = scheduleOf('*/5 * * * *', 'UTC')
    expect(countMissedRuns(often, { first, now: new Date('2026-03-01T00:02:00Z') })).toEqual({
      last: new Date('2026-03-01T00:00:00Z'),
      count: 5_000,
    })
  })
})
