import { expect, it } from 'vitest'
import { cacheVerifiedBriefly } from '../../src/verified-queries/cache-verified.ts'

it('a list is read once for a moment, each database by itself, and a failure is not remembered', async () => {
  let clock = 0
  let fails = true
  const read: string[] = []
  const list = cacheVerifiedBriefly(
    async database => {
      read.push(database)
      if (fails) throw new Error('away')
      return []
    },
    () => clock,
  )
  await expect(list('a')).rejects.toThrow('away')
  fails = false
  await Promise.all([list('a'), list('a'), list('b')])
  expect(read).toEqual(['a', 'a', 'b'])
  clock = 4_999
  await list('a')
  expect(read).toHaveLength(3)
  clock = 5_000
  await list('a')
  expect(read).toHaveLength(4)
})
