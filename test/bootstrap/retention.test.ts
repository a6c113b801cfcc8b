import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { startHourlyPurge } from '../../src/store/retention.ts'

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
    const reusableAt: Date[] = []
    const endedBefore: Date[] = []
    const forgotten: string[] = []
    const warnings: unknown[] = []
    const agedAt: Date[] = []
    const stop = startHourlyPurge(
      {
        savedResults: { purgeExpired },
        cachedAnswers: { purgeExpired: async (at: Date) => reusableAt.push(at) },
        traces: { purgeExpired: async (at: Date) => tracesAt.push(at) },
        inboundMessages: {
          purgeBefore: async (at: Date) => {
            heardBefore.push(at)
            return 0
          },
        },
        comments: {
          purgeBefore: async (at: Date) => {
            heardBefore.push(at)
            return 0
          },
        },
        questions: {
          listToForget: async (before: Date) => {
            endedBefore.push(before)
            return endedBefore.length === 1 ? ['q1', 'q2'] : []
          },
          markForgotten: async (id: string, at: Date) => {
            forgotten.push(`${id} at ${at.toISOString()}`)
          },
        },
        purgeByAge: async () => {
          agedAt.push(now)
          return { questions: 0, usage: 0, statements: 0, auditFiles: 0, digestRuns: 0 }
        },
        checkpoints: {
          forget: async (id: string) => {
            forgotten.push(`thread ${id}`)
          },
        },
      } as unknown as Parameters<typeof startHourlyPurge>[0],
      () => now,
      { ...silentLog, warn: (...said: unknown[]) => void warnings.push(said) },
    )
    return { stop, heardBefore, tracesAt, reusableAt, endedBefore, forgotten, warnings, agedAt }
  }

  test('begins at once, forgets messages after thirty days, and ends when told to', async () => {
    const expiredAt: Date[] = []
    const { stop, heardBefore, tracesAt, reusableAt, warnings, agedAt } = start(async at =>
      expiredAt.push(at),
    )
    await vi.advanceTimersByTimeAsync(0)
    expect(expiredAt).toEqual([now])
    expect(tracesAt).toEqual([now])
    expect(reusableAt).toEqual([now])
    expect(agedAt).toEqual([now])
    // What people said to us, and to each other.
    expect(heardBefore).toEqual([new Date('2026-03-01T12:00:00Z'), new Date('2026-03-01T12:00:00Z')])
    await vi.advanceTimersByTimeAsync(2 * 60 * 60 * 1000)
    expect(expiredAt.length).toBe(3)
    stop()
    await vi.advanceTimersByTimeAsync(5 * 60 * 60 * 1000)
    expect(expiredAt.length).toBe(3)
    expect(warnings).toEqual([])
  })

  test('forgets the threads of questions that ended a day ago, each before it is marked', async () => {
    const { stop, endedBefore, forgotten } = start(async () => 0)
    await vi.advanceTimersByTimeAsync(0)
    expect(endedBefore).toEqual([new Date('2026-03-30T12:00:00Z')])
    const at = now.toISOString()
    expect(forgotten).toEqual(['thread q1', `q1 at ${at}`, 'thread q2', `q2 at ${at}`])
    stop()
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
