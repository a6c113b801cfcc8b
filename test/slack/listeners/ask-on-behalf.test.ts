import type { WebClient } from '@slack/web-api'
import { expect, it } from 'vitest'
import type { AskQuestion } from '../../../src/domain/message.ts'
import { queues } from '../../../src/jobs/queues.ts'
import { makeAskPendingQuestion } from '../../../src/slack/listeners/ask-on-behalf.ts'

it('a promised question takes the digest that is wanted of it along, as its job carries it', async () => {
  const asked: Parameters<AskQuestion>[0][] = []
  const client = { chat: { postMessage: async () => ({ ts: '1794816000.000100' }) } } as unknown as WebClient
  const keep = makeAskPendingQuestion(
    {
      pendingQuestions: {
        add: () => Promise.reject(new Error('nothing is promised')),
        isOpen: async () => true,
        close: () => Promise.reject(new Error('nothing is refused')),
      },
      findAskRefusal: async () => null,
      ask: async given => {
        asked.push(given)
        return { status: 'asked', questionId: 'q1' }
      },
    },
    client,
  )
  const promised = { key: 'command 1', person: 'U1', team: 'T1', channel: 'C1', text: 'how many?' }
  const digest = { schedule: 'daily', timeZone: null, target: { kind: 'person', person: 'U1' } } as const
  for (const job of [{ ...promised, digest }, promised])
    await keep(queues['ask-for-person'].data.parse(JSON.parse(JSON.stringify(job))))
  expect(asked).toMatchObject([{ key: 'command 1', askedBy: 'U1', digest }, { text: 'how many?' }])
  expect(asked[1]).not.toHaveProperty('digest')
})
