import { expect, it } from 'vitest'
import { makeThrottledLog } from '../../src/jobs/jobs.ts'

it('logs the first of many errors at once, and then their number', () => {
  const said: [unknown, number][] = []
  let now = 0
  const log = makeThrottledLog(
    (error, times) => said.push([error, times]),
    () => now,
  )
  log('a')
  log('b')
  now = 9_000
  log('c')
  expect(said).toEqual([['a', 1]])
  now = 10_000
  log('d')
  expect(said).toEqual([
    ['a', 1],
    ['d', 3],
  ])
})
