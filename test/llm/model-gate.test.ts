import { describe, expect, it } from 'vitest'
import { QuerentError } from '../../src/domain/errors.ts'
import { CallFailure, type CallFailureFacts } from '../../src/llm/call-failure.ts'
import { makeModelGate } from '../../src/llm/model-gate.ts'

/** A gate, and conversations that end when they are told to. */
const open = (parallel = 3) => {
  const gate = makeModelGate()
  const begun: PromiseWithResolvers<string>[] = []
  const start = (signal?: AbortSignal): Promise<string> => {
    const work = (): Promise<string> => {
      const conversation = Promise.withResolvers<string>()
      begun.push(conversation)
      return conversation.promise
    }
    const result = gate.run(work, { parallel, ...(signal ? { signal } : {}) })
    result.catch(() => {})
    return result
  }
  return { start, begun }
}

/** Lets everything that can go on do so. */
const settle = () => new Promise(resolve => setImmediate(resolve))

const failure = (facts: Partial<CallFailureFacts>, message = 'no'): QuerentError =>
  new QuerentError('model-failed', message, {
    cause: new CallFailure(message, {
      ...{ kind: 'rejected', status: 400, code: null, param: null, retryAfterMs: null },
      ...facts,
    }),
  })

it('one conversation probes; after its reply as many run together as the model takes', async () => {
  const { start, begun } = open(3)
  const all = Array.from({ length: 8 }, () => start())
  await settle()
  expect(begun).toHaveLength(1)
  begun[0]?.resolve('a')
  await settle()
  expect(begun).toHaveLength(4)
  begun[2]?.resolve('c')
  await settle()
  expect(begun).toHaveLength(5)
  for (let at = 0; at < 8; at++) {
    begun[at]?.resolve('done')
    await settle()
  }
  expect(await Promise.all(all)).toHaveLength(8)
})

it('those that wait begin in the order in which they came', async () => {
  const { start, begun } = open(1)
  const done: number[] = []
  const all = [0, 1, 2].map(at => start().then(() => done.push(at)))
  for (let at = 0; at < 3; at++) {
    await settle()
    expect(begun).toHaveLength(at + 1)
    begun[at]?.resolve('x')
  }
  await Promise.all(all)
  expect(done).toEqual([0, 1, 2])
})

describe.each([
  ['a wrong key', { status: 401 }],
  ['a key without rights', { status: 403 }],
  ['an unknown model', { status: 404 }],
  ['an unknown model, said with another status', { code: 'model_not_found' }],
  ['an account without credit', { kind: 'quota-spent', status: 429 }],
] as const)('%s', (_, facts) => {
  it('fails all that wait at once, and the next one tries again', async () => {
    const { start, begun } = open()
    const all = [start(), start(), start()]
    await settle()
    const error = failure(facts)
    begun[0]?.reject(error)
    expect(await Promise.allSettled(all)).toEqual(all.map(() => ({ status: 'rejected', reason: error })))
    expect(begun).toHaveLength(1)
    void start()
    await settle()
    expect(begun).toHaveLength(2)
  })
})

describe.each([
  ['a prompt that is too long', failure({ code: 'context_length_exceeded' })],
  ['a prompt that a gateway flagged', failure({ status: 403 }, 'Your input was flagged')],
  ['an endpoint that is down', failure({ kind: 'unreachable', status: null })],
  ['a question that was stopped', new QuerentError('cancelled', 'stopped')],
  ['a budget that is spent', new QuerentError('budget-spent', 'spent')],
])('after %s', (_, error) => {
  it('the next one probes, alone', async () => {
    const { start, begun } = open()
    const all = [start(), start(), start()]
    await settle()
    begun[0]?.reject(error)
    await expect(all[0]).rejects.toBe(error)
    await settle()
    expect(begun).toHaveLength(2)
  })
})

describe.each([
  ['a reply that is of no use', new QuerentError('model-failed', 'no JSON')],
  ['a probe that took too long', failure({ kind: 'timed-out', status: null })],
])('after %s', (_, error) => {
  it('the others need not wait', async () => {
    const { start, begun } = open()
    const all = [start(), start(), start()]
    await settle()
    begun[0]?.reject(error)
    await expect(all[0]).rejects.toBe(error)
    await settle()
    expect(begun).toHaveLength(3)
  })
})

it('one that is stopped while it waits leaves its place to the next', async () => {
  const { start, begun } = open()
  const stop = new AbortController()
  const first = start()
  const stopped = start(stop.signal)
  const next = start()
  stop.abort()
  await expect(stopped).rejects.toMatchObject({ code: 'cancelled' })
  await expect(start(stop.signal)).rejects.toMatchObject({ code: 'cancelled' })
  begun[0]?.resolve('a')
  await settle()
  begun[1]?.resolve('b')
  expect(await Promise.all([first, next])).toEqual(['a', 'b'])
})
