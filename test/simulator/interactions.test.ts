import type { BlockAction, ButtonAction, ViewClosedAction } from '@slack/bolt'
import { describe, expect, it } from 'vitest'
import { startTestSimulator } from './start-test-simulator.ts'
import { startTinyBot } from './start-tiny-bot.ts'

const plain = (text: string) => ({ type: 'plain_text', text }) as const

const options = ['red', 'green'].map(value => ({ text: plain(value.toUpperCase()), value }))

const question = [
  {
    type: 'actions',
    elements: [
      { type: 'button', action_id: 'go', text: plain('Go'), value: 'q1', style: 'primary' },
      { type: 'overflow', action_id: 'more', options },
      { type: 'static_select', action_id: 'colour', options },
    ],
  },
  {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'vote',
        positive_button: { text: plain('Right'), value: 'up:q1', accessibility_label: 'It is right' },
        negative_button: { text: plain('Wrong'), value: 'down:q1' },
      },
    ],
  },
]

const modal = (title: string) => ({
  type: 'modal' as const,
  callback_id: 'form',
  title: plain(title),
  submit: plain('Send'),
  private_metadata: 'q1',
  notify_on_close: true,
  blocks: [
    {
      type: 'input' as const,
      block_id: 'reply',
      label: plain('Reply'),
      element: { type: 'plain_text_input' as const, action_id: 'words', max_length: 10 },
    },
  ],
})

describe('clicks', () => {
  it('reach the bot as Slack describes them, and change the message', async () => {
    await using simulator = await startTestSimulator()
    const bodies: BlockAction[] = []
    await using _bot = await startTinyBot(simulator, app => {
      app.event('app_mention', async ({ event, client }) => {
        await client.chat.postMessage({
          channel: event.channel,
          thread_ts: event.ts,
          text: 'Which?',
          blocks: question as never,
        })
      })
      app.action<BlockAction<ButtonAction>>('go', async ({ ack, body, client, action }) => {
        bodies.push(body)
        await ack()
        await client.chat.update({
          channel: body.channel?.id ?? '',
          ts: String(body.container.message_ts),
          text: `went with ${action.value}`,
        })
      })
    })
    const { channel, ts } = await simulator.post({ by: 'ada', in: '#sales', text: '@querent hm' })
    const asked = await simulator.until(() => simulator.thread(channel, ts)[1])
    const result = await simulator.click({ by: 'jonas', on: asked, label: 'Go' })
    expect(result).toMatchObject({ outcome: 'acknowledged', status: 200 })
    expect(bodies).toEqual([
      expect.objectContaining({
        type: 'block_actions',
        team: { id: simulator.team.id, domain: simulator.team.domain },
        user: expect.objectContaining({ username: 'jonas', team_id: simulator.team.id }),
        channel: { id: channel, name: 'sales' },
        container: {
          type: 'message',
          message_ts: asked.ts,
          thread_ts: ts,
          channel_id: channel,
          is_ephemeral: false,
        },
        message: expect.objectContaining({ ts: asked.ts, bot_id: simulator.bot.botId }),
        actions: [
          expect.objectContaining({
            type: 'button',
            action_id: 'go',
            value: 'q1',
            block_id: asked.blocks[0]?.block_id,
          }),
        ],
      }),
    ])
    expect(simulator.thread(channel, ts)[1]).toMatchObject({ text: 'went with q1', blocks: [] })
  })

  it('carry what was chosen of menus and feedback', async () => {
    await using simulator = await startTestSimulator()
    const actions: unknown[] = []
    const states: unknown[] = []
    await using bot = await startTinyBot(simulator, app => {
      app.action(/.*/, async ({ ack, action, body }) => {
        actions.push(action)
        states.push((body as BlockAction).state?.values)
        await ack()
      })
    })
    const channel = simulator.channels[0]?.id ?? ''
    const posted = await bot.app.client.chat.postMessage({ channel, text: 'x', blocks: question as never })
    const on = { channel, ts: String(posted.ts) }
    await simulator.click({ by: 'ada', on, label: 'It is right' })
    await simulator.click({ by: 'ada', on, actionId: 'vote', choice: 'negative' })
    await simulator.click({ by: 'ada', on, actionId: 'more', choice: 'green' })
    await simulator.click({ by: 'ada', on, actionId: 'colour', choice: 'red' })
    expect(actions).toEqual([
      expect.objectContaining({ type: 'feedback_buttons', action_id: 'vote', value: 'up:q1' }),
      expect.objectContaining({ value: 'down:q1', text: plain('Wrong') }),
      expect.objectContaining({ type: 'overflow', selected_option: options[1] }),
      expect.objectContaining({ type: 'static_select', selected_option: options[0] }),
    ])
    const [{ block_id = '' } = {}] = simulator.messages()[0]?.blocks ?? []
    expect(states.at(-1)).toEqual({
      [block_id]: { colour: { type: 'static_select', selected_option: options[0] } },
    })
    await expect(simulator.click({ by: 'ada', on, label: 'No such button' })).rejects.toThrow()
    await expect(simulator.click({ by: 'ada', on, actionId: 'more', choice: 'blue' })).rejects.toThrow()
  })

  it('that nobody hears are told apart from those that are acknowledged', async () => {
    await using simulator = await startTestSimulator()
    await using bot = await startTinyBot(simulator, () => {}, { unheardAfterMs: 50 })
    const channel = simulator.channels[0]?.id ?? ''
    const posted = await bot.app.client.chat.postMessage({ channel, text: 'x', blocks: question as never })
    const result = await simulator.click({ by: 'ada', on: { channel, ts: String(posted.ts) }, label: 'Go' })
    expect(result).toMatchObject({ outcome: 'refused', status: 404 })
  })

  it('can be answered through their response_url, a few times and not for ever', async () => {
    await using simulator = await startTestSimulator({ timing: { responseUrlUses: 3 } })
    const urls: string[] = []
    await using bot = await startTinyBot(simulator, app => {
      app.action<BlockAction>('go', async ({ ack, body, respond }) => {
        urls.push(body.response_url)
        await ack()
        await respond({ text: 'only for you', replace_original: false })
        await respond({ text: 'changed', replace_original: true })
      })
    })
    const channel = simulator.channels[0]?.id ?? ''
    const posted = await bot.app.client.chat.postMessage({ channel, text: 'x', blocks: question as never })
    const on = { channel, ts: String(posted.ts) }
    await simulator.click({ by: 'mira', on, label: 'Go' })
    const mira = simulator.people.find(({ handle }) => handle === 'mira')
    expect(simulator.messages()).toEqual([
      expect.objectContaining({ text: 'changed', blocks: [], onlyFor: null }),
      expect.objectContaining({ text: 'only for you', onlyFor: mira?.id }),
    ])
    const answer = (body: unknown) => fetch(urls[0] ?? '', { method: 'POST', body: JSON.stringify(body) })
    expect((await answer({ delete_original: true })).status).toBe(200)
    expect(simulator.messages()[0]).toMatchObject({ deleted: true })
    expect((await answer({ text: 'too often' })).status).toBe(404)
  })
})

