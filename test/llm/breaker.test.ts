import { describe, expect, it } from 'vitest'
import { makeBreaker, withBreaker } from '../../src/llm/breaker.ts'
import { CallFailure, type CallFailureFacts } from '../../src/llm/call-failure.ts'
import type { ModelCall } from '../../src/llm/call-model.ts'

const make = () => {
  let time = 0
  const changes: string[] = []
  const breaker = makeBreaker(
    { failures: 3, windowMs: 1_000, restMs: 500 },
    {
      now: () => time,
      onChange: change =>
        changes.push(`${change.state} at ${time}${change.state === 'open' ? `: ${change.reason}` : ''}`),
    },
  )
  return {
    breaker,
    changes,
    at: (milliseconds: number) => {
      time = milliseconds
    },
    fail: (times: number, restMs: number | null = null) => {
      for (let done = 0; done < times; done++) breaker.enter()?.failed(restMs, 'it broke')
    },
    succeed: (times: number) => {
      for (let done = 0; done < times; done++) breaker.enter()?.succeeded()
    },
  }
}

describe('a breaker', () => {
  it('opens after the set number of failures and permits nothing while it is open', () => {
    const { breaker, fail, changes, at } = make()
    fail(2)
    expect(breaker.state()).toBe('closed')
    fail(1)
    expect(breaker.state()).toBe('open')
    at(499)
    expect(breaker.enter()).toBeNull()
    expect(changes).toEqual(['open at 0: it broke'])
  })

  it('forgets failures that are older than its window', () => {
    const { breaker, fail, at } = make()
    fail(2)
    at(1_001)
    fail(2)
    expect(breaker.state()).toBe('closed')
  })

  it('stays closed while most requests succeed', () => {
    const { breaker, fail, succeed } = make()
    succeed(4)
    fail(3)
    expect(breaker.state()).toBe('closed')
    fail(1)
    expect(breaker.state()).toBe('open')
  })

  it('permits one request after its pause, and closes if that succeeds', () => {
    const { breaker, fail, at, changes } = make()
    fail(3)
    at(500)
    expect(breaker.state()).toBe('half-open')
    const trial = breaker.enter()
    expect(trial).not.toBeNull()
    expect(breaker.enter()).toBeNull()
    trial?.succeeded()
    expect(breaker.state()).toBe('closed')
    fail(2)
    expect(breaker.state()).toBe('closed')
    expect(changes).toEqual(['open at 0: it broke', 'closed at 500'])
  })

  it('stays open if the trial fails, and reports opening once', () => {
    const { breaker, fail, at, changes } = make()
    fail(3)
    at(500)
    fail(1)
    expect(breaker.state()).toBe('open')
    at(999)
    expect(breaker.isPassable()).toBe(false)
    at(1_000)
    expect(breaker.isPassable()).toBe(true)
    expect(changes).toEqual(['open at 0: it broke'])
  })

  it('permits another trial if the first one was stopped', () => {
    const { breaker, fail, at } = make()
    fail(3)
    at(500)
    breaker.enter()?.left()
    expect(breaker.enter()).not.toBeNull()
  })

  it('stays open as long as the endpoint asked for', () => {
    const { breaker, fail, at } = make()
    fail(3, 2_000)
    at(1_999)
    expect(breaker.state()).toBe('open')
    at(2_000)
    expect(breaker.state()).toBe('half-open')
  })

  it('ignores requests that were sent before it opened', () => {
    const { breaker, fail, changes } = make()
    const early = breaker.enter()
    fail(3)
    early?.succeeded()
    expect(breaker.state()).toBe('open')
    expect(changes).toEqual(['open at 0: it broke'])
  })
})

describe('requests with a breaker', () => {
  const call = {} as ModelCall
  const failing = (facts: Partial<CallFailureFacts>, isStopped = false) => {
    const { breaker } = make()
    const failure = new CallFailure('no', {
      ...{ kind: 'rejected', status: null, code: null, param: null, retryAfterMs: null },
      ...facts,
    })
    const send = withBreaker(
      () => Promise.reject(failure),
      breaker,
      () => isStopped,
    )
    return { breaker, send }
  }

  it.each([
    [{ kind: 'server-error', status: 500 }, 'open'],
    [{ kind: 'timed-out' }, 'open'],
    [{ kind: 'rejected', status: 401 }, 'open'],
    [{ kind: 'rejected', status: 400 }, 'closed'],
  ] as const)('%j three times leaves it %s', async (facts, state) => {
    const { breaker, send } = failing(facts)
    for (let times = 0; times < 3; times++) await expect(send(call)).rejects.toThrow('no')
    expect(breaker.state()).toBe(state)
    if (state === 'open') await expect(send(call)).rejects.toMatchObject({ facts: { kind: 'resting' } })
  })

  it('does not count a stopped question as a failure', async () => {
    const { breaker, send } = failing({ kind: 'timed-out' }, true)
    for (let times = 0; times < 3; times++) await expect(send(call)).rejects.toThrow('no')
    expect(breaker.state()).toBe('closed')
  })
})
