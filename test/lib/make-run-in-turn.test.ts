import { expect, it } from 'vitest'
import { makeRunInTurn } from '../../src/lib/concurrency.ts'

it('does work of one key in turn, and of others meanwhile', async () => {
  const inTurn = makeRunInTurn()
  const said: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inTurn('a', async () => {
    await gate.promise
    said.push('first')
  })
  const second = inTurn('a', async () => {
    said.push('second')
  })
  await inTurn('b', async () => {
    said.push('other')
  })
  expect(said).toEqual(['other'])
  gate.resolve()
  await Promise.all([first, second])
  expect(said).toEqual(['other', 'first', 'second'])
})

it('continues after work that failed, and rejects only for its caller', async () => {
  const inTurn = makeRunInTurn()
  const failed = inTurn('a', async () => {
    throw new Error('no')
  })
  const next = inTurn('a', async () => {})
  await expect(failed).rejects.toThrow('no')
  await expect(next).resolves.toBeUndefined()
})
