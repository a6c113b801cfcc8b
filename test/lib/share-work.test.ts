import { describe, expect, it } from 'vitest'
import { shareWork } from '../../src/lib/concurrency.ts'

/** Work that ends when the test says so, and fails with the reason when it is cancelled. */
const startWork = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const given: { signal?: AbortSignal } = {}
  const work = shareWork(signal => {
    given.signal = signal
    signal.addEventListener('abort', () => reject(signal.reason))
    return promise
  })
  return { work, finish: resolve, fail: reject, isCancelled: () => given.signal?.aborted }
}

describe('work that several callers wait for', () => {
  it('goes on for the others when the one who began it leaves', async () => {
    const { work, finish, isCancelled } = startWork()
    const [first, second] = [new AbortController(), new AbortController()]
    const leaving = work.join(first.signal)
    const staying = work.join(second.signal)
    first.abort(new Error('first left'))
    await expect(leaving).rejects.toThrow('first left')
    expect([isCancelled(), work.isLeft]).toEqual([false, false])
    finish('done')
    expect(await staying).toBe('done')
  })

  it('is cancelled when the last one leaves', async () => {
    const { work, isCancelled } = startWork()
    const [first, second] = [new AbortController(), new AbortController()]
    const callers = [work.join(first.signal), work.join(second.signal)]
    first.abort(new Error('first left'))
    second.abort(new Error('second left'))
    expect([isCancelled(), work.isLeft]).toEqual([true, true])
    const ended = await Promise.allSettled([...callers, work.result])
    expect(ended.map(one => (one.status === 'rejected' ? one.reason.message : one.value))).toEqual([
      'first left',
      'second left',
      'second left',
    ])
  })

  it('is not cancelled while someone waits who cannot leave', async () => {
    const { work, finish } = startWork()
    const leaver = new AbortController()
    const leaving = work.join(leaver.signal)
    const staying = work.join()
    leaver.abort(new Error('left'))
    await expect(leaving).rejects.toThrow('left')
    finish('done')
    expect(await staying).toBe('done')
  })

  it('tells everyone that it failed', async () => {
    const { work, fail } = startWork()
    const callers = [work.join(), work.join(new AbortController().signal)]
    fail(new Error('no such database'))
    const ended = await Promise.allSettled(callers)
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('is there for anyone once it is done, and nobody can cancel it then', async () => {
    const { work, finish, isCancelled } = startWork()
    const early = new AbortController()
    const waited = work.join(early.signal)
    finish('done')
    await waited
    early.abort()
    expect(await work.join(AbortSignal.abort())).toBe('done')
    expect([isCancelled(), work.isLeft]).toEqual([false, false])
  })

  it('is left at once by a caller whose signal has fired before', async () => {
    const { work } = startWork()
    await expect(work.join(AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
    expect(work.isLeft).toBe(true)
  })
})
