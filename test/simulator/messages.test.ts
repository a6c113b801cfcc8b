import { LogLevel, WebClient } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import type { Simulator } from '../../simulator/simulator.ts'
import { startTestSimulator } from './start-test-simulator.ts'

const clientOf = (simulator: Simulator, token = simulator.botToken): WebClient =>
  new WebClient(token, {
    slackApiUrl: simulator.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
  })

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } }) as const

const refusal = (error: string) =>
  expect.objectContaining({ data: expect.objectContaining({ ok: false, error }) })

describe('messages of the bot', () => {
  it('are stored, threaded, changed and remembered as they were', async () => {
    await using simulator = await startTestSimulator()
    const client = clientOf(simulator)
    const { channel, ts } = await simulator.post({ by: 'ada', in: '#sales', text: 'a question' })
    const reply = await client.chat.postMessage({
      channel,
      thread_ts: ts,
      text: 'working',
      metadata: { event_type: 'answer', event_payload: { id: 'q1' } },
    })
    await client.chat.update({ channel, ts: String(reply.ts), text: 'done', blocks: [section('*done*')] })

    const [, answer] = simulator.thread(channel, ts)
    expect(answer).toMatchObject({ author: simulator.bot.id, byBot: true, text: 'done', edited: true })
    expect(answer?.history.map(({ by, text }) => [by, text])).toEqual([
      ['post', 'working'],
      ['update', 'done'],
    ])
    const plain = await client.conversations.replies({ channel, ts })
    expect(plain.messages?.map(({ text }) => text)).toEqual(['a question', 'done'])
    expect(plain.messages?.[1]?.metadata).toBeUndefined()
    const full = await client.conversations.replies({ channel, ts, include_all_metadata: true })
    expect(full.messages?.[1]).toMatchObject({
      bot_id: simulator.bot.botId,
      metadata: { event_payload: { id: 'q1' } },
    })
    expect(simulator.problems()).toEqual([])
  })

  it('are refused with the code that Slack has for it, and put on record', async () => {
    await using simulator = await startTestSimulator()
    const client = clientOf(simulator)
    const channel = simulator.channels[0]?.id ?? ''
    const post = (message: Record<string, unknown>) =>
      client.chat.postMessage({ channel, ...message } as Parameters<typeof client.chat.postMessage>[0])
    await expect(post({ text: '' })).rejects.toEqual(refusal('no_text'))
    await expect(post({ text: 'x'.repeat(40_001) })).rejects.toEqual(refusal('msg_too_long'))
    await expect(post({ text: 'x', blocks: [section('y'.repeat(3_001))] })).rejects.toEqual(
      refusal('invalid_blocks'),
    )
    await expect(post({ text: 'x', blocks: Array.from({ length: 51 }, () => section('y')) })).rejects.toEqual(
      refusal('invalid_blocks'),
    )
    await expect(
      post({ text: 'x', blocks: Array.from({ length: 5 }, () => section('y'.repeat(2_900))) }),
    ).rejects.toEqual(refusal('msg_blocks_too_long'))
    await expect(
      post({ text: 'x', blocks: [{ type: 'image', alt_text: 'x', slack_file: { id: 'F0' } }] }),
    ).rejects.toEqual(refusal('invalid_blocks'))
    expect(simulator.problems().map(({ method, error }) => [method, error])).toEqual(
      [
        'no_text',
        'msg_too_long',
        'invalid_blocks',
        'invalid_blocks',
        'msg_blocks_too_long',
        'invalid_blocks',
      ].map(error => ['chat.postMessage', error]),
    )
    expect(simulator.messages()).toEqual([])
  })

  it('are taken without a fallback text, but not silently', async () => {
    await using simulator = await startTestSimulator()
    const channel = simulator.channels[0]?.id ?? ''
    await clientOf(simulator).chat.postMessage({ channel, text: '', blocks: [section('only blocks')] })
    expect(simulator.messages()).toHaveLength(1)
    expect(simulator.problems()).toEqual([expect.objectContaining({ error: null })])
  })

  it('need the right token and the scopes of the manifest', async () => {
    await using simulator = await startTestSimulator()
    const channel = simulator.channels[0]?.id ?? ''
    const stranger = clientOf(simulator, 'xoxb-of-somebody-else')
    await expect(stranger.chat.postMessage({ channel, text: 'hi' })).rejects.toEqual(refusal('invalid_auth'))
    await expect(
      clientOf(simulator).reactions.add({ channel, name: 'eyes', timestamp: '1.0' }),
    ).rejects.toEqual(refusal('missing_scope'))
    await expect(clientOf(simulator).apiCall('apps.connections.open')).rejects.toEqual(
      refusal('not_supported'),
    )
    await expect(clientOf(simulator).apiCall('no.such.method')).rejects.toEqual(refusal('unknown_method'))
  })

  it('to one person alone are told to nobody else', async () => {
    await using simulator = await startTestSimulator()
    const [ada] = simulator.people
    const channel = simulator.channels[0]?.id ?? ''
    await clientOf(simulator).chat.postEphemeral({ channel, user: ada?.id ?? '', text: 'only you' })
    await simulator.settled()
    expect(simulator.messages()).toEqual([expect.objectContaining({ onlyFor: ada?.id, text: 'only you' })])
    expect(simulator.deliveries()).toEqual([])
    const seenBy = async (id: string | undefined) => {
      const response = await fetch(`${simulator.url}/_simulator/snapshot?me=${id}`)
      return ((await response.json()) as { messages: unknown[] }).messages.length
    }
    expect(await seenBy(ada?.id)).toBe(1)
    expect(await seenBy(simulator.people[1]?.id)).toBe(0)
  })

  it('in a thread end its status, which also ends by itself', async () => {
    await using simulator = await startTestSimulator({ timing: { statusLasts: 500 } })
    const client = clientOf(simulator)
    const { channel, ts } = await simulator.post({ by: 'ada', in: '#sales', text: 'a question' })
    const statuses = async () => {
      const response = await fetch(`${simulator.url}/_simulator/snapshot`)
      return ((await response.json()) as { statuses: { text: string }[] }).statuses.map(({ text }) => text)
    }
    const set = () =>
      client.assistant.threads.setStatus({ channel_id: channel, thread_ts: ts, status: 'is thinking' })
    await set()
    expect(await statuses()).toEqual(['is thinking'])
    await client.chat.postMessage({ channel, thread_ts: ts, text: 'done' })
    expect(await statuses()).toEqual([])
    await set()
    expect(await statuses()).toEqual(['is thinking'])
    await expect.poll(statuses, { timeout: 3_000 }).toEqual([])
  })

  it('may be about files, which appear when they are processed', async () => {
    await using simulator = await startTestSimulator({ timing: { fileProcessing: 600 } })
    const client = clientOf(simulator)
    const { channel, ts } = await simulator.post({ by: 'ada', in: '#sales', text: 'as a file, please' })
    await client.filesUploadV2({
      channel_id: channel,
      thread_ts: ts,
      filename: 'orders.csv',
      content: 'id,total\n1,20\n',
      initial_comment: '1 row.',
    })
    const texts = async () =>
      (await client.conversations.replies({ channel, ts })).messages?.map(({ text }) => text)
    expect(await texts()).toEqual(['as a file, please'])
    const shared = await simulator.until(() => simulator.thread(channel, ts)[1])
    expect(shared).toMatchObject({ text: '1 row.', files: [{ name: 'orders.csv', size: 14 }] })
    expect(await texts()).toEqual(['as a file, please', '1 row.'])
    const download = await fetch(`${simulator.url}/files/${shared.files[0]?.id}`)
    expect(download.headers.get('content-disposition')).toContain('attachment')
    expect(await download.text()).toBe('id,total\n1,20\n')
  })
})