describe('modals', () => {
  it('open once for a trigger, show errors, and close when they are in order', async () => {
    await using simulator = await startTestSimulator()
    const secondTry: unknown[] = []
    const values: unknown[] = []
    const closed: unknown[] = []
    await using bot = await startTinyBot(simulator, app => {
      app.action<BlockAction>('go', async ({ ack, body, client }) => {
        await ack()
        const view = modal('A form')
        await client.views.open({ trigger_id: body.trigger_id, view })
        await client.views
          .open({ trigger_id: body.trigger_id, view })
          .catch(error => secondTry.push(error.data))
      })
      app.view('form', async ({ ack, view }) => {
        const said = view.state.values.reply?.words?.value
        values.push([view.private_metadata, said])
        await (said === 'no' ? ack({ response_action: 'errors', errors: { reply: 'Not that.' } }) : ack())
      })
      app.view({ type: 'view_closed', callback_id: 'form' }, async ({ ack, body }) => {
        closed.push((body as ViewClosedAction).is_cleared)
        await ack()
      })
    })
    const channel = simulator.channels[0]?.id ?? ''
    const posted = await bot.app.client.chat.postMessage({ channel, text: 'x', blocks: question as never })
    const on = { channel, ts: String(posted.ts) }
    await simulator.click({ by: 'ada', on, label: 'Go' })
    expect(secondTry).toEqual([expect.objectContaining({ error: 'exchanged_trigger_id' })])
    expect(simulator.modal('ada')?.view.title?.text).toBe('A form')
    expect(simulator.modal('mira')).toBeNull()

    expect(await simulator.submitModal('ada', {})).toEqual({
      outcome: 'errors',
      errors: { reply: 'Please complete this required field.' },
    })
    expect(await simulator.submitModal('ada', { reply: 'far too long' })).toMatchObject({ outcome: 'errors' })
    expect(values).toEqual([])
    expect(await simulator.submitModal('ada', { reply: 'no' })).toEqual({
      outcome: 'errors',
      errors: { reply: 'Not that.' },
    })
    expect(simulator.modal('ada')).not.toBeNull()
    expect(await simulator.submitModal('ada', { reply: 'yes' })).toEqual({ outcome: 'closed' })
    expect(simulator.modal('ada')).toBeNull()
    expect(values).toEqual([
      ['q1', 'no'],
      ['q1', 'yes'],
    ])

    await simulator.click({ by: 'ada', on, label: 'Go' })
    await simulator.closeModal('ada')
    expect(closed).toEqual([false])
    expect(simulator.modal('ada')).toBeNull()
  })

  it('follow an answer that updates, pushes or clears', async () => {
    await using simulator = await startTestSimulator()
    await using bot = await startTinyBot(simulator, app => {
      app.action<BlockAction>('go', async ({ ack, body, client }) => {
        await client.views.open({ trigger_id: body.trigger_id, view: modal('First') })
        await ack()
      })
      app.view('form', async ({ ack, view }) => {
        const said = view.state.values.reply?.words?.value
        if (said === 'update') await ack({ response_action: 'update', view: modal('Updated') })
        else if (said === 'push') await ack({ response_action: 'push', view: modal('Pushed') })
        else await ack({ response_action: 'clear' })
      })
      app.view({ type: 'view_closed', callback_id: 'form' }, async ({ ack }) => ack())
    })
    const channel = simulator.channels[0]?.id ?? ''
    const posted = await bot.app.client.chat.postMessage({ channel, text: 'x', blocks: question as never })
    await simulator.click({ by: 'ada', on: { channel, ts: String(posted.ts) }, label: 'Go' })
    const title = () => simulator.modal('ada')?.view.title?.text
    expect(await simulator.submitModal('ada', { reply: 'update' })).toEqual({ outcome: 'updated' })
    expect(title()).toBe('Updated')
    expect(await simulator.submitModal('ada', { reply: 'push' })).toEqual({ outcome: 'pushed' })
    expect(title()).toBe('Pushed')
    await simulator.closeModal('ada')
    expect(title()).toBe('Updated')
    expect(await simulator.submitModal('ada', { reply: 'clear' })).toEqual({ outcome: 'cleared' })
    expect(title()).toBeUndefined()
  })

  it('are refused when they break a rule or come too late', async () => {
    let passed = 0
    await using simulator = await startTestSimulator({
      timing: { triggerLasts: 3_000 },
      now: () => new Date(Date.now() + passed),
    })
    const errors: unknown[] = []
    await using bot = await startTinyBot(simulator, app => {
      app.action<BlockAction>('go', async ({ ack, body, client }) => {
        await ack()
        const open = (view: ReturnType<typeof modal>) =>
          client.views
            .open({ trigger_id: body.trigger_id, view })
            .catch(error => errors.push(error.data.error))
        await open(modal('A title of more than 24 characters'))
        passed += 4_000
        await open(modal('A form'))
      })
    })
    const channel = simulator.channels[0]?.id ?? ''
    const posted = await bot.app.client.chat.postMessage({ channel, text: 'x', blocks: question as never })
    await simulator.click({ by: 'ada', on: { channel, ts: String(posted.ts) }, label: 'Go' })
    await simulator.until(() => simulator.calls().filter(call => call.method === 'views.open').length === 2)
    expect(errors).toEqual(['invalid_arguments', 'expired_trigger_id'])
    expect(simulator.problems()).toEqual([
      expect.objectContaining({
        method: 'views.open',
        problems: [expect.stringContaining('view.title.text')],
      }),
    ])
  })
})

describe('commands', () => {
  it('are acknowledged with words for one person, or with a message for all', async () => {
    await using simulator = await startTestSimulator({ commands: ['/ask'] })
    await using _bot = await startTinyBot(simulator, app => {
      app.command('/ask', async ({ ack, command, respond }) => {
        await ack(`you asked ${command.text}`)
        await respond({ response_type: 'in_channel', text: 'somebody asked' })
      })
    })
    const result = await simulator.command('ada', '#random', '/ask how many?')
    expect(result.outcome).toBe('acknowledged')
    await simulator.until(() => simulator.messages().length === 2)
    const [ada] = simulator.people
    expect(simulator.messages().map(({ text, onlyFor }) => [text, onlyFor])).toEqual(
      expect.arrayContaining([
        ['you asked how many?', ada?.id],
        ['somebody asked', null],
      ]),
    )
    await expect(simulator.command('ada', '#random', '/unknown')).rejects.toThrow('not a valid command')
  })
})
