import type { BlockAction } from '@slack/bolt'
import type { KnownBlock, View } from '@slack/types'
import type { Simulator } from '../../simulator/simulator.ts'
import { actionIds, callbackIds } from '../../src/slack/action-ids.ts'
import type { SlackMessage } from '../../src/slack/block-kit/blocks.ts'
import { type AnswerView, answerView } from '../../src/slack/views/answer.ts'
import { homeView } from '../../src/slack/views/home.ts'
import { clarificationView, somethingElseModal } from '../../src/slack/views/replies.ts'
import { sqlModal } from '../../src/slack/views/sql-modal.ts'
import { startTinyBot, type TinyBot } from './start-tiny-bot.ts'

/** A bot that knows nothing but shows everything: our own views with made-up contents. */
export const startShowingBot = (simulator: Simulator, votes: string[]): Promise<TinyBot> =>
  startTinyBot(simulator, app => {
    app.event('app_mention', async ({ event, client }) => {
      const thread = event.thread_ts ?? event.ts
      await client.assistant.threads.setStatus({
        channel_id: event.channel,
        thread_ts: thread,
        status: 'is working …',
      })
      if (event.text.includes('wait')) return
      const { text, blocks } = messageFor(event.text)
      await client.chat.postMessage({
        channel: event.channel,
        thread_ts: thread,
        text,
        blocks: blocks as KnownBlock[],
      })
    })
    app.action<BlockAction>(actionIds.showSql, async ({ ack, body, client }) => {
      await ack()
      const view = sqlModal({ sql: 'select count(*) from gardens', assumptions: ['all time'] })
      await client.views.open({ trigger_id: body.trigger_id, view: view as View })
    })
    app.action<BlockAction>(actionIds.exportCsv, async ({ ack, body, client }) => {
      await ack()
      const channel = body.channel?.id ?? ''
      const thread = String(body.container.thread_ts)
      await client.filesUploadV2({
        channel_id: channel,
        thread_ts: thread,
        filename: 'gardens.csv',
        content: 'town,gardens\nUlm,3\n',
      })
      await client.chat.postEphemeral({
        channel,
        user: body.user.id,
        thread_ts: thread,
        text: 'It is *above*.',
      })
    })
    app.action<BlockAction>(actionIds.vote, async ({ ack, action }) => {
      votes.push(String((action as unknown as { readonly value: unknown }).value))
      await ack()
    })
    app.action<BlockAction>(actionIds.answerMenu, async ({ ack, action }) => {
      const { selected_option } = action as unknown as {
        readonly selected_option: { readonly value: string }
      }
      votes.push(selected_option.value)
      await ack()
    })
    app.command('/gardens', async ({ ack }) => ack('Try: which town has the most?'))
    app.action<BlockAction>(actionIds.somethingElse, async ({ ack, body, client }) => {
      await ack()
      const view = somethingElseModal('q2', 'What do you mean?')
      await client.views.open({ trigger_id: body.trigger_id, view: view as View })
    })
    app.view(callbackIds.somethingElse, async ({ ack, view }) => {
      const said = view.state.values.reply?.words?.value ?? ''
      if (said === 'nothing') await ack({ response_action: 'errors', errors: { reply: 'Say something.' } })
      else await ack()
    })
    app.event('app_home_opened', async ({ event, client }) => {
      await client.views.publish({ user_id: event.user, view: home as View })
    })
  })

const messageFor = (said: string): SlackMessage => {
  if (said.includes('vague')) return question
  return said.includes('every') ? longAnswer : answer
}

const shown: AnswerView = {
  questionId: 'q1',
  headline: 'Ulm has the most gardens: 3.',
  table: {
    columns: [
      { name: 'town', kind: 'text' },
      { name: 'gardens', kind: 'integer' },
    ],
    rows: [
      ['Ulm', 3],
      ['Trier', 2],
      [null, 1],
    ],
    truncated: null,
    milliseconds: 1,
  },
  confidence: 0.9,
  assumptions: ['all time'],
  database: 'town hall',
  timeZone: 'UTC',
  answeredAt: new Date('2026-11-20T21:00:00Z'),
  periods: [],
  filters: [],
  votes: { up: 0, down: 0 },
  revision: null,
  approvedBy: null,
  chart: null,
  canChart: false,
  asksHumans: false,
  isSameForAll: true,
}

const answer = answerView(shown)

/** Towns 1 to 25 with as many gardens, the last first. */
const longAnswer = answerView({
  ...shown,
  headline: '25 towns have gardens.',
  table: { ...shown.table, rows: Array.from({ length: 25 }, (_, i) => [`Town ${25 - i}`, 25 - i]) },
})

const question: SlackMessage = clarificationView('q2', {
  question: 'Which gardens?',
  options: [
    { label: 'Public gardens', hint: 'open to all', candidateIds: ['c1'] },
    { label: 'All gardens', hint: '', candidateIds: ['c2'] },
  ],
  defaultOption: 1,
})

const home = homeView(
  {
    notAllowed: null,
    isPartial: false,
    databases: [
      {
        name: 'town hall',
        description: null,
        channels: ['sales'],
        direct: true,
        rights: [],
        known: {
          tables: [{ name: 'gardens', rows: 6 }],
          measuredAt: new Date('2026-11-20T09:30:00Z'),
        },
      },
    ],
    examples: ['Which town has the most gardens?'],
    recent: [],
    admin: null,
  },
  { workspaceUrl: null, digests: { digests: [], total: 0, offset: 0, all: false } },
)
