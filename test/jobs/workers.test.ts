import { describe, expect, it } from 'vitest'
import { makePriorityGate } from '../../src/jobs/workers.ts'
import { nextTurn } from '../helpers/wait.ts'

const never = new AbortController().signal

describe('turns', () => {
  it('lets upkeep wait while people take all slots, and go on when one is free', async () => {
    const turns = makePriorityGate(60_000)
    turns.declare('question', 'people', 1)
    turns.declare('index', 'upkeep', 1)
    const giveBack = await turns.take('question', never)
    let began = false
    const upkeep = turns.take('index', never).then(() => {
      began = true
    })
    await nextTurn()
    expect(began).toBe(false)
    giveBack()
    await upkeep
    expect(began).toBe(true)
  })

  it('lets nobody wait for work of the same or a lower rank', async () => {
    const turns = makePriorityGate(60_000)
    turns.declare('digest', 'schedule', 1)
    turns.declare('index', 'upkeep', 1)
    turns.declare('resume', 'people', 1)
    turns.declare('question', 'people', 1)
    await turns.take('digest', never)
    await turns.take('index', AbortSignal.timeout(20)).then(
      () => expect.unreachable('upkeep goes after schedules'),
      () => {},
    )
    await turns.take('resume', never)
    await turns.take('question', never)
  })

  it('lets nothing wait for ever', async () => {
    const turns = makePriorityGate(30)
    turns.declare('question', 'people', 1)
    turns.declare('index', 'upkeep', 1)
    await turns.take('question', never)
    await turns.take('index', never)
  })

  it('gives a place that was not taken to nobody', async () => {
    const turns = makePriorityGate(60_000)
    turns.declare('question', 'people', 1)
    turns.declare('index', 'upkeep', 1)
    turns.declare('digest', 'schedule', 1)
    const giveBack = await turns.take('question', never)
    await expect(turns.take('digest', AbortSignal.timeout(10))).rejects.toThrow()
    giveBack()
    await turns.take('index', never)
  })
})
