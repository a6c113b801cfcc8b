import { expect, it } from 'vitest'
import { makeSlackClient } from '../../src/slack/delivery/client.ts'
import { startTeamsSlack, tokenOf } from './start-teams-slack.ts'

const acme = { id: 'T0ACME', name: 'acme', channel: 'C0ACME1', people: [] }

const message = { channel: acme.channel, text: 'hello' }

it('retries a call only with a refreshed token', async () => {
  await using slack = await startTeamsSlack([acme])
  const refused: (string | undefined)[] = []
  const clientWith = (first: string, next: string) =>
    makeSlackClient({
      ...{ apiUrl: slack.apiUrl, retries: 0 },
      token: async given => {
        refused.push(given)
        return given === undefined ? first : next
      },
    })
  await clientWith('xoxb-old', tokenOf(acme.id)).chat.postMessage(message)
  expect(refused).toEqual([undefined, 'xoxb-old'])
  expect(slack.calls).toHaveLength(1)

  refused.length = 0
  await expect(clientWith('xoxb-old', 'xoxb-old').chat.postMessage(message)).rejects.toThrow('invalid_auth')
  const elsewhere = { ...message, channel: 'C0BETA1' }
  await expect(clientWith(tokenOf(acme.id), 'xoxb-no').chat.postMessage(elsewhere)).rejects.toThrow(
    'channel_not_found',
  )
  expect(refused).toEqual([undefined, 'xoxb-old', undefined])
})
