import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '@slack/bolt'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { actionIds, callbackIds } from '../../src/slack/action-ids.ts'
import { noticeModal } from '../../src/slack/block-kit/modal.ts'
import { registerListeners } from '../../src/slack/listeners/register.ts'
import type { SlackUseCases } from '../../src/slack/use-cases.ts'
import { answerView } from '../../src/slack/views/answer.ts'
import { digestToFields } from '../../src/slack/views/digests/form.ts'
import { digestMessage } from '../../src/slack/views/digests/message.ts'
import { editDigestModal, handOverModal, scheduleModal } from '../../src/slack/views/digests/modals.ts'
import { digestNotice, repairModal } from '../../src/slack/views/digests/notice.ts'
import { feedbackModal } from '../../src/slack/views/feedback-modal.ts'
import { homeView } from '../../src/slack/views/home.ts'
import { proposalModal } from '../../src/slack/views/home-admin.ts'
import { privateView } from '../../src/slack/views/private-answer.ts'
import { initialTimeline, progressView, stoppedView } from '../../src/slack/views/progress.ts'
import { clarificationView, helpView, somethingElseModal } from '../../src/slack/views/replies.ts'
import { rejectModal, reviewRequestView } from '../../src/slack/views/review.ts'
import { editSqlModal, sqlModal } from '../../src/slack/views/sql-modal.ts'
import { traceModal } from '../../src/slack/views/trace-modal.ts'
import { staleVerifiedView } from '../../src/slack/views/verified-query.ts'
import { answerOf } from './listeners/answer-of.ts'
import { answered, otherResult, request } from './listeners/answered.ts'
import { digestOf, digestQuestion, homeDigests, partOf, repair } from './listeners/digest-of.ts'
import { homeFacts } from './listeners/home-facts.ts'

/** What an app must be granted to hear each event (https://docs.slack.dev/reference/events). */
const scopesOfEvent: Readonly<Record<string, readonly string[]>> = {
  app_home_opened: [],
  app_mention: ['app_mentions:read'],
  app_uninstalled: [],
  member_joined_channel: ['channels:read', 'groups:read'],
  'message.channels': ['channels:history'],
  'message.groups': ['groups:history'],
  'message.im': ['im:history'],
  tokens_revoked: [],
}