describe('direct messages with the bot', () => {
  it('take suggested questions and titles of threads', async () => {
    await using simulator = await startTestSimulator()
    const client = clientOf(simulator)
    const { channel, ts } = await simulator.post({ by: 'ada', text: 'a question' })
    const snapshot = async () =>
      (await (await fetch(`${simulator.url}/_simulator/snapshot?me=ada`)).json()) as {
        readonly prompts: unknown
        readonly titles: unknown
      }
    const prompts = [{ title: 'One?', message: 'one?' }]
    const { setSuggestedPrompts, setTitle } = client.assistant.threads
    await setSuggestedPrompts({ channel_id: channel, title: 'Try', prompts })
    // It fails silently, as for every agent.
    await setSuggestedPrompts({ channel_id: channel, thread_ts: ts, prompts: [{ title: 'x', message: 'x' }] })
    await setTitle({ channel_id: channel, thread_ts: ts, title: 'A question' })
    expect(await snapshot()).toMatchObject({
      prompts: [{ channel, title: 'Try', prompts }],
      titles: [{ channel, threadTs: ts, title: 'A question' }],
    })
    await expect(setTitle({ channel_id: channel, thread_ts: '1.1', title: 'x' })).rejects.toEqual(
      refusal('invalid_thread_ts'),
    )
    const five = Array.from({ length: 5 }, () => ({ title: 'x', message: 'x' }))
    await expect(setSuggestedPrompts({ channel_id: channel, prompts: five })).rejects.toEqual(
      refusal('invalid_arguments'),
    )
  })
})

