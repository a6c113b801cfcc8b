import { expect, it } from 'vitest'
import { makeReleasers } from '../../src/lib/releasers.ts'

it('releases in reverse order', async () => {
  const releasers = makeReleasers()
  const undone: string[] = []
  releasers.push(() => void undone.push('first made'))
  releasers.push(async () => void undone.push('last made'))
  await releasers.release()
  expect(undone).toEqual(['last made', 'first made'])
})

it('continues after a failing release and throws the first failure', async () => {
  const releasers = makeReleasers()
  const undone: string[] = []
  releasers.push(() => void undone.push('bottom'))
  releasers.push(() => Promise.reject(new Error('second failure')))
  releasers.push(() => Promise.reject(new Error('first failure')))
  await expect(releasers.release()).rejects.toThrow('first failure')
  expect(undone).toEqual(['bottom'])
})

it('releases everything once', async () => {
  const releasers = makeReleasers()
  let times = 0
  releasers.push(() => void times++)
  await releasers.release()
  await releasers.release()
  expect(times).toBe(1)
})
