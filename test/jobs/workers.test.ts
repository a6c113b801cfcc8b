import { describe, expect, it } from 'vitest'
import { makePriorityGate } from '../../src/jobs/workers.ts'
import { nextTurn } from '../helpers/wait.ts'

const never = new AbortController().signal

describe('turns', () => {
  it('makes maintenance wait while people use all slots', async () => {
    const turns = makePriorityGate(60_000)
    turns.declare('question', 'people', 1)
    turns.declare('index', 'maintenance', 1)
    const giveBack = await turns.take('question', never)
    let began = false
    const maintenance = turns.take('index', never).then(() => {
      began = true
    })
    await nextTurn()
    expect(began).toBe(false)
    giveBack()
    await maintenance
    expect(began).toBe(true)
  })

  it('does not wait for work of the same or a lower rank', async () => {
    const turns = makePriorityGate(60_000)
    turns.declare('digest', 'schedule', 1)
    turns.declare('index', 'maintenance', 1)
    turns.declare('resume', 'people', 1)
    turns.declare('question', 'people', 1)
    await turns.take('digest', never)
    await turns.take('index', AbortSignal.timeout(20)).then(
      () => expect.unreachable('maintenance goes after schedules'),
      () => {},
    )
    await turns.take('resume', never)
    await turns.take('question', never)
  })

  it('lets nothing wait forever', async () => {
    const turns = makePriorityGate(30)
    turns.declare('question', 'people', 1)
    turns.declare('index', 'maintenance', 1)
    await turns.take('question', never)
    await turns.take('index', never)
  })

  it('does not count a slot that was never taken', async () => {
    const turns = makePriorityGate(60_000)
    turns.declare('question', 'people', 1)
    turns.declare('index', 'maintenance', 1)
    turns.declare('digest', 'schedule', 1)
    const giveBack = await turns.take('question', never)
    await expect(turns.take('digest', AbortSignal.timeout(10))).rejects.toThrow()
    giveBack()
    await turns.take('index', never)
  })
})
