import { describe, expect, it } from 'vitest'
import { QuerentError } from '../../../src/domain/errors.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { checkMessage } from '../../../src/slack/block-kit/blocks.ts'
import { makeBackground } from '../../../src/slack/listeners/clicks-and-forms.ts'
import { makeReceiveOrReport } from '../../../src/slack/listeners/messages.ts'
import { unavailableView } from '../../../src/slack/views/replies.ts'

const place = { team: 'T', channel: 'C', thread: '1.0', message: '1.0' }

const away = new QuerentError('store-unavailable', 'it is away')

const listening = () => {
  const posted: unknown[] = []
  const background = makeBackground(silentLog)
  let now = 0
  const hearOrSay = makeReceiveOrReport(background, () => now)
  const client = { chat: { postMessage: async (message: unknown) => void posted.push(message) } }
  const hear = async (
    error: Error,
    { retryNum, thread = '1.0' }: { retryNum?: number; thread?: string } = {},
  ) => {
    const args = { client, context: retryNum === undefined ? {} : { retryNum } } as never
    const heard = hearOrSay(args, { ...place, thread }, () => Promise.reject(error))
    await expect(heard).rejects.toBe(error)
    await background.settled()
  }
  const wait = (ms: number): void => {
    now += ms
  }
  return { posted, hear, wait }
}

describe('what cannot be heard because the store is away', () => {
  it('is rejected, and said once in its thread', async () => {
    const { posted, hear } = listening()
    await hear(away)
    await hear(away)
    expect(posted).toEqual([
      { channel: 'C', thread_ts: '1.0', text: unavailableView.text, blocks: unavailableView.blocks },
    ])
    await hear(away, { thread: '2.0' })
    expect(posted).toHaveLength(2)
  })

  it('is said again in an outage much later', async () => {
    const { posted, hear, wait } = listening()
    await hear(away)
    wait(20 * 60_000)
    await hear(away)
    expect(posted).toHaveLength(2)
  })

  it('is left to the process that heard it first', async () => {
    const { posted, hear } = listening()
    await hear(away, { retryNum: 1 })
    expect(posted).toEqual([])
  })
})

it('what fails for another reason is rejected without a word', async () => {
  const { posted, hear } = listening()
  await hear(new Error('a mistake of ours'))
  expect(posted).toEqual([])
})

it('the word is one that Slack takes', () => {
  expect(checkMessage(unavailableView)).toEqual([])
  expect(unavailableView).toMatchInlineSnapshot(`
    {
      "blocks": [
        {
          "text": {
            "text": "My own database is down, so I can't take this question yet. I will answer here as soon as it is back. If nothing comes within ten minutes, please ask again.",
            "type": "mrkdwn",
            "verbatim": true,
          },
          "type": "section",
        },
      ],
      "text": "My own database is down, so I can't take this question yet. I will answer here as soon as it is back. If nothing comes within ten minutes, please ask again.",
    }
  `)
})
