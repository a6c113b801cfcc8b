import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { ConsumeRateLimit, RateRule } from '../../src/domain/operations/usage.ts'
import { until } from '../helpers/wait.ts'

const minute = (points: number): RateRule => ({ name: 'questions', points, windowMs: 60_000 })

/** What every counter of rates must do. */
export const rateLimitContract = (make: () => Promise<ConsumeRateLimit>): void => {
  it('lets so many through and tells when the next may come', async () => {
    const take = await make()
    const key = randomUUID()
    expect(await take(minute(2), key)).toEqual({ status: 'within', left: 1 })
    expect(await take(minute(2), key)).toEqual({ status: 'within', left: 0 })
    const third = await take(minute(2), key)
    expect(third).toMatchObject({ status: 'over' })
    const { retryAfterMs } = third as Extract<typeof third, { status: 'over' }>
    expect(retryAfterMs).toBeGreaterThan(0)
    expect(retryAfterMs).toBeLessThanOrEqual(60_000)
  })

  it('counts each key and each rule apart', async () => {
    const take = await make()
    const [ada, grace] = [randomUUID(), randomUUID()]
    await take(minute(1), ada)
    expect(await take(minute(1), ada)).toMatchObject({ status: 'over' })
    expect(await take(minute(1), grace)).toMatchObject({ status: 'within' })
    expect(await take({ ...minute(1), name: 'buttons' }, ada)).toMatchObject({ status: 'within' })
  })

  it('counts several points at once', async () => {
    const take = await make()
    const key = randomUUID()
    expect(await take(minute(5), key, 3)).toEqual({ status: 'within', left: 2 })
    expect(await take(minute(5), key, 3)).toMatchObject({ status: 'over' })
  })

  it('starts again when the window is over, and not before, no matter how often it is asked until then', async () => {
    const take = await make()
    const key = randomUUID()
    const rule: RateRule = { name: 'second', points: 1, windowMs: 1_000 }
    await take(rule, key)
    await take(rule, key)
    const over = await take(rule, key)
    if (over.status !== 'over') throw new Error('the limit let a third one through')
    const toldAt = performance.now()
    await until(async () => (await take(rule, key)).status === 'within')
    // The counter rounds to milliseconds, and was asked a little before the clock.
    expect(performance.now() - toldAt).toBeGreaterThan(over.retryAfterMs - 100)
  })

  it('lets exactly so many of a crowd through', async () => {
    const take = await make()
    const key = randomUUID()
    const verdicts = await Promise.all(Array.from({ length: 30 }, () => take(minute(10), key)))
    expect(verdicts.filter(({ status }) => status === 'within')).toHaveLength(10)
  })
}
