import { describe, expect, it } from 'vitest'
import { makeSemaphore } from '../../../src/databases/connectors/semaphore.ts'

describe('makeSlots', () => {
  it('lets in as many as there are places, and the next in line when one leaves', async () => {
    const slots = makeSemaphore(2)
    const entered: string[] = []
    const enter = async (name: string) => {
      const release = await slots.acquire()
      entered.push(name)
      return release
    }
    const first = await enter('first')
    await enter('second')
    const third = enter('third')
    const fourth = enter('fourth')
    expect(entered).toEqual(['first', 'second'])
    first()
    ;(await third)()
    await fourth
    expect(entered).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('gives a place back once, however often it is released', async () => {
    const slots = makeSemaphore(1)
    const release = await slots.acquire()
    release()
    release()
    await slots.acquire()
    const line = slots.acquire(AbortSignal.timeout(20))
    await expect(line).rejects.toMatchObject({ errorClass: 'cancelled' })
  })

  it('keeps the order of the line when somebody gives up', async () => {
    const slots = makeSemaphore(1)
    const release = await slots.acquire()
    const impatient = new AbortController()
    const leaving = slots.acquire(impatient.signal)
    const staying = slots.acquire()
    impatient.abort()
    await expect(leaving).rejects.toMatchObject({ errorClass: 'cancelled' })
    release()
    expect(await staying).toBeTypeOf('function')
  })
})
