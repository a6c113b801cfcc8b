import { describe, expect, it } from 'vitest'
import { maintenanceRunContext, makeRunContexts, questionRunContext } from '../../src/audit/run-contexts.ts'
import { nextTurn } from '../helpers/wait.ts'

describe('run contexts', () => {
  it('follow awaits, and do not mix with concurrent work', async () => {
    const { inRunContext, currentContext } = makeRunContexts()
    let inside = 0
    const bothInside = Promise.withResolvers<void>()
    const look = async (person: string): Promise<readonly (string | null | undefined)[]> =>
      inRunContext(maintenanceRunContext('command', person), async () => {
        const before = currentContext()?.person
        inside += 1
        if (inside === 2) bothInside.resolve()
        await bothInside.promise
        const after = await Promise.all([1, 2].map(() => nextTurn().then(() => currentContext()?.person)))
        return [before, ...after]
      })
    expect(await Promise.all([look('ada'), look('ben')])).toEqual([
      ['ada', 'ada', 'ada'],
      ['ben', 'ben', 'ben'],
    ])
    expect(currentContext()).toBeNull()
  })

  it("come from the question's location, or from the command line without one", () => {
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
