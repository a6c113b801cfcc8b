import { describe, expect, it } from 'vitest'
import { makeNotifyRateLimited } from '../../src/answering/rate-limits.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeMemoryTakeRate } from '../../src/store/limits-and-cache.ts'

describe('a person who asks too often', () => {
  it('is told a few times a minute over all threads, without affecting others', async () => {
    const said: string[] = []
    const tell = makeNotifyRateLimited({
      consume: makeMemoryTakeRate(),
      notifyPrivately: async ({ thread }, person) => void said.push(`${person} in ${thread}`),
      log: silentLog,
    })
    const refusal = { status: 'not-allowed', reason: 'Too much.', nextStep: 'Wait.' } as const
    const at = (thread: string) => ({ team: 'T1', channel: 'C1', thread, message: thread })
    for (const thread of ['1', '2', '3', '4', '5']) await tell(at(thread), 'U1', refusal)
    await tell(at('6'), 'U2', refusal)
    expect(said).toEqual(['U1 in 1', 'U1 in 2', 'U1 in 3', 'U2 in 6'])
  })

  it('does not block the work if telling them fails', async () => {
    const tell = makeNotifyRateLimited({
      consume: makeMemoryTakeRate(),
      notifyPrivately: async () => Promise.reject(new Error('Slack is away')),
      log: silentLog,
    })
    const refusal = { status: 'not-allowed', reason: 'Too much.', nextStep: 'Wait.' } as const
    await tell({ team: 'T1', channel: 'C1', thread: '1', message: '1' }, 'U1', refusal)
  })
})