/** The same for each method that the code calls (https://docs.slack.dev/reference/methods). */
const scopesOfMethod: Readonly<Record<string, readonly string[]>> = {
  'assistant.threads.setStatus': ['chat:write'],
  'assistant.threads.setSuggestedPrompts': ['assistant:write'],
  'assistant.threads.setTitle': ['assistant:write'],
  'auth.revoke': [],
  'auth.test': [],
  'chat.appendStream': ['chat:write'],
  'chat.delete': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.startStream': ['chat:write'],
  'chat.stopStream': ['chat:write'],
  'chat.update': ['chat:write'],
  // Of threads that we are asked in: public and private channels, direct messages.
  // Of direct messages, and of channels that digests go to.
  'conversations.history': ['channels:history', 'groups:history', 'im:history'],
  // Of public and private channels: whether they are shared, and what they are called.
  'conversations.info': ['channels:read', 'groups:read'],
  // Whether everyone there may see an answer.
  'conversations.members': ['channels:read', 'groups:read'],
  'conversations.open': ['im:write'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history'],
  // files.getUploadURLExternal and files.completeUploadExternal.
  'files.delete': ['files:write'],
  filesUploadV2: ['files:write'],
  'usergroups.users.list': ['usergroups:read'],
  'users.conversations': ['channels:read', 'groups:read'],
  // Groups can name people by their addresses.
  'users.info': ['users:read', 'users:read.email'],
  'views.open': [],
  'views.publish': [],
  'views.update': [],
}

const root = join(import.meta.dirname, '../..')

const manifest = z
  .object({
    features: z.object({
      slash_commands: z.array(z.object({ command: z.string() })),
      app_home: z.object({ home_tab_enabled: z.boolean(), messages_tab_enabled: z.boolean() }),
    }),
    oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
    settings: z.object({
      event_subscriptions: z.object({ bot_events: z.array(z.string()) }),
      interactivity: z.object({ is_enabled: z.boolean() }),
    }),
  })
  .parse(parse(readFileSync(join(root, 'manifest.yml'), 'utf8')))

const { bot_events: events } = manifest.settings.event_subscriptions

/** What `registerListeners` asks of an app, in order. */
const register = () => {
  const listeners: { readonly kind: string; readonly id: string | RegExp }[] = []
  const take =
    (kind: string) =>
    (id: string | RegExp): void => {
      listeners.push({ kind, id })
    }
  const kinds = ['event', 'message', 'action', 'view', 'command', 'shortcut', 'options'] as const
  const app = Object.fromEntries(kinds.map(kind => [kind, take(kind)])) as unknown as App
  registerListeners(app, {} as SlackUseCases, { run: () => {}, settled: async () => {} })
  return listeners
}

const listeners = register()

const of = (kind: string) => listeners.filter(listener => listener.kind === kind).map(({ id }) => id)

const hearing = (kind: string, id: string) =>
  of(kind).filter(known => (known instanceof RegExp ? known.test(id) : known === id))

/** Web API methods named in the sources, such as `chat.update` in `client.chat.update({`. */
const methodsCalled = async (): Promise<readonly string[]> => {
  const found = new Set<string>()
  for await (const file of glob('src/**/*.ts', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8')
    if (!/@slack\/|WebClient/.test(text)) continue
    for (const [, method = ''] of text.matchAll(
      /\.((?:chat|conversations|views|users|usergroups|files|reactions|assistant|bots|team|auth)(?:\.[a-zA-Z]+)+|filesUploadV2)\(/g,
    ))
      found.add(method)
  }
  return [...found].toSorted()
}

describe('manifest.yml', () => {
  it('subscribes to the events that are listened to, and to no others', () => {
    const kinds = new Set(events.map(event => event.replace(/\..*/, '')))
    expect([...kinds].toSorted()).toEqual(of('event').map(String).toSorted())
    expect(events.toSorted()).toEqual(Object.keys(scopesOfEvent).toSorted())
  })

  it('asks for the scopes that the events and the methods called need, and for no more', async () => {
    const methods = await methodsCalled()
    expect(methods).toEqual(Object.keys(scopesOfMethod).toSorted())
    const needed = new Set([
      ...events.flatMap(event => scopesOfEvent[event] ?? []),
      ...methods.flatMap(method => scopesOfMethod[method] ?? []),
      ...(of('command').length > 0 ? ['commands'] : []),
    ])
    expect(manifest.oauth_config.scopes.bot.toSorted()).toEqual([...needed].toSorted())
  })

  it('turns on what clicks, Home and direct messages need', () => {
    expect(of('action').length + of('view').length).toBeGreaterThan(0)
    expect(manifest.settings.interactivity.is_enabled).toBe(true)
    expect(manifest.features.app_home).toEqual({ home_tab_enabled: true, messages_tab_enabled: true })
  })

  it('has the commands that are listened to, each by one listener, and the scope they need', () => {
    const commands = manifest.features.slash_commands.map(({ command }) => command)
    expect(of('command')).toEqual(commands)
    expect(new Set(commands).size).toBe(commands.length)
    expect(manifest.oauth_config.scopes.bot).toContain('commands')
  })

  it('asks for no event, message, shortcut or options listener twice', () => {
    for (const kind of ['event', 'message', 'shortcut', 'options'])
      expect(new Set(of(kind)).size).toBe(of(kind).length)
  })
})

const digestFields = digestToFields(digestOf(), { readsBack: true })

/** Every view, as full as it gets. */
const views = {
  answer: answerView(
    answerOf({
      alternatives: [{ label: 'another', hint: '', candidateId: 'c' }],
      canChart: true,
      asksHumans: true,
      cachedForMs: 60_000,
    }),
  ),
  privateAnswer: privateView(answerView(answerOf({})), answered, { canPost: true }),
  edit: editSqlModal({ purpose: 'edit', questionId: 'q', question: 'How many?', sql: 'SELECT 1' }),
  fix: editSqlModal({ purpose: 'fix', questionId: 'q', question: 'How many?', sql: 'SELECT 1' }),
  feedback: feedbackModal({ questionId: 'q', others: [otherResult] }),
  how: traceModal(answered, null),
  humanRequest: reviewRequestView({ request, question: answered.question, table: null }),
  notice: noticeModal({ title: 'Done', text: 'It is done.' }),
  reject: rejectModal('q'),
  clarification: clarificationView('q', {
    question: 'Which?',
    options: ['a', 'b', 'c', 'd'].map(label => ({ label, hint: '', candidateIds: [] })),
    defaultOption: 0,
  }),
  help: helpView('d', ['a', 'b', 'c', 'd', 'e']),
  home: homeView(homeFacts, { workspaceUrl: null, digests: homeDigests }),
  schedule: scheduleModal({ questionId: 'q', fields: digestFields, existing: [digestOf()] }),
  digest: digestMessage({
    digestId: 'd',
    scheduledFor: new Date(0),
    digest: digestOf(),
    kind: 'due',
    missed: 1,
    parts: [partOf()],
  }),
  digestEdit: editDigestModal({ digest: digestOf(), fields: digestFields, metadata: 'd' }),
  digestHandOver: handOverModal({ title: 'Orders', metadata: 'd' }),
  proposal: proposalModal({
    ...{ database: 'shop', kind: 'metric', name: 'revenue', label: 'Revenue', synonyms: ['sales'] },
    meaning: 'sum of total of orders',
  }),
  digestWithoutRepair: digestNotice({
    ...{ digestId: digestOf().id, scheduledFor: new Date(0), digest: digestOf() },
    notice: { kind: 'repair', repair: { ...repair, statement: null } },
  }),
  digestRepair: repairModal(digestOf(), {
    ...repair,
    other: { statement: digestQuestion.statement, says: [] },
  }),
  somethingElse: somethingElseModal('q', 'Which?'),
  stopped: stoppedView('how many?', 'U1'),
  working: progressView(initialTimeline, 'q'),
  sql: sqlModal({ sql: 'SELECT 1', assumptions: [] }),
  staleVerified: staleVerifiedView({
    key: { queryId: 'q', since: new Date(0) },
    question: 'How many?',
    database: 'd',
    reasons: ['it is gone'],
  }),
}

/** All values of a field, wherever it stands. Elements of an input block send their action only when told to. */
const valuesOf = (thing: unknown, field: string): readonly string[] => {
  if (Array.isArray(thing)) return thing.flatMap(part => valuesOf(part, field))
  if (typeof thing !== 'object' || thing === null) return []
  if ('type' in thing && thing.type === 'input' && !('dispatch_action' in thing)) return []
  return Object.entries(thing).flatMap(([name, value]) =>
    name === field && typeof value === 'string' ? [value] : valuesOf(value, field),
  )
}

describe('every id of a view', () => {
  const emitted = [...new Set(valuesOf(Object.values(views), 'action_id'))]

  it('is one of those that are written down', () => {
    const known = Object.values(actionIds)
    for (const id of emitted) {
      expect(
        known.some(stem => (stem.endsWith('_') ? id.startsWith(stem) : id === stem)),
        id,
      ).toBe(true)
    }
    for (const stem of known)
      expect(
        emitted.some(id => id.startsWith(stem)),
        stem,
      ).toBe(true)
  })

  it.each(emitted)('%s has one listener', id => {
    expect(hearing('action', id)).toHaveLength(1)
  })

  it('has no listener without a view', () => {
    for (const id of of('action')) {
      expect(
        emitted.filter(emits => (id instanceof RegExp ? id.test(emits) : id === emits)),
        String(id),
      ).not.toEqual([])
    }
  })

  it('of a modal that is submitted has one listener', () => {
    const submitted = Object.values(views).filter(view => 'submit' in view)
    const ids = valuesOf(submitted, 'callback_id')
    const shownOnly: string[] = [
      callbackIds.showSql,
      callbackIds.trace,
      callbackIds.notice,
      callbackIds.digestRepair,
    ]
    expect(ids.toSorted()).toEqual(
      Object.values(callbackIds)
        .filter(id => !shownOnly.includes(id))
        .toSorted(),
    )
    for (const id of ids) expect(hearing('view', id)).toHaveLength(1)
    expect(of('view')).toHaveLength(ids.length)
  })
})
