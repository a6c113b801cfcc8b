import { describe, expect, it } from 'vitest'
import { nextRecheck } from '../../src/verified-queries/recheck-verified.ts'

const at = new Date('2026-11-20T12:00:00Z')

describe('when a verified query is run again', () => {
  it.each([
    ['ran', 24, '2026-11-21T12:00:00.000Z'],
    ['ran', 1, '2026-11-20T13:00:00.000Z'],
    ['unreachable', 24, '2026-11-20T13:00:00.000Z'],
    ['broken', 24, undefined],
    ['stale', 24, undefined],
  ] as const)('%s, every %i hours: %s', (status, hours, expected) => {
    expect(nextRecheck(status, at, hours)?.toISOString()).toBe(expected)
  })
})
