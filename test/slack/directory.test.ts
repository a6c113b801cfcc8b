import { describe, expect, it } from 'vitest'
import { makeListConversations } from '../../simulator/gateway/methods/list-conversations.ts'
import { cacheFacts } from '../../src/access/cache-facts.ts'
import { makeSlackDirectory } from '../../src/slack/directory.ts'

const page = (ids: readonly string[], next: string) => ({
  ok: true,
  channels: ids.map(id => ({ id, name: id.toLowerCase() })),
  response_metadata: { next_cursor: next },
})

/** A workspace in which everybody is in as many channels as `pages` say, and a count of what was asked. */
const factsOver = (pages: Readonly<Record<string, ReturnType<typeof page>>>) => {
  const asked: unknown[] = []
  const conversations = async (given: { readonly cursor?: string }) => {
    asked.push(given)
    const found = pages[given.cursor ?? '']
    if (!found) throw new Error(`the page ${given.cursor} is not expected`)
    return found
  }
  const client = { users: { conversations } } as never
  return { facts: makeSlackDirectory({ quick: client, patient: client }), asked }
}

describe('whether somebody is in a channel', () => {
  it('is looked for on every page of their channels, until it is found', async () => {
    const { facts, asked } = factsOver({
      '': page(['C1'], 'two'),
      two: page(['C2'], 'three'),
      three: page([], ''),
    })
    expect(await facts.isIn('U1', 'C2', 'patient')).toBe(true)
    expect(asked).toMatchObject([{ user: 'U1', types: 'public_channel,private_channel' }, { cursor: 'two' }])
    expect(await facts.isIn('U1', 'C3', 'patient')).toBe(false)
  })

  it('is asked again of somebody who was not, and not of somebody who was', async () => {
    const pages = { '': page(['C1'], '') }
    const { facts, asked } = factsOver(pages)
    const remembered = cacheFacts(facts, () => 0)
    expect(await remembered.isIn('U1', 'C2', 'quick')).toBe(false)
    pages[''] = page(['C1', 'C2'], '')
    expect(await remembered.isIn('U1', 'C2', 'quick')).toBe(true)
    expect(await remembered.isIn('U1', 'C2', 'patient')).toBe(true)
    expect(asked.length).toBe(2)
    expect(await remembered.isIn('U2', 'C3', 'quick')).toBe(false)
  })

  it('is told by the simulator of who is named', async () => {
    const person = (id: string) => ({ id, name: id, handle: id })
    const channel = (id: string) => ({ id, name: id, kind: 'channel', person: null }) as const
    const list = makeListConversations({
      people: [person('U1'), person('U2')],
      bot: { ...person('UBOT'), botId: 'B1', appId: 'A1', token: 't' },
      channels: [
        channel('C1'),
        { ...channel('C2'), members: ['U2'] },
        { id: 'D1', name: 'U1', kind: 'direct', person: 'U1' },
      ],
    })
    const of = async (params: Readonly<Record<string, string>>) => {
      const { ok, error, channels } = await list(params)
      return ok ? (channels as { id: string }[]).map(({ id }) => id) : error
    }
    expect(await of({ user: 'U1', types: 'public_channel,private_channel' })).toEqual(['C1'])
    expect(await of({ user: 'U2' })).toEqual(['C1', 'C2'])
    expect(await of({ types: 'public_channel,im' })).toEqual(['C1', 'C2', 'D1'])
    expect(await of({ user: 'U2', types: 'im' })).toEqual([])
    expect(await of({ user: 'U9' })).toBe('user_not_found')
  })
})
