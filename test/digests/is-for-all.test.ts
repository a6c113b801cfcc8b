import { expect, it } from 'vitest'
import { makeIsForAll } from '../../src/digests/digest-deps.ts'

type Access = Parameters<typeof makeIsForAll>[0]
type Asked = Awaited<ReturnType<Access['mayAsk']>>

const refused: Asked = { status: 'refused', reason: 'They left.', nextStep: 'Ask an admin.' } as Asked
const digest = {
  team: 'T1',
  owner: 'U1',
  target: { kind: 'channel', channel: 'C1' },
  questions: [{ database: 'shop' }],
} as unknown as Parameters<ReturnType<typeof makeIsForAll>>[0]

const isForAll = (asked: Asked, open: boolean): Promise<boolean> =>
  makeIsForAll({
    mayAsk: async () => asked,
    reachableDatabases: async () => {
      throw new Error('nobody asks for these')
    },
    audience: async () => (open ? { kind: 'everyone' } : { kind: 'some', without: 1 }),
  } as Access)(digest)

it('takes out the digest of an owner who may not ask any more, unless its database is open to everyone', async () => {
  expect(await isForAll(refused, false)).toBe(false)
  expect(await isForAll(refused, true)).toBe(true)
})

it('decides nothing while it is unknown whether the owner may ask', async () => {
  const unknown = { status: 'unknown', reason: 'Slack is away.', nextStep: 'Try again.' } as unknown as Asked
  await expect(isForAll(unknown, true)).rejects.toThrow('Slack is away.')
})