describe('streaming messages', () => {
  it('grow by text and tasks until they are stopped', async () => {
    await using simulator = await startTestSimulator()
    const client = clientOf(simulator)
    const [ada] = simulator.people
    const { channel, ts } = await simulator.post({ by: 'ada', in: '#sales', text: 'a question' })
    await expect(client.chat.startStream({ channel, thread_ts: ts, markdown_text: 'x' })).rejects.toEqual(
      refusal('missing_recipient_team_id'),
    )
    const stream = client.chatStream({
      channel,
      thread_ts: ts,
      recipient_team_id: simulator.team.id,
      recipient_user_id: ada?.id ?? '',
      task_display_mode: 'plan',
      buffer_size: 1,
    })
    const task = { type: 'task_update', id: 't1', title: 'Write a query' } as const
    await stream.append({ chunks: [{ ...task, status: 'in_progress' }] })
    await stream.append({ chunks: [{ ...task, status: 'complete' }], markdown_text: 'There are **20**.' })
    await stream.stop({ blocks: [section('20 orders')] })
    expect(simulator.thread(channel, ts)[1]).toMatchObject({
      text: 'There are **20**.',
      stream: { state: 'stopped', tasks: [{ id: 't1', status: 'complete' }] },
      blocks: [{ type: 'section' }],
    })
    const stored = await client.conversations.replies({ channel, ts })
    expect(stored.messages?.[1]?.text).toBe('There are **20**.')
  })

  it('expire, and are then to be changed like any other message', async () => {
    await using simulator = await startTestSimulator({ timing: { streamLasts: 40 } })
    const client = clientOf(simulator)
    const [ada] = simulator.people
    const { channel, ts } = await simulator.post({ by: 'ada', text: 'a question' })
    const started = await client.chat.startStream({
      channel,
      thread_ts: ts,
      recipient_team_id: simulator.team.id,
      recipient_user_id: ada?.id ?? '',
      markdown_text: 'so far',
    })
    const stream = String(started.ts)
    await simulator.until(() => simulator.thread(channel, ts)[1]?.stream?.state === 'expired')
    const gone = refusal('message_not_in_streaming_state')
    await expect(client.chat.appendStream({ channel, ts: stream, markdown_text: 'more' })).rejects.toEqual(
      gone,
    )
    await expect(client.chat.stopStream({ channel, ts: stream })).rejects.toEqual(gone)
    await client.chat.update({ channel, ts: stream, text: 'so far and more' })
    expect(simulator.thread(channel, ts)[1]).toMatchObject({ text: 'so far and more', stream: null })
  })
})

describe('faults', () => {
  it('are played for as many calls as were asked for', async () => {
    await using simulator = await startTestSimulator({
      faults: [{ method: 'chat.postMessage', times: 1, kind: 'rate-limited', retryAfterSeconds: 7 }],
    })
    const client = clientOf(simulator)
    const channel = simulator.channels[0]?.id ?? ''
    const post = (text: string) => client.chat.postMessage({ channel, text })
    await expect(post('limited')).rejects.toMatchObject({ retryAfter: 7 })
    await post('free')
    simulator.setFaults([
      { method: 'chat.postMessage', times: 1, kind: 'server-error' },
      { method: '*', times: 1, kind: 'error', error: 'fatal_error' },
      { method: 'chat.postMessage', times: 1, kind: 'hang', ms: 20 },
      { method: 'chat.postMessage', times: 1, kind: 'drop-response' },
    ])
    await expect(post('broken')).rejects.toMatchObject({ statusCode: 500 })
    await expect(post('refused')).rejects.toEqual(refusal('fatal_error'))
    await expect(post('hanging')).rejects.toThrow()
    await expect(post('done, but not told')).rejects.toThrow()
    await post('free again')
    expect(simulator.messages().map(({ text }) => text)).toEqual(['free', 'done, but not told', 'free again'])
    expect(simulator.calls().map(({ fault }) => fault)).toEqual([
      'rate-limited',
      null,
      'server-error',
      'error',
      'hang',
      'drop-response',
      null,
    ])
  })
})
