import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { purgeHourly } from '../../src/compose/purge-hourly.ts'
import { silentLog } from '../../src/core/log.ts'

const now = new Date('2026-03-31T12:00:00Z')

describe('purging every hour', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const start = (purgeExpired: (at: Date) => Promise<number>) => {
    const heardBefore: Date[] = []
    const tracesAt: Date[] = []
    const warnings: unknown[] = []
    const stop = purgeHourly(
      {
        savedResults: { purgeExpired },
        traces: { purgeExpired: async (at: Date) => tracesAt.push(at) },
        heardMessages: {
          purgeBefore: async (at: Date) => {
            heardBefore.push(at)
            return 0
          },
        },
      } as unknown as Parameters<typeof purgeHourly>[0],
      () => now,
      { ...silentLog, warn: (...said: unknown[]) => void warnings.push(said) },
    )
    return { stop, heardBefore, tracesAt, warnings }
  }

  test('begins at once, forgets messages after thirty days, and ends when told to', async () => {
    const expiredAt: Date[] = []
    const { stop, heardBefore, tracesAt, warnings } = start(async at => expiredAt.push(at))
    await vi.advanceTimersByTimeAsync(0)
    expect(expiredAt).toEqual([now])
    expect(tracesAt).toEqual([now])
    expect(heardBefore).toEqual([new Date('2026-03-01T12:00:00Z')])
    await vi.advanceTimersByTimeAsync(2 * 60 * 60 * 1000)
    expect(expiredAt.length).toBe(3)
    stop()
    await vi.advanceTimersByTimeAsync(5 * 60 * 60 * 1000)
    expect(expiredAt.length).toBe(3)
    expect(warnings).toEqual([])
  })

  test('logs a failure, and tries again in an hour', async () => {
    let tries = 0
    const { stop, warnings } = start(async () => {
      tries += 1
      throw new Error('the store is away')
    })
    await vi.advanceTimersByTimeAsync(60 * 60 * 1000)
    expect(tries).toBe(2)
    expect(warnings.length).toBe(2)
    stop()
  })
})
