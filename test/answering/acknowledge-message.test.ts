import { expect, it } from 'vitest'
import { makeAcknowledgeMessage } from '../../src/answering/receive-message.ts'
import type { InboundMessageOutcome } from '../../src/domain/message.ts'

const message = {
  text: 'how many tents?',
  location: { team: 'T', channel: 'C', thread: '1.0', message: '1.0' },
  askedBy: 'U1',
  askedAt: new Date(0),
  addressed: true,
  toOthers: false,
}

it.each<[InboundMessageOutcome, number]>([
  ['question', 1],
  ['reply', 0],
  ['known', 0],
  ['comment', 0],
  ['not-ours', 0],
])('a message handled as %s is acknowledged %d times', async (heard, times) => {
  const places: unknown[] = []
  const hear = makeAcknowledgeMessage({
    receive: async () => heard,
    delivery: { acknowledge: location => void places.push(location) },
  })
  expect(await hear(message)).toBe(heard)
  expect(places).toEqual(Array.from({ length: times }, () => message.location))
})
