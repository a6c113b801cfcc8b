import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { App, LogLevel, type Receiver, type ReceiverEvent } from '@slack/bolt'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { answerVisibly, makeSlackClient, visibleFetch } from '../../../src/slack/delivery/client.ts'
import { invisibleCharacters, invisibleIn } from '../../helpers/invisible-characters.ts'

const hidden = invisibleCharacters.join('')

const said = `car${hidden}go`

/** A block that is shown in every field that Slack shows, and comes back in the others. */
const blocks = [
  { type: 'section', text: { type: 'mrkdwn', text: said }, fields: [{ type: 'plain_text', text: said }] },
  {
    type: 'data_table',
    caption: said,
    rows: [[{ type: 'raw_text', text: said }], [{ type: 'raw_text', text: hidden }]],
  },
  {
    type: 'actions',
    elements: [{ type: 'button', action_id: 'a', text: { type: 'plain_text', text: said }, value: said }],
  },
  {
    type: 'input',
    block_id: 'b',
    label: { type: 'plain_text', text: said },
    element: { type: 'plain_text_input', action_id: 'sql', initial_value: said },
  },
]

/** The same as Slack should get it. */
const visible = JSON.parse(
  JSON.stringify(blocks, (name, value) => {
    if (typeof value !== 'string' || ['value', 'initial_value'].includes(name)) return value
    return value === hidden ? '–' : value.replaceAll(hidden, '')
  }),
)

let bodies: string[] = []

const server = createServer(async (request, response) => {
  bodies.push((await request.toArray()).map(String).join(''))
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')
})

let url = ''

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())
beforeEach(() => {
  bodies = []
})

const fieldsOf = (body = ''): Record<string, string> => Object.fromEntries(new URLSearchParams(body))

it('sends messages and views without invisible characters, but for what comes back', async () => {
  for (const token of ['xoxb-1', async () => 'xoxb-1']) {
    const client = makeSlackClient({ token, apiUrl: `${url}/api/` })
    await client.chat.postMessage({ channel: 'C1', text: said, blocks: blocks as never })
    const view = { type: 'modal', title: { type: 'plain_text', text: said }, private_metadata: said, blocks }
    await client.views.open({ trigger_id: '1.1', view: view as never })
    const [message, opened] = bodies.slice(-2).map(fieldsOf)
    expect([message?.channel, message?.text, JSON.parse(message?.blocks ?? '')]).toEqual([
      'C1',
      'cargo',
      visible,
    ])
    expect(JSON.parse(opened?.view ?? '')).toEqual({
      type: 'modal',
      title: { type: 'plain_text', text: 'cargo' },
      private_metadata: said,
      blocks: visible,
    })
  }
})

it('has no invisible character in any other argument of a call either', async () => {
  const client = makeSlackClient({ token: 'xoxb-1', apiUrl: `${url}/api/` })
  await client.assistant.threads.setTitle({ channel_id: 'D1', thread_ts: '1.1', title: said })
  await client.assistant.threads.setSuggestedPrompts({
    channel_id: 'D1',
    prompts: [{ title: said, message: said }],
  })
  await client.assistant.threads.setStatus({
    channel_id: 'C1',
    thread_ts: '1.1',
    status: said,
    loading_messages: [said],
  })
  await client.apiCall('chat.appendStream', {
    channel: 'C1',
    ts: '1.1',
    chunks: [{ type: 'markdown_text', text: said }],
  })
  const sent = bodies.map(body => JSON.stringify(fieldsOf(body)))
  for (const body of sent) expect(body).toContain('cargo')
  expect(invisibleIn(sent.join(''))).toEqual([])
})

it('answers a form and a response_url without them', async () => {
  const inner: { app: App | null } & Receiver = {
    app: null,
    init: app => {
      inner.app = app
    },
    start: async () => {},
    stop: async () => {},
  }
  const app = new App({
    receiver: answerVisibly(inner),
    logLevel: LogLevel.ERROR,
    clientOptions: { fetch: visibleFetch },
    authorize: async () => ({ botId: 'B1', botUserId: 'U0', botToken: 'xoxb-none' }),
  })
  app.view('form', async ({ ack }) => {
    await ack({ response_action: 'update', view: { type: 'modal', callback_id: 'f', blocks } as never })
  })
  app.action('a', async ({ ack, respond }) => {
    await ack()
    await respond({ text: said, blocks: blocks as never })
  })
  const answers: unknown[] = []
  const deliver = (body: object) =>
    inner.app?.processEvent({
      body,
      ack: async (answer: unknown) => void answers.push(answer),
    } as ReceiverEvent)
  const common = { team: { id: 'T1' }, user: { id: 'U1', team_id: 'T1' } }
  await deliver({ type: 'view_submission', ...common, view: { type: 'modal', callback_id: 'form' } })
  await deliver({
    ...{ type: 'block_actions', ...common, response_url: `${url}/actions/1` },
    actions: [{ type: 'button', action_id: 'a', block_id: 'b', value: '1' }],
  })
  expect(answers).toEqual([
    { response_action: 'update', view: { type: 'modal', callback_id: 'f', blocks: visible } },
    undefined,
  ])
  expect(bodies.map(body => JSON.parse(body))).toEqual([{ text: 'cargo', blocks: visible }])
})
