import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { maintenanceRunContext, makeRunContexts, questionRunContext } from '../../src/audit/run-contexts.ts'

describe('contexts of work', () => {
  it('follow what is awaited, and do not mix with those of work beside it', async () => {
    const { inRunContext, currentContext } = makeRunContexts()
    const look = async (person: string): Promise<readonly (string | null | undefined)[]> =>
      inRunContext(maintenanceRunContext('command', person), async () => {
        const before = currentContext()?.person
        await sleep(2)
        const after = await Promise.all([1, 2].map(ms => sleep(ms).then(() => currentContext()?.person)))
        return [before, ...after]
      })
    expect(await Promise.all([look('ada'), look('ben')])).toEqual([
      ['ada', 'ada', 'ada'],
      ['ben', 'ben', 'ben'],
    ])
    expect(currentContext()).toBeNull()
  })

  it('are those of the place of a question, and of the command line without one', () => {
    const location = { team: 'T1', channel: 'C1', thread: '1.0', message: '1.0' }
    expect(questionRunContext('q1', { askedBy: 'U1', location })).toEqual({
      origin: 'question',
      person: 'U1',
      team: 'T1',
      channel: 'C1',
      questionId: 'q1',
      digestId: null,
    })
    expect(
      questionRunContext('q1', { askedBy: 'U1', location }, { origin: 'edit', person: 'U2' }),
    ).toMatchObject({
      origin: 'edit',
      person: 'U2',
      channel: 'C1',
    })
    expect(questionRunContext('q1', { askedBy: null, location: null }).origin).toBe('command')
  })
})
