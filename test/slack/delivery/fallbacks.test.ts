import { type WebAPICallResult, WebAPIPlatformError } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import type { SlackMessage } from '../../../src/slack/block-kit/blocks.ts'
import { sendWithFallbacks } from '../../../src/slack/delivery/fallbacks.ts'
import { makeRefusedBlocks } from '../../../src/slack/delivery/refused-blocks.ts'
import { answerView } from '../../../src/slack/views/answer.ts'
import { answerOf } from '../listeners/answer-of.ts'

const answer = answerView(answerOf())

const refusal = (error: string): WebAPIPlatformError =>
  new WebAPIPlatformError({ ok: false, error } as WebAPICallResult & { error: string })

const DAY = 24 * 60 * 60 * 1_000

/** A workspace that does not take some kinds of blocks. */
const setUp = (refuses: readonly string[], code = 'invalid_blocks') => {
  let time = 0
  let left = 0
  const tried: string[] = []
  const refused = makeRefusedBlocks(() => new Date(time))
  const kindOf = ({ blocks }: SlackMessage): string => {
    const types = blocks.map(({ type }) => type)
    return types.find(type => ['data_table', 'table'].includes(type)) ?? (types.join(' ') || 'text')
  }
  const onPlainer = (): void => {
    left += 1
  }
  const wait = (ms: number): void => {
    time += ms
  }
  const send = (message = answer): Promise<string> =>
    sendWithFallbacks(
      message,
      async form => {
        tried.push(kindOf(form))
        if (refuses.some(type => form.blocks.some(block => block.type === type))) throw refusal(code)
        return kindOf(form)
      },
      silentLog,
      { refused, onPlainer },
    )
  const takeTried = (): readonly string[] => tried.splice(0)
  return { send, takeTried, left: () => left, wait }
}

const monospace = 'section context section context actions context_actions'

describe('an answer that Slack refuses', () => {
  it('is sent as it is to a workspace that takes it', async () => {
    const { send, left } = setUp([])
    expect(await send()).toBe('data_table')
    expect(left()).toBe(0)
  })

  it('is sent with the older table, and the next ones at once', async () => {
    const { send, takeTried, left } = setUp(['data_table'])
    expect(await send()).toBe('table')
    expect(takeTried()).toEqual(['data_table', 'table'])
    await send()
    expect(takeTried()).toEqual(['table'])
    // Nothing is missing from it.
    expect(left()).toBe(0)
  })

  it('is sent in monospace if no table is taken', async () => {
    const { send, takeTried, left } = setUp(['data_table', 'table'])
    expect(await send()).toBe(monospace)
    expect(takeTried()).toEqual(['data_table', 'table', monospace])
    await send()
    expect(takeTried()).toEqual([monospace])
    expect(left()).toBe(2)
  })

  it('is tried in its best form again after a day', async () => {
    const { send, takeTried, wait } = setUp(['data_table'])
    await send()
    wait(DAY)
    takeTried()
    await send()
    expect(takeTried()).toEqual(['data_table', 'table'])
  })

  it.each(['msg_too_long', 'msg_blocks_too_long'])('says nothing about the next one after %s', async code => {
    const { send, takeTried } = setUp(['data_table'], code)
    expect(await send()).toBe('table')
    takeTried()
    await send()
    expect(takeTried()).toEqual(['data_table', 'table'])
  })

  it('says nothing about tables if something else is refused', async () => {
    const { send, takeTried } = setUp(['context'])
    expect(await send()).toBe('section actions')
    takeTried()
    await send()
    expect(takeTried()[0]).toBe('data_table')
  })

  it('is never dropped, not even if Slack takes no block', async () => {
    const { send } = setUp(['section'])
    expect(await send()).toBe('text')
  })

  it('says so if a row does not fit into the older table', async () => {
    const rows = Array.from({ length: 100 }, (_, i) => [`c${i}`, i])
    const table = { ...answerOf().table, rows }
    const { send, left } = setUp(['data_table'])
    let sent: SlackMessage | null = null
    const message = answerView(answerOf({ table }))
    await sendWithFallbacks(
      message,
      async form => {
        if (form.blocks.some(({ type }) => type === 'data_table')) throw refusal('invalid_blocks')
        sent = form
      },
      silentLog,
    )
    expect(JSON.stringify(sent)).toContain('1 more row is in the CSV.')
    expect(await send(message)).toBe('table')
    expect(left()).toBe(1)
  })
})
