import { expect, it } from 'vitest'
import { once, oncePerObject } from '../../src/lib/once.ts'

it('makes something once, and again after a failure', async () => {
  let calls = 0
  const make = once(async () => {
    calls += 1
    if (calls === 1) throw new Error('not yet')
    return calls
  })
  await expect(make()).rejects.toThrow('not yet')
  expect([await make(), await make()]).toEqual([2, 2])
})

it('derives something once per object, even when that is undefined', () => {
  let calls = 0
  const derive = oncePerObject((source: { readonly name?: string }) => {
    calls += 1
    return source.name
  })
  const [boats, nameless] = [{ name: 'boats' }, {}]
  expect([boats, boats, nameless, nameless].map(derive)).toEqual(['boats', 'boats', undefined, undefined])
  expect(calls).toBe(2)
})
