import { describe, expect, it } from 'vitest'
import { makeCheckRateLimit, type RateLimit } from '../../src/answering/rate-limits.ts'
import type { RateVerdict } from '../../src/domain/operations/usage.ts'

const minute = { points: 2, windowMs: 60_000 }

const limits: readonly RateLimit[] = [
  { scope: 'person', rule: { name: 'person', ...minute }, label: '2 questions a minute' },
  { scope: 'team', rule: { name: 'team', ...minute }, label: '2 questions a minute for everybody' },
]

/** What was counted, as `rule key`; rules named in `over` are over. */
const counting = (over: Record<string, number> = {}) => {
  const counted: string[] = []
  const stopped: string[] = []
  const limit = makeCheckRateLimit({
    limits,
    consume: async ({ name }, key): Promise<RateVerdict> => {
      counted.push(`${name} ${key}`)
      const retryAfterMs = over[name]
      return retryAfterMs === undefined ? { status: 'within', left: 1 } : { status: 'over', retryAfterMs }
    },
    isAdmin: person => person === 'ADMIN',
    onExceeded: rule => stopped.push(rule),
  })
  return { limit, counted, stopped }
}

const ada = { person: 'ada', team: 'T' }

describe('a limit', () => {
  it('counts a person within their workspace, and then the workspace', async () => {
    const { limit, counted } = counting()
    expect(await limit(ada)).toBeNull()
    expect(counted).toEqual(['person T:ada', 'team T'])
  })

  it("of one person does not use up the workspace's limit", async () => {
    const { limit, counted, stopped } = counting({ person: 1_000 })
    expect(await limit(ada)).not.toBeNull()
    expect(counted).toEqual(['person T:ada'])
    expect(stopped).toEqual(['person'])
  })

  it('of one person does not apply to admins; that of the workspace does', async () => {
    const { limit, counted } = counting({ person: 1_000, team: 1_000 })
    expect(await limit({ person: 'ADMIN', team: 'T' })).toMatchObject({
      reason: 'You have reached the limit of 2 questions a minute for everybody.',
    })
    expect(counted).toEqual(['team T'])
  })

  it.each([
    [1, '1 second'],
    [1_001, '2 seconds'],
    [90_000, '90 seconds'],
    [90_001, '2 minutes'],
    [3_600_000, '60 minutes'],
  ])('that is free in %i ms says so: %s', async (ms, said) => {
    expect((await counting({ person: ms }).limit(ada))?.nextStep).toBe(`Try again in ${said}.`)
  })
})
